import { figures, withInterval, type Cell, type Figure } from '../../../../questions/study/index.ts';
import { horizonsInWords, type Interval } from '../../../../core/measure/index.ts';
import type { Shown, ShownTable } from '../../../../views/report/index.ts';
import {
  differences, horizonsOf, isOfTheWeb, settingDifferences, type FigureDifference, type Named, type SettingDifference,
} from '../../../../questions/compare/index.ts';
import { counted, grouped } from '../../figures.ts';

/** Settings named in a sentence; more are in the table alone. */
const maxNamed = 8;
/** More runs are compared with the first in the table alone, without sentences. */
const maxDescribed = 6;

/** Finished runs held against each other: what differs between them, whether that is more than noise, their figures. */
export function runsShown(items: readonly Named[]): Shown {
  const all = settingDifferences(items);
  const settings = all.filter(({ values }) => !isOfKind(items, values));
  const graphs = distinct(items, ({ sha256 }) => sha256);
  const differing = graphs.length === 1 ? items.slice(1).map((other) => differences(items[0], other)) : [];
  return {
    paragraphs: [
      settingsInWords(items, settings) + ofKindInWords(items, all), ...figuresInWords(items, differing),
      ...caveats(items, graphs),
    ],
    tables: items.length === 2
      ? [pairFigures(items, differing.at(0)), pairSettings(items, settings)]
      : [runsTable(items, settings), figuresTable(items), ...differencesTables(items, differing)],
    charts: [],
  };
}

export function withEnd(name: string, { readUpTo }: Named): string {
  return readUpTo === undefined ? name : `${name} (incomplete: read up to superstep ${readUpTo})`;
}

function distinct(items: readonly Named[], of: (item: Named) => string): string[] {
  return [...new Set(items.map(of))];
}

function settingsInWords(items: readonly Named[], settings: readonly SettingDifference[]): string {
  const common = settings.filter(({ values }) => !values.includes(null));
  const some = settings.filter(({ values }) => values.includes(null));
  const valuesOf = ({ name, values }: SettingDifference): string =>
    (items.length === 2 ? `${name} (${values.map(String).join(', ')})` : name);
  const differ = common.length === 0 ? `Their ${some.length === 0 ? '' : 'other '}settings do not differ.`
    : common.length > maxNamed ? `They differ in ${counted(common.length, 'setting')}.`
      : `They differ in ${common.map(valuesOf).join(', ')}.`;
  return [`${counted(items.length, 'run')} of ${distinct(items, ({ graph }) => graph).join(', ')}.`, differ,
    oneSided(items, some)].filter((text) => text !== '').join(' ');
}

/** Whether it is the simulations that have a setting, or the crawls of real hosts, which says nothing of these runs. */
function isOfKind(items: readonly Named[], values: SettingDifference['values']): boolean {
  const isOwned = (kind: boolean): boolean =>
    items.every((item, i) => (values[i] !== null) === (isOfTheWeb(item) === kind));
  return values.includes(null) && (isOwned(true) || isOwned(false));
}

function ofKindInWords(items: readonly Named[], settings: readonly SettingDifference[]): string {
  const ofKind = settings.filter(({ values }) => isOfKind(items, values));
  const ofLive = ofKind.filter(({ values }) => values[items.findIndex(isOfTheWeb)] !== null).length;
  return ofKind.length === 0 ? ''
    : ` Not listed: ${counted(ofKind.length - ofLive, 'setting')} that only a simulation has, ${grouped(ofLive)} only a live crawl.`;
}

/** Settings that only some of the runs have. */
function oneSided(items: readonly Named[], settings: readonly SettingDifference[]): string {
  const owners = new Map<string, SettingDifference[]>();
  for (const setting of settings) {
    const names = items.filter((_, i) => setting.values[i] !== null).map(({ name }) => name).join(', ');
    owners.set(names, [...owners.get(names) ?? [], setting]);
  }
  return [...owners].map(([names, some]) => {
    const groups = [...new Set(some.map(({ name }) => name.split('.')[0]))];
    const few = some.length <= maxNamed ? some.map(({ name, values }) =>
      `${name} (${String(values.find((value) => value !== null))})`) : undefined;
    const has = some[0].values.filter((value) => value !== null).length === 1 ? 'has' : 'have';
    const list = few ?? [`${counted(some.length, 'setting')} of ${groups.join(', ')}`];
    return `Only ${names} ${has} ${list.join(', ')}.`;
  }).join(' ');
}

