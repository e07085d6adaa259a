/** Numbers for readers. Narrow no-break spaces group thousands and precede units. */

const thinSpace = '\u202f';

/** 12 345, with `decimals` decimals; a fraction that rounds to 0 has its two leading digits. "none" for null. */
export function number(value: number | null, decimals = 0): string {
  if (value === null || !Number.isFinite(value)) return 'none';
  const fixed =
    Math.abs(value) < 0.5 * 10 ** -decimals && value !== 0 && decimals > 0
      ? value.toPrecision(2)
      : value.toFixed(decimals);
  const [whole, ...decimal] = fixed.replace('-', '\u2212').split('.');
  const grouped = /e/.test(fixed) ? whole : whole.replace(/\B(?=(\d{3})+$)/g, thinSpace);
  return [grouped, ...decimal].join('.');
}

/** 12 000, 1.2 M: for axes. */
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

/** A share in per cent; one decimal if the share is small. */
export function percent(share: number | null): string {
  if (share === null) return number(null);
  const value = 100 * share;
  const decimals = value !== 0 && Math.abs(value) < 10 ? 1 : 0;
  return `${number(value, decimals)}${thinSpace}%`;
}

/** Virtual time in its two largest units: 8 min 20 s. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${number(seconds, seconds === 0 ? 0 : 1)} s`.replace(' ', thinSpace);
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [unit, size] of [['d', 86_400], ['h', 3600], ['min', 60], ['s', 1]] as const) {
    const amount = Math.floor(left / size);
    if (amount === 0) {
      if (parts.length > 0) break;
      continue;
    }
    parts.push(`${number(amount)}${thinSpace}${unit}`);
    left -= amount * size;
    if (parts.length === 2) break;
  }
  return parts.join('\u00a0');
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
