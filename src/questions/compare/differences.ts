import { figures, flattened, labelOf, type Cell, type Figure } from '../study/index.ts';
import { isBeyondNoise, pairedDifference, type Interval } from '../../core/measure/index.ts';
import type { Compared, Named } from './runs.ts';

/** A setting that is not the same in all, with the value of each; null in those that do not have it. */
export interface SettingDifference {
  readonly name: string;
  readonly values: readonly Cell[];
}

/** How a figure differs from the first of the items, which is the base. */
export interface FigureDifference {
  readonly figure: Figure;
  /** Seeds that both have. */
  readonly seeds: number;
  /** Other minus base, seed by seed. */
  readonly difference: Interval;
  /** `open`: a single seed cannot show whether the difference is more than noise. */
  readonly verdict: 'same' | 'beyond noise' | 'within noise' | 'open';
}

/** Seed pages that are named in a list of thousands would fill a page. */
const maxShownLength = 40;
/** Names of runs longer than this, or of more parts, say less than their folder; two are headings of columns. */
const maxNameLength = 32;
const maxPairNameLength = 20;
const maxNameParts = 3;

/** The settings that differ, those that all have first. O(settings of all). */
export function settingDifferences(items: readonly Compared[]): SettingDifference[] {
  const maps = items.map(({ experiment }) => new Map(settingsOf(experiment)));
  // Seed pages are ids, which differ between graphs anyway.
  const isOneGraph = new Set(items.map(({ sha256 }) => sha256)).size === 1;
  const names = [...new Set(maps.flatMap((map) => [...map.keys()]))]
    .filter((name) => isOneGraph || name !== 'seedPages')
    // They change no run, and one run has others by default than many.
    .filter((name) => name !== 'statistics');
  const differing = names.flatMap((name): SettingDifference[] => {
    const values = maps.map((map) => map.get(name) ?? null);
    // A study records what was requested, not what follows from it (seed pages, pending jobs), and several runs have no
    // one seed: what these do not record is no difference.
    if (values.some((value, i) => value === null && (name === 'seed' || items[i].records.length === 0))) return [];
    return new Set(values).size > 1 ? [{ name, values: values.map(short) }] : [];
  });
  return differing.sort((a, b) => Number(a.values.includes(null)) - Number(b.values.includes(null)));
}

function settingsOf(experiment: object): [string, Cell][] {
  const fields: readonly [string, unknown][] = Object.entries(experiment);
  const lists = fields.filter(([, value]) => Array.isArray(value))
    .map(([name, value]): [string, Cell] => [name, JSON.stringify(value)]);
  return [...flattened(experiment), ...lists];
}

function short(value: Cell): Cell {
  const isLong = typeof value === 'string' && value.length > maxShownLength;
  return isLong ? `${value.slice(0, maxShownLength - 3)}...` : value;
}

/**
 * The items, named by their values of the settings that differ, without those that most of them share. By their label
 * where that name is long or not their own.
 */
export function named<T extends Compared>(items: readonly T[]): (T & Named)[] {
  const naming = settingDifferences(items)
    .filter(({ name, values }) => name !== 'seed' && name !== 'seedPages' && !values.includes(null));
  const first = naming.find(({ name }) => name === 'policy') ?? naming.at(0);
  const names = items.map(({ label }, i) => {
    const parts = [...new Set(first === undefined ? [] : [first, ...naming])].flatMap((setting) => {
      const { name, values } = setting;
      const alike = values.filter((value) => value === values[i]).length;
      return setting !== first && 2 * alike > items.length ? [] : [labelOf({ name, values }, values[i])];
    });
    const name = parts.join(' · ');
    const maxLength = items.length === 2 ? maxPairNameLength : maxNameLength;
    return parts.length === 0 || parts.length > maxNameParts || name.length > maxLength ? label : name;
  });
  const isOwn = (name: string): boolean => names.indexOf(name) === names.lastIndexOf(name);
  return items.map((item, i) => ({ ...item, name: isOwn(names[i]) ? names[i] : item.label }));
}

/** The numbers of pages over which the orders of an item were judged. */
export function horizonsOf({ seeds }: Compared): number[] {
  return [...new Set(seeds.flatMap(({ horizonPages }) => (horizonPages === null ? [] : [horizonPages])))];
}

/**
 * The difference of each figure that both have, over the seeds that both have. Areas over different numbers of pages
 * are left out: their difference says nothing.
 */
export function differences(base: Compared, other: Compared): FigureDifference[] {
  const isOneHorizon = new Set([base, other].flatMap(horizonsOf)).size <= 1;
  return figures.filter(({ name }) => isOneHorizon || name !== 'pagerankArea').flatMap((figure): FigureDifference[] => {
    const [values, others] = [base, other].map(({ seeds }) => valuesBySeed(seeds, figure));
    const paired = pairedDifference(values, others);
    if (paired === undefined) return [];
    const size = Math.max(...[...values.values(), ...others.values()].map(Math.abs));
    const isSame = [...others].every(([seed, value]) => Math.abs(value - (values.get(seed) ?? value)) <= 1e-9 * size);
    const open = paired.seeds < 2 ? 'open' : isBeyondNoise(paired.difference) ? 'beyond noise' : 'within noise';
    return [{ figure, ...paired, verdict: isSame ? 'same' : open }];
  });
}

function valuesBySeed(seeds: Compared['seeds'], { name }: Figure): Map<number, number> {
  return new Map(seeds.flatMap(({ seed, figures: { [name]: value } }) =>
    (value === null || value === undefined ? [] : [[seed, value] as const])));
}