/** Whether figures differ by more than the seeds do. */
function figuresInWords(items: readonly Named[], differing: readonly (readonly FigureDifference[])[]): string[] {
  const [base, ...others] = items;
  const has = (i: number, verdict: FigureDifference['verdict'], which: 'some' | 'every'): boolean =>
    differing[i]?.length > 0 && differing[i][which]((difference) => difference.verdict === verdict);
  const same = others.filter((_, i) => has(i, 'same', 'every'));
  const open = differing.length === 0 ? []
    : others.filter((_, i) => differing[i].length === 0 || has(i, 'open', 'some'));
  const decided = others.filter((other) => !same.includes(other) && !open.includes(other));
  return [
    ...(differing.length === 0 ? [] : decided.slice(0, maxDescribed)
      .map((other) => noiseInWords(base, other, differing[others.indexOf(other)]))),
    ...(same.length === 0 ? []
      : [`${namesOf(same)} ${same.length === 1 ? 'has' : 'have'} the same figures as ${base.name}, seed by seed.`]),
    ...(open.length === 0 ? [] : [oneSeedWarning(items, open)]),
    ...(differing.length === 0 ? [] : commonSeedInWords(items)),
  ];
}

function namesOf(items: readonly Named[]): string {
  return items.map(({ name }) => name).join(', ');
}

function noiseInWords({ name: base }: Named, { name }: Named, all: readonly FigureDifference[]): string {
  const of = (verdict: FigureDifference['verdict']): FigureDifference[] =>
    all.filter((difference) => difference.verdict === verdict);
  const names = (some: readonly FigureDifference[]): string => some.map(({ figure }) => short(figure)).join(', ');
  const [same, beyond, within] = (['same', 'beyond noise', 'within noise'] as const).map(of);
  const seeds = Math.max(...all.map((difference) => difference.seeds));
  return `Over ${grouped(seeds)} common seeds, ${name} differs from ${base} ` +
    (beyond.length === 0 ? 'in no figure by more than their noise'
      : `by more than their noise in ${beyond.map(signedWords).join(', ')}`) +
    (within.length === 0 ? '' : `; within it in ${names(within)}`) +
    (same.length === 0 ? '.' : `; not in ${names(same)}.`);
}

function oneSeedWarning(items: readonly Named[], open: readonly Named[]): string {
  const seeds = items.every(({ runs }) => runs === 1) ? 'One seed each' : 'Fewer than two seeds in common';
  const which = open.length === items.length - 1 ? 'these figures' : `the figures of ${namesOf(open)}`;
  // A crawl of real hosts cannot be repeated.
  const mayRepeat = items.every((item) => !isOfTheWeb(item));
  return `${seeds} cannot show whether ${which} differ by more than the noise of seeds` +
    `${mayRepeat ? ': run each with --repeat 5' : ''}.`;
}

/** Means over seeds stand beside differences of the one seed in common. */
function commonSeedInWords([base, ...others]: readonly Named[]): string[] {
  return others.filter(({ runs }) => runs > 1 || base.runs > 1).flatMap(({ name, seeds }) => {
    const shared = seeds.filter(({ seed }) => base.seeds.some((run) => run.seed === seed));
    if (shared.length !== 1) return [];
    const both = `${base.name} and ${name}`;
    return [`${both} have seed ${shared[0].seed} alone in common: differences are of that seed, not of the means.`];
  });
}

/** The name of a figure in a sentence, without its unit. */
function short(figure: Figure): string {
  return figure.title.replace(/, s$/, '');
}

function signedWords({ figure, difference }: FigureDifference): string {
  return `${short(figure)} (${signed(difference, figure.digits)}${figure.title.endsWith(', s') ? ' s' : ''})`;
}

function signed(difference: Interval, digits: number): string {
  return `${difference.mean > 0 ? '+' : ''}${withInterval(difference, digits) ?? ''}`;
}

