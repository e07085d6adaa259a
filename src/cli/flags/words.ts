import { Option } from 'commander';

/** What commander passes to a command: text, or true for a flag without a value. */
export type RawFlags = Readonly<Record<string, unknown>>;

/** Numbers as people type them; anything else stays text, which the schema then accepts or rejects. */
export function numberOrText(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
}

/** Collects the values of a repeatable flag. */
export function addOne(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

/** The key of a flag. */
export function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The flag of a key, without the dashes. */
export function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The name that a flag had in the last version: it sets what the flag sets now, and help does not list it. */
export class EarlierFlag extends Option {
  readonly #key: string;

  /** @param name the flag's name now. @param value the placeholder of its value. */
  constructor(earlier: string, name: string, value: string) {
    super(`--${earlier} <${value}>`);
    this.#key = camelCase(name);
    this.hideHelp();
  }

  override attributeName(): string {
    return this.#key;
  }
}
