/** What commander hands to a command: text, or true for a flag without a value. */
export type RawFlags = Readonly<Record<string, unknown>>;

/** Numbers as people type them; all else stays text, which the schema then refuses or takes. */
export function numberOrText(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : value;
}

/** Of a flag that may be repeated. */
export function addOne(value: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), value];
}

/** A flag as its key. */
export function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A key as its flag is typed, without the dashes. */
export function kebabCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