/** Reasons to doubt the figures, or not to compare them. */
function caveats(items: readonly Named[], graphs: readonly string[]): string[] {
  const versions = distinct(items, ({ version }) => version.replace(/\+.*/, ''));
  const interrupted = items.filter((item) => item.interrupted).map(({ name }) => name);
  const incomplete = items.filter(({ readUpTo }) => readUpTo !== undefined).map((item) => withEnd(item.label, item));
  const horizons = horizonsInWords(items.flatMap(horizonsOf));
  const names = distinct(items, ({ graph, sha256 }) => `${graph} ${sha256.slice(0, 8)}`).join(', ');
  return [
    ...(graphs.length === 1
      ? []
      : [`These runs are of ${graphs.length} different graphs (${names}): their figures are of different crawls.`]),
    ...(horizons === undefined ? [] : [horizons]),
    ...(versions.length === 1
      ? []
      : [`They were made by different versions (${versions.join(', ')}), which may measure differently.`]),
    ...(interrupted.length === 0 ? [] : [`Interrupted: ${interrupted.join(', ')}.`]),
    ...(incomplete.length === 0 ? [] : [`Killed before its end: ${incomplete.join(', ')}.`]),
  ];
}

/** Two runs: a row per figure, so that their difference is beside them. */
function pairFigures(items: readonly Named[], differing: readonly FigureDifference[] = []): ShownTable {
  const seeds = Math.max(0, ...differing.map((difference) => difference.seeds));
  return {
    name: 'compared',
    caption: seeds < 2 ? 'Figures'
      : `Figures: means over seeds, difference over the ${grouped(seeds)} seeds in common; ± half of a 95 % interval`,
    columns: [
      { name: 'figure' }, ...items.map(({ name }) => ({ name })), { name: 'difference' }, { name: 'beyond noise' },
    ],
    rows: figures.map((figure): Cell[] => {
      const match = differing.find((entry) => entry.figure === figure);
      const verdict = match && { same: 'no', open: 'unknown', 'beyond noise': 'yes', 'within noise': 'no' };
      return [
        figure.title, ...items.map(({ means }) => withInterval(means[figure.name] ?? null, figure.digits)),
        match ? signed(match.difference, figure.digits) : null, match && verdict ? verdict[match.verdict] : null,
      ];
    }),
  };
}

/** Two runs may differ in dozens of settings: a row each, which a page and a terminal have room for. */
function pairSettings(items: readonly Named[], settings: readonly SettingDifference[]): ShownTable {
  const textOf = (value: Cell): string => (value === null ? '-' : String(value));
  return {
    name: 'settings',
    caption: 'Settings that differ; - where a run has no such setting',
    columns: [{ name: 'setting' }, ...items.map(({ name }) => ({ name }))],
    rows: [
      ...(items.some(({ name, label }) => name !== label) ? [['folder', ...items.map(({ label }) => label)]] : []),
      ...settings.map(({ name, values }): Cell[] => [name, ...values.map(textOf)]),
    ],
  };
}

/** The folder of each run, and its settings that differ. */
function runsTable(items: readonly Named[], settings: readonly SettingDifference[]): ShownTable {
  return {
    name: 'settings',
    caption: 'Runs, and the settings in which they differ',
    columns: [{ name: 'run' }, { name: 'folder' }, { name: 'seeds' }, ...settings.map(({ name }) => ({ name }))],
    rows: items.map((item, i): Cell[] => [
      withEnd(item.name, item), item.label, item.runs,
      ...settings.map(({ values }) => (typeof values[i] === 'number' ? String(values[i]) : values[i])),
    ]),
  };
}

function figuresTable(items: readonly Named[]): ShownTable {
  const isRepeated = items.some(({ runs }) => runs > 1);
  return {
    name: 'compared',
    caption: `Figures${isRepeated ? '; of several seeds their mean ± half of its 95 % interval' : ''}`,
    columns: [{ name: 'run' }, ...figures.map(({ short: name }) => ({ name }))],
    rows: items.map(({ name, means }): Cell[] =>
      [name, ...figures.map((figure) => withInterval(means[figure.name] ?? null, figure.digits))]),
  };
}

/** No table where no run has two seeds in common with the first. */
function differencesTables(
  [base, ...others]: readonly Named[], differing: readonly (readonly FigureDifference[])[],
): ShownTable[] {
  if (!differing.flat().some(({ seeds }) => seeds > 1)) return [];
  return [{
    name: 'differences',
    caption: `Difference from ${base.name}, seed by seed, ± half of its 95 % interval; * beyond the noise of seeds`,
    columns: [{ name: 'run' }, ...figures.map(({ short: name }) => ({ name }))],
    rows: others.map(({ name }, i): Cell[] => [name, ...figures.map((figure) => {
      const match = differing[i].find((difference) => difference.figure === figure && difference.seeds > 1);
      return match ? `${signed(match.difference, figure.digits)}${match.verdict === 'beyond noise' ? ' *' : ''}` : null;
    })]),
  }];
}
