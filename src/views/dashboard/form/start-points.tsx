import type { ListedRun, SettingsForms } from '../../service/dashboard/api.ts';
import { short } from '../../report/page/format.ts';

interface Shared {
  /** '' without an error. */
  readonly error: string;
}

interface GraphGiven extends Shared {
  readonly graph: string;
  readonly graphs: SettingsForms['graphs'];
  /** Live crawls that have ended: their graphs can be crawled again. */
  readonly crawls: readonly ListedRun[];
  readonly set: (graph: string) => void;
  /** Whether there is one where none is named. */
  readonly isOptional?: boolean;
}

/** The graph to crawl: one of the catalogue, or a path. */
export function GraphEntry({ graph, graphs, crawls, set, error, isOptional = false }: GraphGiven) {
  return (
    <div class="setting wide">
      <label for="graph">Graph</label>
      <span class="entry">
        <input
          id="graph" type="text" value={graph} list="graphs" spellcheck={false} autocomplete="off"
          placeholder={isOptional ? 'the one in the study' : graphs[0]?.name ?? 'a file'} aria-invalid={error !== ''}
          aria-describedby={described('graph', error)}
          onInput={(event) => set(event.currentTarget.value)}
        />
        <datalist id="graphs">
          {graphs.map(({ name, pages }) => (
            <option key={name} value={name}>{pages === null ? '' : `${short(pages)} pages`}</option>
          ))}
          {crawls.map(({ id, name, folder }) => (
            <option key={id} value={folder ?? ''}>{`the crawl of ${name}`}</option>
          ))}
        </datalist>
      </span>
      <p class="note" id="graph-about">
        A name of the catalogue, a file of a graph, or the folder of a finished crawl.
      </p>
      {graphs.length > 0 && (
        <p class="picks">
          {graphs.slice(0, 6).map(({ name, pages }) => (
            <button type="button" class="small" key={name} aria-pressed={graph === name} onClick={() => set(name)}>
              {name}{pages !== null && <small> {short(pages)} pages</small>}
            </button>
          ))}
        </p>
      )}
      {error !== '' && <p class="error" id="graph-error" role="alert">{error}</p>}
    </div>
  );
}

interface NetworkOfGiven extends Shared {
  readonly crawls: readonly ListedRun[];
  /** The id of a crawl, or ''. */
  readonly value: string;
  readonly set: (id: string) => void;
}

/** The crawl that the simulated network is fitted to. */
export function NetworkOf({ crawls, value, set, error }: NetworkOfGiven) {
  return (
    <div class="setting">
      <label for="networkOf">Network of a crawl</label>
      <span class="entry">
        <select
          id="networkOf" value={value} aria-invalid={error !== ''} aria-describedby={described('networkOf', error)}
          onChange={(event) => set(event.currentTarget.value)}
        >
          <option value="">none</option>
          {crawls.map(({ id, name, folder }) => <option key={id} value={id}>{`${name} (${folder ?? ''})`}</option>)}
        </select>
      </span>
      <p class="note" id="networkOf-about">
        Latency, bandwidth and faults are fitted to the log of a live crawl, in place of a preset.
      </p>
      {error !== '' && <p class="error" id="networkOf-error" role="alert">{error}</p>}
    </div>
  );
}

interface ListGiven extends Shared {
  /** The prefix of the ids of its inputs and of their note. */
  readonly id: 'seed' | 'goal';
  /** The name of an input: "Seed URL". */
  readonly name: string;
  readonly legend: string;
  readonly placeholder: string;
  readonly add: string;
  readonly about: string;
  readonly values: readonly string[];
  readonly set: (values: readonly string[]) => void;
}

/** Texts of which there can be several: the URLs where a live crawl starts, the goals of a plan. */
export function ListEntry({ id, name, legend, placeholder, add: addWords, about, values, set, error }: ListGiven) {
  const add = (): void => {
    set([...values, '']);
    // Once the new input is there.
    setTimeout(() => document.getElementById(`${id}-${values.length}`)?.focus());
  };
  const remove = (at: number): void => {
    set(values.filter((_, i) => i !== at));
    document.getElementById(`${id}-add`)?.focus();
  };
  return (
    <fieldset class="setting wide seeds">
      <legend>{legend}</legend>
      {values.map((value, i) => (
        <span class="entry" key={i}>
          <input
            id={`${id}-${i}`} type="text" inputMode={id === 'seed' ? 'url' : 'text'} value={value} spellcheck={false}
            autocomplete="off" placeholder={placeholder} aria-label={`${name} ${i + 1}`} aria-invalid={error !== ''}
            aria-describedby={described(`${id}s`, error)}
            onInput={(event) => set(values.map((point, at) => (at === i ? event.currentTarget.value : point)))}
          />
          {values.length > 1 && (
            <button type="button" class="small" aria-label={`Remove ${lower(name)} ${i + 1}`} onClick={() => remove(i)}>
              Remove
            </button>
          )}
        </span>
      ))}
      <button type="button" class="small" id={`${id}-add`} onClick={add}>{addWords}</button>
      <p class="note" id={`${id}s-about`}>{about}</p>
      {error !== '' && <p class="error" id={`${id}s-error`} role="alert">{error}</p>}
    </fieldset>
  );
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

function described(id: string, error: string): string {
  return error === '' ? `${id}-about` : `${id}-error ${id}-about`;
}
