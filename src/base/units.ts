/**
 * Durations, bandwidths, sizes and counts as people write them: `1h30m`, `100Mbit`, `64KiB`, `1.5M`.
 *
 * A number without a unit has the unit of the setting that it is for. Decimal units are exact: `1.1h` is 3,960,000 ms.
 * Errors   InputError with the value and the rule; the caller adds the place.
 */
import { InputError } from './errors.ts';
import { quoted } from './text/quote.ts';

/** A unit is `factor` times ten to the `exponent`, so that decimal fractions of it are not rounded twice. */
interface Unit {
  readonly name: string;
  readonly factor: number;
  readonly exponent: number;
}

const unit = (name: string, factor: number, exponent = 0): Unit => ({ name, factor, exponent });
const binary = ['KiB', 'MiB', 'GiB', 'TiB'].map((name, i) => unit(name, 1024 ** (i + 1)));
const bytes = ['B', 'kB', 'MB', 'GB', 'TB'].map((name, i) => unit(name, 1, 3 * i));

/** Longest first, in milliseconds. */
const durations = [
  unit('d', 864, 5), unit('h', 36, 5), unit('m', 6, 4), unit('s', 1, 3), unit('ms', 1), unit('us', 1, -3),
] as const;
/** In bytes per second. */
const bandwidths = [
  ...['bit', 'kbit', 'Mbit', 'Gbit', 'Tbit'].map((name, i) => unit(name, 125, 3 * i - 3)), ...bytes, ...binary,
];
const sizes = [...bytes, ...binary];
const counts = ['k', 'M', 'G'].map((name, i) => unit(name, 1, 3 * i + 3));

/** Other spellings of units. */
const spellings: Readonly<Record<string, string>> = {
  min: 'm', sec: 's', µs: 'us', μs: 'us', KB: 'kB', K: 'k', bps: 'bit', kbps: 'kbit', Mbps: 'Mbit', Gbps: 'Gbit',
};

/** What one is called, its units, examples, and a regular expression of its form for JSON Schemas. */
interface UnitKindFacts {
  readonly title: string;
  readonly units: readonly string[];
  readonly examples: readonly string[];
  readonly pattern: string;
}

const figure = String.raw`(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?`;

function kind(title: string, units: readonly Unit[], examples: readonly string[], form: (names: string) => string) {
  const names = namesOf(units);
  const spelled = [...names, ...Object.keys(spellings).filter((name) => names.includes(spellings[name]))].join('|');
  return { title, units: names, examples, pattern: `^\\s*${form(`(${spelled})`)}\\s*$` };
}

/** The kinds of values with units. */
export const unitKinds = {
  duration: kind(
    'a duration', durations, ['250ms', '90s', '1h30m', '2d'],
    (names) => `(${figure}|${figure}\\s*${names}(\\s*${figure}\\s*${names})*)`,
  ),
  bandwidth: kind(
    'a bandwidth', bandwidths, ['100Mbit', '12.5MB/s', '10MiB/s'],
    (names) => `${figure}\\s*${names}?(\\s*/\\s*s)?`,
  ),
  size: kind('a size', sizes, ['512', '64KiB', '10MB'], (names) => `${figure}\\s*${names}?`),
  count: kind(
    'a count', counts, ['250k', '1.5M', '1,000,000', '3e6'],
    (names) => `(\\d{1,3}(,\\d{3})+|${figure}\\s*${names}?)`,
  ),
} as const satisfies Readonly<Record<string, UnitKindFacts>>;

export type UnitKind = keyof typeof unitKinds;
export type DurationUnit = 'd' | 'h' | 'm' | 's' | 'ms' | 'us';

const number = String.raw`(\d+\.?\d*|\.\d+)(?:e([+-]?\d{1,3}))?`;
const single = new RegExp(`^${number}\\s*([a-zµμ]*)$`, 'i');
const next = new RegExp(`^${number}\\s*([a-zµμ]+)\\s*`, 'i');

/**
 * `10h`, `1h30m`, `90s`, `250ms`, `2d`, as milliseconds.
 * @param plain the unit of a number without one; without `plain`, such a number is refused.
 */
export function parseDuration(text: string | number, plain?: DurationUnit): number {
  const trimmed = String(text).trim();
  const [, digits, power, name] = single.exec(trimmed) ?? [];
  if (name === '' && plain !== undefined)
    return finite('duration', scaled(digits, power, named(durations, plain)!), text);
  let rest = trimmed;
  let milliseconds = 0;
  let last = -1;
  while (rest !== '') {
    const match = next.exec(rest);
    const at = match === null ? -1 : durations.findIndex(({ name }) => name === spelled(match[3]));
    if (match === null || at <= last) return fail('duration', text);
    milliseconds += scaled(match[1], match[2], durations[at]);
    last = at;
    rest = rest.slice(match[0].length);
  }
  return last < 0 ? fail('duration', text) : finite('duration', milliseconds, text);
}

