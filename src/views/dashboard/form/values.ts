import type { Field } from './fields.ts';

/** What the user typed, by the path of its setting. */
export type Typed = Readonly<Record<string, string>>;

/**
 * The settings that were typed, nested as in a settings file; those left empty are left out. What is no number stays
 * text, which the server accepts (with a unit) or refuses.
 */
export function settingsOf(fields: readonly Field[], typed: Typed): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  for (const field of fields) {
    const text = (typed[field.path] ?? '').trim();
    if (text !== '') put(settings, field.path.split('.'), valueOf(field, text));
  }
  return settings;
}

function valueOf({ kind, choices }: Field, text: string): unknown {
  if (kind === 'number') return numberOf(text);
  if (kind === 'choice') return choices[0] === 'true' ? text === 'true' : text;
  if (kind === 'text') return text;
  if (kind === 'words' || kind === 'numbers') {
    const each = text.split(/[\s,]+/).filter((item) => item !== '');
    return kind === 'words' ? each : each.map(numberOf);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function numberOf(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function put(settings: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    settings[name] = value;
    return;
  }
  const inner = (settings[name] ??= {}) as Record<string, unknown>;
  put(inner, rest, value);
}

/**
 * The path of the shown setting that an error's dotted name means: itself, or the one that it is a part of
 * (`seedPages.0`). Undefined if none is shown.
 */
export function fieldNamed(name: string | undefined, paths: readonly string[]): string | undefined {
  for (let path = name ?? ''; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    if (paths.includes(path)) return path;
  }
  return undefined;
}

/** URLs of all inputs; blanks and lines separate those that were pasted into one. */
export function seedsOf(typed: readonly string[]): string[] {
  return typed.flatMap((url) => url.split(/\s+/)).filter((url) => url !== '');
}
