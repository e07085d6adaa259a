import type { Field } from './fields.ts';

interface Given {
  readonly field: Field;
  readonly value: string;
  /** '' without an error. */
  readonly error: string;
  readonly set: (path: string, value: string) => void;
  /** Words on single choices: what a policy does. */
  readonly aboutChoice?: (choice: string) => string;
}

const howToType: Partial<Record<Field['kind'], string>> = {
  json: ' (as JSON)', words: ' (separated by blanks)', numbers: ' (separated by blanks)',
};

/** One setting: its name, an input with the default as its placeholder, its meaning, and its error. */
export function Setting({ field, value, error, set, aboutChoice }: Given) {
  const { path, title, description, unit, kind, standard, bounds } = field;
  const id = `setting-${path}`;
  const choice = value === '' ? standard : value;
  const about = aboutChoice?.(choice) ?? '';
  // The meaning of the choice says more than the description.
  const meaning = about === '' ? sentence(description) : `${choice}: ${about}`;
  const notes = [meaning, bounds].filter((note) => note !== '').join('; ');
  return (
    <div class="setting">
      <label for={id}>{title}</label>
      <span class="entry">
        <Entry {...{ field, value, error, set, id }} />
        {unit !== '' && <span class="unit">{unit}</span>}
      </span>
      <p class="note" id={`${id}-about`}>
        {notes}{howToType[kind] ?? ''}
      </p>
      {error !== '' && <p class="error" id={`${id}-error`} role="alert">{error}</p>}
    </div>
  );
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function Entry({ field, value, error, set, id }: Omit<Given, 'aboutChoice'> & { readonly id: string }) {
  const { path, kind, choices, standard, unset } = field;
  const shared = {
    id, name: path, value, 'aria-invalid': error !== '',
    'aria-describedby': error === '' ? `${id}-about` : `${id}-error ${id}-about`,
  } as const;
  if (kind === 'choice') {
    return (
      <select {...shared} onChange={(event) => set(path, event.currentTarget.value)}>
        <option value="">{unset ?? (standard === '' ? 'none' : `${standard} (default)`)}</option>
        {choices.filter((choice) => choice !== standard)
          .map((choice) => <option key={choice} value={choice}>{choice}</option>)}
      </select>
    );
  }
  const hint = standard !== '' ? standard : choices.length > 0 ? `a number, or ${choices.join(', ')}` : '';
  return (
    <input
      {...shared} type="text" spellcheck={false} autocomplete="off" placeholder={hint}
      inputMode={kind === 'number' && choices.length === 0 ? 'decimal' : 'text'}
      onInput={(event) => set(path, event.currentTarget.value)}
    />
  );
}
