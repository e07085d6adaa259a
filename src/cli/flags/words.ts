import { Option, type Command } from 'commander';
import { InputError } from '../../base/index.ts';
import { camelCase } from '../../core/settings/index.ts';
import { printableShort } from '../text/printable.ts';

export { camelCase, kebabCase } from '../../core/settings/index.ts';

/** Flags as commander passes them: text, or true for a flag without a value. */
export type RawFlags = Readonly<Record<string, unknown>>;

/** Flags of most commands. */
export interface OutFlags extends RawFlags {
  readonly out?: string;
  readonly json?: true;
}

/** Numbers as people type them; anything else stays text, which the schema then accepts or rejects. */
export function numberOrText(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
}

/** The names in the value of `--drop-query`. @throws InputError if one is empty. */
export function namesIn(text: string): string[] {
  const names = text.split(',');
  if (!names.includes('')) return names;
  throw new InputError(`--drop-query ${printableShort(text) || "''"}: must be names between commas, like utm_*,fbclid`);
}

/** Collects the values of a repeatable flag. */
export function addOne(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

/** Loads an action when its command is run. */
export function later<A extends unknown[]>(load: () => Promise<(...words: A) => Promise<void>>) {
  return async (...words: A): Promise<void> => (await load())(...words);
}

export interface ValueFlag {
  /** As typed, without the dashes. */
  readonly name: string;
  readonly value: string;
  /** Other names, mostly of the last version; help does not list them. */
  readonly hidden: readonly string[];
}

export function addFlag(
  command: Command, { name, value, hidden }: ValueFlag, heading: string, text: string,
  collect?: (value: string, earlier: readonly string[] | undefined) => readonly string[],
): void {
  const others = hidden.map((other) => new HiddenFlag(other, name, value));
  for (const option of [new Option(`--${name} <${value}>`, text), ...others]) {
    if (collect !== undefined) option.argParser(collect);
    command.addOption(option.helpGroup(heading));
  }
}

/** Another name of a flag: it sets what the flag sets. */
export class HiddenFlag extends Option {
  readonly #key: string;

  /** @param name the flag's name now. @param value the placeholder of its value. */
  constructor(hidden: string, name: string, value: string) {
    super(`--${hidden} <${value}>`);
    this.#key = camelCase(name);
    this.hideHelp();
  }

  override attributeName(): string {
    return this.#key;
  }
}
