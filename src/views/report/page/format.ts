/** Numbers for readers, in the forms of the terminal. Narrow no-break spaces precede units. */
import { figureOf, figureWriter, type RunFigureName } from '../../../core/measure/figures/index.ts';

const thinSpace = '\u202f';

/** 12,345, with `decimals` decimals; a fraction that rounds to 0 has its two leading digits. "none" for null. */
export function number(value: number | null, decimals = 0): string {
  if (value === null || !Number.isFinite(value)) return 'none';
  const fixed =
    Math.abs(value) < 0.5 * 10 ** -decimals && value !== 0 && decimals > 0
      ? value.toPrecision(2)
      : value.toFixed(decimals);
  const [whole, ...decimal] = fixed.replace('-', '\u2212').split('.');
  const grouped = /e/.test(fixed) ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return [grouped, ...decimal].join('.');
}

/** 12,000, 1.2 M: for axes. */
export function short(value: number): string {
  const magnitude = Math.abs(value);
  for (const [unit, size] of [['G', 1e9], ['M', 1e6]] as const) {
    if (magnitude >= size) return `${trimmed(value / size)}${thinSpace}${unit}`;
  }
  return Number.isInteger(value) ? number(value) : trimmed(value);
}

function trimmed(value: number): string {
  return String(Number(value.toPrecision(3))).replace('-', '\u2212');
}

/** A share in per cent, with one decimal. */
export function percent(share: number | null): string {
  return share === null ? number(null) : `${number(100 * share, 1)}${thinSpace}%`;
}

/** Virtual time as h:mm:ss, rounded to whole seconds; below a minute as seconds. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${number(seconds, 2)}${thinSpace}s`;
  const whole = Math.round(seconds);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
}

/** A figure of a run, by its value. */
export const figureText = figureWriter({ number, percent, duration });

/** A figure of a run, from its summary. */
export function figureIn(summary: object, name: RunFigureName): string {
  return figureText(name, figureOf(summary, name));
}

/** The best unit for an axis that ends at `seconds`. */
export function timeUnit(seconds: number): { readonly name: string; readonly seconds: number } {
  if (seconds > 4 * 86_400) return { name: 'days', seconds: 86_400 };
  if (seconds > 4 * 3600) return { name: 'hours', seconds: 3600 };
  if (seconds > 240) return { name: 'minutes', seconds: 60 };
  return { name: 'seconds', seconds: 1 };
}

/** "3 pages", "1 page". */
export function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "a, b and c". */
export function sentenceList(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)!}`;
}
