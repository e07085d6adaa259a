import type { SettingsForms } from '../../service/dashboard/api.ts';
import { placeIn } from './made.ts';

interface Given {
  readonly yaml: string;
  readonly studies: SettingsForms['studies'];
  readonly set: (yaml: string) => void;
  /** '' without an error. */
  readonly error: string;
}

/** A study: one of the package, or YAML typed or pasted. */
export function StudyEntry({ yaml, studies, set, error }: Given) {
  const place = placeIn(error);
  const goTo = (): void => {
    const area = document.getElementById('yaml') as HTMLTextAreaElement;
    const lines = yaml.split('\n');
    const begin = lines.slice(0, place!.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
    area.focus();
    area.setSelectionRange(begin, begin + (lines[place!.line - 1]?.length ?? 0));
  };
  return (
    <div class="setting wide">
      <label for="yaml">Study file (YAML)</label>
      <p class="picks">
        {studies.map(({ name, yaml: text }) => (
          <button type="button" class="small" key={name} aria-pressed={yaml === text} onClick={() => set(text)}>
            {name}
          </button>
        ))}
      </p>
      <textarea
        id="yaml" rows={14} value={yaml} spellcheck={false} autocomplete="off" aria-invalid={error !== ''}
        aria-describedby={error === '' ? 'yaml-about' : 'yaml-error yaml-about'}
        onInput={(event) => set(event.currentTarget.value)}
      />
      <p class="note" id="yaml-about">
        A graph, settings of all runs (experiment), and the values of those that vary (axes): every combination is run.
        Runs that differ only in their seed give the intervals.
      </p>
      {error !== '' && (
        <p class="error lines" id="yaml-error" role="alert">
          {place === null ? error : place.rest}
          {place !== null && <button type="button" class="small" onClick={goTo}>Go to line {place.line}</button>}
        </p>
      )}
    </div>
  );
}
