import { decimalText } from '../../../base/index.ts';
import { horizonsInWords, isBeyondNoise, limitsInWords, type Interval } from '../../../core/measure/index.ts';
import type { Shown, ShownTable } from '../../../views/report/index.ts';
import {
  areTied, compared, contenders, grouped, overSettings, ranked, type Analysis, type Combination,
} from '../analysis.ts';
import { figure, type Cell, type Figure } from '../figures.ts';

/** Up to this many settings are shown side by side; of more, only their means. */
const maxSettingsAside = 4;

/** Which value gathers PageRank fastest, per page and per second, and at what cost: the report starts with this. */
export function answerShown(analysis: Analysis): Shown {
  const { subject, settings, time } = analysis;
  const remarks = [fixedLimits(analysis), limitOfBest(analysis), horizons(analysis)]
    .filter((text) => text !== undefined);
  if (subject === undefined)
    return {
      paragraphs: ['Only the seed varies: the table shows the means over the runs.', ...remarks],
      tables: [onlyTable(analysis)], charts: [],
    };
  const area = figure('pagerankArea');
  return {
    paragraphs: [
      [fastest(analysis, area, 'Per page'), fastest(analysis, time, 'Per second')].join(' '),
      [cost(analysis), oracleRemark(analysis)].filter((text) => text !== '').join(' '),
      ...remarks,
    ],
    tables: [...(settings.length > 1 ? [winnersTable(analysis)] : []), subjectsTable(analysis)],
    charts: [],
  };
}

/** With fixed values another policy may win than by the rules that runs follow by default. */
function fixedLimits({ fixed: { superstepLimit, pending } }: Analysis): string | undefined {
  const values = [
    ...(superstepLimit === undefined ? [] : [`R_x (superstepLimit) at ${superstepLimit}`]),
    ...(pending === undefined ? [] : [`the target of pending jobs (pending) at ${fixed(pending, 0)}`]),
  ];
  if (values.length === 0) return undefined;
  return `All runs fix ${listed(values)}: by the default rules, which follow the crawl, others may come first.`;
}

