import { InputError } from '../errors.ts';
import { noField } from './nearest.ts';
import { shortly } from './quote.ts';

/** Every field of an options type; false for one that messages do not suggest. */
type FieldTable<T> = Readonly<Record<keyof T, boolean>>;

/**
 * Checks an options object: callers in JavaScript have no compiler to find a mistyped field, or a value of another
 * kind.
 *
 * @throws InputError that suggests the field meant, or says which values it takes.
 */
export function checkFields<T extends object>(place: string, value: T, table: FieldTable<T>): void {
  const isObject = (value as unknown) !== null && typeof value === 'object' && !Array.isArray(value) &&
    !(value instanceof Promise);
  const names = Object.keys(table).filter((name) => table[name as keyof T]);
  if (!isObject) throw wrongArgument(place, `an object with fields such as ${names.slice(0, 3).join(', ')}`, value);
  const unknown = Object.keys(value).find((key) => !Object.hasOwn(table, key));
  if (unknown !== undefined) throw new InputError(`${place}: ${noField(unknown, names)}`, { field: unknown });
  for (const [name, option] of Object.entries(value)) {
    const kind = option === undefined ? undefined : kindOf(name);
    if (kind !== undefined && !kind.has(option)) throw wrongArgument(`${place}.${name}`, kind.name, option);
  }
}

interface Kind {
  readonly name: string;
  readonly has: (value: unknown) => boolean;
}

/** Names that mean the same in the options of every function. */
const kinds: Readonly<Record<string, Kind>> = {
  policies: { name: 'a list of policies', has: isListOfObjects },
  sinks: { name: 'a list of sinks', has: isListOfObjects },
  signal: { name: "an AbortController's signal", has: (value) => value instanceof AbortSignal },
  control: { name: 'a RunControl', has: (value) => hasMethod(value, 'attach') },
  scores: { name: 'scores by URL (a Map) or by page (PageScores)', has: (value) => typeof value === 'object' },
  graceMs: { name: 'a number of milliseconds', has: (value) => typeof value === 'number' && value >= 0 },
  retryFailed: { name: 'true or false', has: (value) => typeof value === 'boolean' },
  lookup: { name: 'a function', has: (value) => typeof value === 'function' },
};

/** The kind of an option, by its name: those that begin with "on" are called. */
function kindOf(name: string): Kind | undefined {
  return /^on[A-Z]/.test(name) ? kinds['lookup'] : kinds[name];
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof (value as Readonly<Record<string, unknown>> | null)?.[name] === 'function';
}

/** Checks that an object has typed arrays in these fields; it may have others. @throws InputError */
export function checkArrays<T extends object>(place: string, value: T, fields: readonly (keyof T & string)[]): void {
  if (!fields.every((field) => ArrayBuffer.isView((value as Partial<T> | undefined | null)?.[field])))
    throw wrongArgument(place, `an object with the typed arrays ${fields.join(', ')}`, value);
}

/** Checks a name, a path or another text. @throws InputError */
export function checkText(place: string, value: unknown): void {
  if (typeof value !== 'string') throw wrongArgument(place, 'a text', value);
}

/** The error for an argument of another kind. Objects are named, not quoted: a graph has millions of entries. */
export function wrongArgument(place: string, expected: string, value: unknown): InputError {
  const isObject = typeof value === 'object' && value !== null;
  const kind = !isObject ? shortly(value)
    : value instanceof Promise ? 'a promise; await it' : Array.isArray(value) ? 'a list' : 'another object';
  return new InputError(`${place}: must be ${expected} (given: ${kind})`);
}