/** `100Mbit`, `1Gbit/s`, `12.5MB`, `10MiB/s`, as bytes per second; a number without a unit is that already. */
export function parseBandwidth(text: string | number): number {
  return parsed('bandwidth', bandwidths, String(text).replace(/\s*\/\s*s\s*$/, ''), text);
}

/** `64KiB`, `10MB`, `512`, as bytes; not always whole. */
export function parseSize(text: string | number): number {
  return parsed('size', sizes, String(text), text);
}

/** `1.5M`, `250k`, `3e6`, `1,000,000`, as a whole number. */
export function parseCount(text: string | number): number {
  const trimmed = String(text).trim();
  const digits = /^\d{1,3}(,\d{3})+$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  const value = parsed('count', counts, digits, text);
  return Number.isSafeInteger(value) ? value : fail('count', text);
}

/** 5400000 -> "1h30m": what parseDuration reads as the same number. */
export function durationText(milliseconds: number): string {
  if (!(milliseconds > 0)) return '0ms';
  let rest = milliseconds;
  let text = '';
  for (const { name, factor, exponent } of durations.slice(0, -2)) {
    const length = factor * 10 ** exponent;
    const whole = Math.floor(rest / length);
    if (whole > 0) text += `${whole}${name}`;
    rest -= whole * length;
  }
  const whole = text + (rest > 0 ? `${rest}ms` : '');
  // Beyond the integers, taking parts away rounds.
  return parseDuration(whole) === milliseconds ? whole : `${milliseconds}ms`;
}

/** 12500000 -> "100Mbit/s". */
export function bandwidthText(bytesPerSecond: number): string {
  return `${shortest(bandwidths.slice(0, 5), bytesPerSecond, `${bytesPerSecond}B`)}/s`;
}

/** 65536 -> "64KiB", 10000000 -> "10MB". */
export function sizeText(size: number): string {
  return shortest(sizes, size, `${size}B`);
}

/** 1500000 -> "1.5M", 1234 -> "1234". */
export function countText(count: number): string {
  return shortest(counts, count, String(count));
}

/** The shortest text in these units that stands for exactly this value; `plain` if none is shorter. */
function shortest(units: readonly Unit[], value: number, plain: string): string {
  let best = plain;
  for (const { name, factor, exponent } of units) {
    const amount = value / factor / 10 ** exponent;
    const digits = String(Number(amount.toPrecision(15)));
    if (amount < 1 || digits.length + name.length > best.length || digits.includes('e')) continue;
    if (scaled(digits, undefined, { name, factor, exponent }) === value) best = digits + name;
  }
  return best;
}

function parsed(kind: UnitKind, units: readonly Unit[], text: string, value: string | number): number {
  const match = single.exec(text.trim());
  if (match === null) return fail(kind, value);
  const [, digits, power, name] = match;
  const spelledUnit = name === '' ? unit('', 1) : named(units, spelled(name));
  return spelledUnit === undefined ? fail(kind, value) : finite(kind, scaled(digits, power, spelledUnit), value);
}

function finite(kind: UnitKind, value: number, original: string | number): number {
  return Number.isFinite(value) ? value : fail(kind, original);
}

function scaled(digits: string, power: string | undefined, { factor, exponent }: Unit): number {
  return Number(`${digits}e${Number(power ?? 0) + exponent}`) * factor;
}

function spelled(name: string): string {
  return Object.hasOwn(spellings, name) ? spellings[name] : name;
}

function named(units: readonly Unit[], name: string): Unit | undefined {
  return units.find((candidate) => candidate.name === name);
}

function namesOf(units: readonly Unit[]): string[] {
  return units.map(({ name }) => name);
}

function fail(kind: UnitKind, value: string | number): never {
  const { title, units, examples } = unitKinds[kind];
  const text = String(value).trim();
  const why = /^-\s*[\d.]/.test(text) ? 'is negative' : `is not ${title}`;
  const whole = kind === 'count' ? ' that comes to a whole number' : '';
  throw new InputError(
    `${quoted(text)} ${why}: give a number with one of the units ${units.join(', ')}${whole}, such as ` +
      examples.join(' or '),
  );
}
