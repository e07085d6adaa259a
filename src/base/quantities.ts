/**
 * What a setting's name says about its value: names end in their unit (`latencyMs`, `bandwidthBytesPerSecond`), so a
 * value with another unit can be converted. A number means what it always meant.
 */
import { InputError } from './errors.ts';
import { parseBandwidth, parseCount, parseDuration, parseSize, unitKinds, type UnitKind } from './units.ts';

/** How the value of a setting may be written besides as a number. */
export interface Quantity {
  readonly kind: UnitKind;
  /** The number in the setting's own unit. */
  readonly parse: (text: string) => number;
}

/** Kinds by the end of a name; the first that fits counts. */
const quantities: readonly (readonly [ending: RegExp, quantity: Quantity])[] = [
  [/BytesPerSecond$/, { kind: 'bandwidth', parse: parseBandwidth }],
  [/Bytes$|^bytes$/, { kind: 'size', parse: parseSize }],
  [/Mib$/, { kind: 'size', parse: (text) => (isPlain(text) ? Number(text) : parseSize(text) / 2 ** 20) }],
  [/Ms$/, { kind: 'duration', parse: (text) => parseDuration(text, 'ms') }],
  // To microseconds from milliseconds: 1001us is 1.001 ms, and a thousand times that is not 1001.
  [/Us$/, { kind: 'duration', parse: (text) => Number((1000 * parseDuration(text, 'us')).toPrecision(15)) }],
  [/Seconds$/, { kind: 'duration', parse: (text) => parseDuration(text, 's') / 1000 }],
];
const count: Quantity = { kind: 'count', parse: parseCount };

/** @param isWhole whether the setting is an integer; without a unit in its name, it is a count then. */
export function quantityOf(name: string, isWhole: boolean): Quantity | undefined {
  return quantities.find(([ending]) => ending.test(name))?.[1] ?? (isWhole ? count : undefined);
}

/** A text with a unit as the number that it stands for, negative ones too; anything else unchanged. */
export function inOwnUnit(value: unknown, quantity: Quantity | undefined): unknown {
  if (typeof value !== 'string' || quantity === undefined) return value;
  const [, minus, text] = /^\s*(-?)\s*(.*)$/s.exec(value)!;
  try {
    const number = quantity.parse(text);
    // The range of the setting refuses it with its rule.
    return minus === '' ? number : -number;
  } catch (error) {
    if (error instanceof InputError) return value;
    throw error;
  }
}

/** "a duration such as 250ms, 90s, 1h30m or 2d", for messages; undefined for counts. */
export function quantityWords(quantity: Quantity | undefined): string | undefined {
  if (quantity === undefined || quantity.kind === 'count') return undefined;
  const { title, examples } = unitKinds[quantity.kind];
  return `${title} such as ${examples.slice(0, -1).join(', ')} or ${examples[examples.length - 1]}`;
}

function isPlain(text: string): boolean {
  return /^[\d.]+$/.test(text);
}