/** What limits the run with the best area: that of the first seed. */
function limitOfBest({ combinations }: Analysis): string | undefined {
  const first = firstOf(contenders(combinations), figure('pagerankArea'));
  if (first.length === 0) return undefined;
  const [best] = first;
  const [{ seed, summary: { limits } }] = best.outcomes;
  const name = [best.subject, best.setting, `seed ${seed}`].filter((text) => text !== '').join(', ');
  const which = first.length === 1 ? 'The run with the best area' : 'One of the runs that tie for the best area';
  const words = limitsInWords(limits).replace(/^This crawl/, 'it');
  return `${which} (${name}): ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

function horizons({ combinations }: Analysis): string | undefined {
  return horizonsInWords(combinations.flatMap(({ outcomes }) =>
    outcomes.map(({ summary: { quality } }) => quality.horizonPages)));
}

function contendersIn({ combinations }: Analysis, setting: string): Combination[] {
  return contenders(combinations.filter((one) => one.setting === setting));
}

interface Win {
  readonly setting: string;
  /** The names of all that tie for first. */
  readonly name: string;
  /** Best first. */
  readonly first: readonly Combination[];
  /** The best of the others. */
  readonly second: Combination | undefined;
}

function wins(analysis: Analysis, one: Figure): Win[] {
  return analysis.settings.flatMap((setting) => {
    const members = contendersIn(analysis, setting);
    const first = firstOf(members, one);
    return first.length === 0
      ? []
      : [{
          setting, name: together(first), first, second: ranked(members, one).find((other) => !first.includes(other)),
        }];
  });
}

/** "Per page, opic gathers PageRank fastest in all 3 settings: ..." */
function fastest(analysis: Analysis, one: Figure, how: string): string {
  const won = wins(analysis, one);
  if (won.length === 0) return `${how}: no run got far enough to compare.`;
  if (won.every(({ first, second }) => first.length > 1 && second === undefined))
    return `${how}, none is faster than another${areAllEqual(won, one) ? '' : ', beyond the noise of the seeds'}.`;
  const byWinner = grouped(won, (win) => win.name);
  const [[, most], ...others] = [...byWinner].sort(([, a], [, b]) => b.length - a.length);
  const name = bestFirst(most);
  const where =
    won.length === 1
      ? ''
      : most.length === won.length
        ? (won.length === 2 ? ' in both settings' : ` in all ${won.length} settings`)
        : ` in ${most.length} of ${won.length} settings`;
  const means = most.flatMap(({ first }) => first.map((winner) => winner.means[one.name]!.mean));
  const rest = others.map(([, theirs]) => `${bestFirst(theirs)} with ${listed(theirs.map(({ setting }) => setting))}`);
  return (
    `${how}, ${name} ${/, | and /.test(name) ? 'gather' : 'gathers'} PageRank fastest${where}: ${meaning(one, span(means, one.digits))}${lead(most, one)}` +
    `${rest.length === 0 ? '' : `; elsewhere ${rest.join(', ')}`}.`
  );
}

/** But for rounding errors. */
function areAllEqual(won: readonly Win[], { name }: Figure): boolean {
  return won.every(({ first }) => {
    const means = first.map((member) => member.means[name]!.mean);
    return Math.max(...means) - Math.min(...means) <= 1e-9 * Math.max(...means.map(Math.abs));
  });
}

function meaning({ name, title }: Figure, values: string): string {
  return {
    rankGathered: `the share of the rank gathered is ${values}`,
    pagerankArea: `the area is ${values}`,
    secondsToHalf: `half of the rank is gathered after ${values} s`,
    secondsToMost: `90 % is gathered after ${values} s`,
    secondsToShare: `${title.replace(', s', '')} ${values} s`,
    virtualSeconds: `the crawl takes ${values} s`,
    pairsPerPage: `${values} pairs per page`,
    balancePages: `balance ${values}`,
  }[name];
}

/** How far the second is behind, and whether the seeds leave that open. */
function lead(most: readonly Win[], one: Figure): string {
  const seconds = most.flatMap(({ second }) => (second === undefined ? [] : [second.subject]));
  if (seconds.length === 0) return '';
  const behind = most.flatMap(({ first: [winner], second }) =>
    second === undefined ? [] : [Math.abs(second.means[one.name]!.mean - winner.means[one.name]!.mean)],
  );
  const unclear = most.filter(({ first, second }) => second !== undefined && isOpen(first[0], second, one)).length;
  const [next] = [...new Set(seconds)];
  const names = new Set(seconds).size === 1 ? `${next}, the second,` : 'the second';
  const doubt =
    unclear === 0
      ? ''
      : unclear === most.length
        ? ', which the seeds leave open'
        : `, which the seeds leave open in ${unclear} of them`;
  return ` (${names} is behind by ${span(behind, one.digits)}${one.title.endsWith(', s') ? ' s' : ''}${doubt})`;
}

/** Whether the seeds, one by one, do not show which is better. */
function isOpen(winner: Combination, second: Combination, one: Figure): boolean {
  // One seed gives no interval, so no certainty.
  return !compared(winner, [second], one).some(({ difference }) => isBeyondNoise(difference));
}

/** What the fastest per second costs, beside the cheapest. */
function cost(analysis: Analysis): string {
  const won = wins(analysis, analysis.time)
    .flatMap(({ first }) => first)
    .filter(({ means }) => means.pairsPerPage !== null && means.virtualSeconds !== null);
  if (won.length === 0) return '';
  const [pairs, whole] = [figure('pairsPerPage'), figure('virtualSeconds')];
  const of = (one: Figure): string => span(won.map(({ means }) => means[one.name]!.mean), one.digits);
  const dearest = Math.max(...won.map(({ means }) => means.pairsPerPage!.mean));
  const cheapest = analysis.settings.map((setting) => firstOf(contendersIn(analysis, setting), pairs))
    .filter((first) => first.length > 0 && first[0].means.pairsPerPage!.mean > 0);
  const least =
    cheapest.length === 0 || dearest === 0
      ? ''
      : ` The fewest pairs per page are sent by ${listed([...new Set(cheapest.map(together))])}: ${span(
          cheapest.flat().map(({ means }) => means.pairsPerPage!.mean),
          pairs.digits,
        )}.`;
  return `The fastest per second sends ${of(pairs)} combined pairs per page; its whole crawl takes ${of(whole)} s of virtual time.${least}`;
}

function oracleRemark({ combinations }: Analysis): string {
  const oracles = combinations.filter(({ isOracle }) => isOracle);
  const names = [...new Set(oracles.map((one) => one.subject))];
  if (names.length === 0) return '';
  const areas = oracles.flatMap(({ means }) => (means.pagerankArea === null ? [] : [means.pagerankArea.mean]));
  return `Not counted: ${listed(names)}, with ranks that no crawler knows beforehand; area ${span(areas, 3)}.`;
}

/** The best, and those that tie with it, best first. */
function firstOf(members: readonly Combination[], one: Figure): Combination[] {
  const order = ranked(members, one);
  return order.filter((other, i) => i === 0 || areTied(order[0], other, one));
}

/** More ties are counted, not named. */
const maxTied = 3;

/** In the order of their names, since a tie has no first. */
/** The names of one group of wins, in the order of its first. */
function bestFirst([{ first }]: readonly Win[]): string {
  return shortList(first.map(({ subject }) => subject));
}

/** The same for the same members, whatever their order. */
function together(members: readonly Combination[]): string {
  return shortList(members.map(({ subject }) => subject).sort());
}

function shortList(names: readonly string[]): string {
  return names.length <= maxTied ? listed(names)
    : `${names.slice(0, maxTied - 1).join(', ')} and ${names.length - maxTied + 1} more`;
}

const winnerTitles: Readonly<Partial<Record<string, string>>> = {
  pagerankArea: 'per page (PageRank area)', secondsToHalf: 'per second (50 % of the rank after, s)',
};

/** One row per setting: which value is first in each figure. */
function winnersTable(analysis: Analysis): ShownTable {
  const judged = [figure('pagerankArea'), analysis.time, figure('virtualSeconds'), figure('pairsPerPage')].filter(
    (one, i, all) => all.indexOf(one) === i,
  );
  return {
    name: 'winners', caption: `First in each figure, with all that are within the noise of it${analysis.subject?.name === 'policy' ? '; excluding policies that know the ranks beforehand' : ''}`,
    columns: [{ name: 'setting' }, ...judged.map(({ name, title }) => ({
      name: winnerTitles[name] ?? title,
    }))],
    rows: analysis.settings.map((setting): Cell[] => [setting, ...judged.map((one) => {
      const first = firstOf(contendersIn(analysis, setting), one);
      return first.length === 0
        ? null
        : `${shortList(first.map(({ subject }) => subject))} ${first.length === 1 ? withInterval(first[0].means[one.name], one.digits) ?? ''
          : span(first.map(({ means }) => means[one.name]!.mean), one.digits)}`;
    })]),
  };
}

/**
 * Each value of the compared axis, best area first: one column per figure and setting, or the means over very many
 * settings.
 */
function subjectsTable(analysis: Analysis): ShownTable {
  const { subject, settings, time, figures } = analysis;
  const shown = [figure('pagerankArea'), time, figure('pairsPerPage')];
  const sorted = subjectsByArea(analysis);
  if (settings.length <= maxSettingsAside) {
    const { heading, names } = shortSettings(analysis);
    return {
      name: 'compared',
      caption: `Mean over the seeds ± half of its 95 % interval; best area first${heading === '' ? '' : `. After the dot: ${heading}`}`,
      columns: [
        { name: subject!.name },
        ...shown.flatMap(({ short }) => names.map((name) => ({ name: name === '' ? short : `${short} · ${name}` }))),
      ],
      rows: sorted.map(([name, members]): Cell[] => [
        name, ...shown.flatMap((one) => settings.map((setting) => cellOf(members, setting, one))),
      ]),
    };
  }
  const means = [...shown, ...figures.filter((one) => !shown.includes(one) && one.name !== 'secondsToHalf')];
  return {
    name: 'compared',
    caption: `Means over all ${settings.length} settings ± half of the 95 % interval over the seeds; best area first`,
    columns: [{ name: subject!.name }, ...means.map(({ short }) => ({ name: short }))],
    rows: sorted.map(([name, members]): Cell[] => [
      name, ...means.map((one) => withInterval(overSettings(members, one), one.digits)),
    ]),
  };
}

/** The same for a narrow terminal: one section per figure. */
export function narrowTable(analysis: Analysis): ShownTable {
  const { subject, settings, time } = analysis;
  if (subject === undefined || settings.length > maxSettingsAside) return answerShown(analysis).tables.at(-1)!;
  return {
    name: 'compared',
    caption: 'Mean over the seeds ± half of its 95 % interval; best area first',
    sections: 1,
    columns: [{ name: 'figure' }, { name: subject.name }, ...settings.map((setting) => ({ name: setting }))],
    rows: [figure('pagerankArea'), time, figure('pairsPerPage')].flatMap((one) =>
      subjectsByArea(analysis).map(([name, members]): Cell[] => [
        one.title, name, ...settings.map((setting) => cellOf(members, setting, one)),
      ]),
    ),
  };
}

function subjectsByArea({ combinations }: Analysis): [name: string, members: Combination[]][] {
  const area = (members: readonly Combination[]): number => overSettings(members, figure('pagerankArea'))?.mean ?? -1;
  return [...grouped(combinations, (one) => one.subject)].sort(([, a], [, b]) => area(b) - area(a));
}

function cellOf(members: readonly Combination[], setting: string, { name, digits }: Figure): Cell {
  return withInterval(members.find((member) => member.setting === setting)?.means[name] ?? null, digits);
}

/** "processors 1", "processors 4" as a heading and 1, 4; unchanged if they have no name in common. */
function shortSettings({ settings }: Analysis): { heading: string; names: readonly string[] } {
  const [heading] = settings[0].split(' ');
  const isCommon =
    settings.length > 1 && settings.every((setting) => setting.startsWith(`${heading} `) && !setting.includes(', '));
  return isCommon
    ? { heading, names: settings.map((setting) => setting.slice(heading.length + 1)) }
    : { heading: '', names: settings };
}

function onlyTable({ combinations, figures }: Analysis): ShownTable {
  return {
    name: 'compared',
    caption: 'Mean over the seeds ± half of its 95 % interval',
    columns: [{ name: 'runs' }, ...figures.map(({ title }) => ({ name: title }))],
    rows: combinations.map(({ outcomes, means }): Cell[] => [
      outcomes.length, ...figures.map(({ name, digits }) => withInterval(means[name], digits)),
    ]),
  };
}

/** "0.8123 ± 0.0004"; only the mean if one run gives no interval; null if a run never got that far. */
export function withInterval(value: Interval | null, digits: number): string | null {
  if (value === null) return null;
  const { mean, high } = value;
  return high === null ? fixed(mean, digits) : `${fixed(mean, digits)} ± ${fixed(high - mean, digits, mean)}`;
}

/** With thousands grouped and `digits` decimals, but without tenths where `like` is 100 or more. */
export function fixed(value: number, digits: number, like = value): string {
  const shown = digits === 1 && Math.abs(like) >= 100 ? 0 : digits;
  return decimalText(value, shown);
}

/** "0.81 to 0.86", or the value if all are equal. */
export function span(values: readonly number[], digits: number): string {
  const [low, high] = [fixed(Math.min(...values), digits), fixed(Math.max(...values), digits)];
  return low === high ? low : `${low} to ${high}`;
}

/** "a, b and c". */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
}
