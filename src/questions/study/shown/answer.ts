import { decimalText } from '../../../base/index.ts';
import { horizonsInWords, isBeyondNoise, limitsInWords, type Interval } from '../../../core/measure/index.ts';
import type { Shown, ShownTable } from '../../../views/report/index.ts';
import {
  areTied, compared, contenders, differenceOverSettings, grouped, overSettings, ranked, type Analysis, type Combination,
} from '../analysis.ts';
import { figure, type Cell, type Figure } from '../figures.ts';

/** Up to this many settings are shown side by side; of more, only their means. */
const maxSettingsAside = 4;
/** More ties are counted, not named. */
const maxTied = 3;
/** Winners of more settings are counted; the table has them all. */
const maxWinners = 3;

const area = figure('pagerankArea');
const pairs = figure('pairsPerPage');

/** Which value gathers PageRank fastest, per page and per second, and at what cost: the report starts with this. */
export function answerShown(analysis: Analysis): Shown {
  const { subject, settings, time } = analysis;
  const remarks = [fixedLimits(analysis), limitOfBest(analysis), horizons(analysis)].filter((text) => text !== '');
  if (subject === undefined)
    return {
      paragraphs: ['Only the seed varies: the table shows the means over the runs.', ...remarks],
      tables: [onlyTable(analysis)], charts: [],
    };
  return {
    paragraphs: [
      [
        fastest(analysis, area, 'Per page'), fastest(analysis, time, 'Per second'), ...addedPolicies(analysis),
      ].join(' '),
      [...cost(analysis), oracleRemark(analysis)].filter((text) => text !== '').join(' '),
      ...remarks,
    ],
    tables: [...(settings.length > 1 ? [winnersTable(analysis)] : []), subjectsTable(analysis)],
    charts: [],
  };
}

/** With fixed values another policy may win than by the rules that runs follow by default. */
function fixedLimits({ fixed: { superstepLimit, pending } }: Analysis): string {
  const values = [
    ...(superstepLimit === undefined ? [] : [`R_x (superstepLimit) at ${superstepLimit}`]),
    ...(pending === undefined ? [] : [`the target of pending jobs (pending) at ${fixed(pending, 0)}`]),
  ];
  return values.length === 0 ? ''
    : `All runs fix ${listed(values)}. By the default rules, which follow the crawl, others may come first.`;
}

/** What limits the run with the best area, for its first seed. */
function limitOfBest({ combinations }: Analysis): string {
  const first = firstOf(contenders(combinations), area);
  if (first.length === 0) return '';
  const [best] = first;
  const [{ seed, summary: { limits } }] = best.outcomes;
  const name = [best.subject, best.setting, `seed ${seed}`].filter((text) => text !== '').join(', ');
  const which = first.length === 1 ? 'The run with the best area' : 'One of the runs that tie for the best area';
  const words = limitsInWords(limits).replace(/^This crawl/, 'it');
  return `${which} (${name}): ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

function horizons({ combinations }: Analysis): string {
  return horizonsInWords(combinations.flatMap(({ outcomes }) =>
    outcomes.map(({ summary: { quality } }) => quality.horizonPages))) ?? '';
}

function contendersIn({ combinations }: Analysis, setting: string): Combination[] {
  return contenders(combinations.filter((member) => member.setting === setting));
}

interface Win {
  readonly setting: string;
  /** The best and all that tie with it, best first; and the best of the others. */
  readonly first: readonly Combination[];
  readonly second: Combination | undefined;
}

function wins(analysis: Analysis, by: Figure): Win[] {
  return analysis.settings.flatMap((setting) => {
    const members = contendersIn(analysis, setting);
    const first = firstOf(members, by);
    return first.length === 0 ? []
      : [{ setting, first, second: ranked(members, by).find((member) => !first.includes(member)) }];
  });
}

/** "Per page, opic gathers PageRank fastest in all 3 settings. The area is ..." */
function fastest(analysis: Analysis, by: Figure, how: string): string {
  const won = wins(analysis, by);
  if (won.length === 0) return `${how}, no run got far enough to compare.`;
  if (won.every(({ first, second }) => first.length > 1 && second === undefined))
    return `${how}, none is faster than another${areAllEqual(won, by) ? '' : ', beyond the noise of the seeds'}.`;
  const [most] = [...grouped(won, ({ first }) => together(first)).values()].sort((a, b) => b.length - a.length);
  const others = won.filter((win) => !most.includes(win));
  if (others.length > 0 && most.length === 1)
    return `${how}, each of ${won.length} settings has another winner: ${winnersOf(won)}.`;
  const [{ first }] = most;
  const where = won.length === 1 ? ''
    : others.length > 0 ? ` in ${most.length} of ${won.length} settings`
      : won.length === 2 ? ' in both settings' : ` in all ${won.length} settings`;
  const means = most.flatMap((win) => win.first.map((winner) => winner.means[by.name]!.mean));
  return [
    `${how}, ${namesOf(first)} ${first.length > 1 ? 'gather' : 'gathers'} PageRank fastest${where}.`,
    `${meaning(by)} ${span(means, by.digits)}${unitOf(by)}.`,
    ...lead(most, by),
    ...(others.length === 0 ? [] : [`Elsewhere: ${winnersOf(others)}.`]),
  ].join(' ');
}

/** "opic with processors 1, random with processors 4 and 2 more". */
function winnersOf(won: readonly Win[]): string {
  const rest = won.length - maxWinners;
  return listed([
    ...won.slice(0, maxWinners).map(({ setting, first }) => `${namesOf(first)} with ${setting}`),
    ...(rest > 0 ? [`${rest} more`] : []),
  ]);
}

/** Rounding errors do not count. */
function areAllEqual(won: readonly Win[], { name }: Figure): boolean {
  return won.every(({ first }) => {
    const means = first.map((member) => member.means[name]!.mean);
    return Math.max(...means) - Math.min(...means) <= 1e-9 * Math.max(...means.map(Math.abs));
  });
}

/** What a value of the area, or of the figure used for time, says. */
function meaning({ name, title }: Figure): string {
  if (name === 'pagerankArea') return 'The area is';
  if (name === 'virtualSeconds') return 'The crawl takes';
  return `${name === 'secondsToHalf' ? 'Half' : title.split(' of')[0]} of the rank is gathered after`;
}

function unitOf({ title }: Figure): string {
  return title.endsWith(', s') ? ' s' : '';
}

/** How far the second is behind, and whether the seeds leave that open. */
function lead(most: readonly Win[], by: Figure): string[] {
  const behind = most.flatMap(({ first: [winner], second }) => (second === undefined ? [] : [{
    name: second.subject, by: Math.abs(second.means[by.name]!.mean - winner.means[by.name]!.mean),
    // One seed gives no interval, so no certainty.
    isOpen: !compared(winner, [second], by).some(({ difference }) => isBeyondNoise(difference)),
  }]));
  if (behind.length === 0) return [];
  const open = behind.filter(({ isOpen }) => isOpen).length;
  const names = new Set(behind.map(({ name }) => name));
  return [
    `${names.size === 1 ? `${behind[0].name} is second,` : 'The second is'} behind by ${span(behind.map((lag) => lag.by), by.digits)}${unitOf(by)}.`,
    ...(open === 0 ? [] : [`The seeds leave that open${open === most.length ? '' : ` in ${open} of them`}.`]),
  ];
}

/** How each policy of the user compares with the best shipped one, over the settings of both. */
function addedPolicies(analysis: Analysis): string[] {
  const policies = subjectsByArea(analysis).filter(([, [{ isOracle }]]) => !isOracle);
  const best = policies.find(([, [{ isAdded }]]) => !isAdded);
  if (best === undefined) return [];
  const shipped = `${best[0]}, the best shipped policy,`;
  return policies.filter(([, [{ isAdded }]]) => isAdded).flatMap(([name, members]) => {
    const difference = differenceOverSettings(best[1], members, area);
    if (difference === undefined) return [];
    const { mean, low, high } = difference;
    const [side, sign] = mean < 0 ? ['behind', -1] : ['ahead of', 1];
    const bounds = [low, high].flatMap((bound) => (bound === null ? [] : [sign * bound])).sort((a, b) => a - b);
    const interval = bounds.map((bound) => fixed(bound, area.digits)).join(' to ');
    const average = members.length > 1 ? `, averaged over ${members.length} settings` : '';
    const doubt = interval === '' ? '; one seed gives no interval'
      : isBeyondNoise(difference) ? '' : ', which the seeds leave open';
    return [
      `${name} is ${side} ${shipped} by ${fixed(sign * mean, area.digits)} of area` +
        `${interval === '' ? '' : ` (95 % interval ${interval})`}${average}${doubt}.`,
    ];
  });
}

/** What the fastest per second costs, beside the cheapest. */
function cost(analysis: Analysis): string[] {
  const won = wins(analysis, analysis.time)
    .flatMap(({ first }) => first)
    .filter(({ means }) => means.pairsPerPage !== null && means.virtualSeconds !== null);
  if (won.length === 0) return [];
  const spanOf = (members: readonly Combination[], { name, digits }: Figure): string =>
    span(members.map(({ means }) => means[name]!.mean), digits);
  const cheapest = analysis.settings.map((setting) => firstOf(contendersIn(analysis, setting), pairs))
    .filter((first) => first.length > 0 && first[0].means.pairsPerPage!.mean > 0);
  const isFree = won.every(({ means }) => means.pairsPerPage!.mean === 0);
  return [
    `The fastest per second sends ${spanOf(won, pairs)} combined pairs per page.`,
    `Its whole crawl takes ${spanOf(won, figure('virtualSeconds'))} s of virtual time.`,
    ...(cheapest.length === 0 || isFree ? [] : [
      `The fewest pairs per page are sent by ${listed([...new Set(cheapest.map(together))])}: ${spanOf(cheapest.flat(), pairs)}.`,
    ]),
  ];
}

function oracleRemark({ combinations }: Analysis): string {
  const oracles = combinations.filter(({ isOracle }) => isOracle);
  const names = [...new Set(oracles.map(({ subject }) => subject))];
  if (names.length === 0) return '';
  const areas = oracles.flatMap(({ means }) => (means.pagerankArea === null ? [] : [means.pagerankArea.mean]));
  return `Not counted: ${listed(names)}, with ranks that no crawler knows beforehand; area ${span(areas, 3)}.`;
}

/** The best, and those that tie with it, best first. */
function firstOf(members: readonly Combination[], by: Figure): Combination[] {
  const order = ranked(members, by);
  return order.filter((member, i) => i === 0 || areTied(order[0], member, by));
}

/** Names in the order of `members`. */
function namesOf(members: readonly Combination[]): string {
  return shortList(members.map(({ subject }) => subject));
}

/** The same text for the same members, whatever their order: a tie has no first. */
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
  const judged = [...new Set([area, analysis.time, figure('virtualSeconds'), pairs])];
  return {
    name: 'winners', caption: `First in each figure, with all that are within the noise of it${analysis.subject?.name === 'policy' ? '; excluding policies that know the ranks beforehand' : ''}`,
    columns: [{ name: 'setting' }, ...judged.map(({ name, title }) => ({ name: winnerTitles[name] ?? title }))],
    rows: analysis.settings.map((setting): Cell[] => [setting, ...judged.map((by) => {
      const first = firstOf(contendersIn(analysis, setting), by);
      if (first.length === 0) return null;
      const means = first.map((member) => member.means[by.name]!);
      const values = means.length === 1 ? withInterval(means[0], by.digits)
        : span(means.map(({ mean }) => mean), by.digits);
      return `${namesOf(first)} ${values}`;
    })]),
  };
}

/**
 * Each value of the compared axis, best area first: one column per figure and setting, or the means over very many
 * settings.
 */
function subjectsTable(analysis: Analysis): ShownTable {
  const { subject, settings, time, figures } = analysis;
  const main = [area, time, pairs];
  const sorted = subjectsByArea(analysis);
  if (settings.length <= maxSettingsAside) {
    const { heading, names } = shortSettings(analysis);
    return {
      name: 'compared',
      caption: `Mean over the seeds ± half of its 95 % interval; best area first${heading === '' ? '' : `. After the dot: ${heading}`}`,
      columns: [
        { name: subject!.name },
        ...main.flatMap(({ short }) => names.map((name) => ({ name: name === '' ? short : `${short} · ${name}` }))),
      ],
      rows: sorted.map(([name, members]): Cell[] => [
        name, ...main.flatMap((by) => settings.map((setting) => cellOf(members, setting, by))),
      ]),
    };
  }
  const means = [...main, ...figures.filter((by) => !main.includes(by) && by.name !== 'secondsToHalf')];
  return {
    name: 'compared',
    caption: `Means over all ${settings.length} settings ± half of the 95 % interval over the seeds; best area first`,
    columns: [{ name: subject!.name }, ...means.map(({ short }) => ({ name: short }))],
    rows: sorted.map(([name, members]): Cell[] => [
      name, ...means.map((by) => withInterval(overSettings(members, by), by.digits)),
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
    rows: [area, time, pairs].flatMap((by) =>
      subjectsByArea(analysis).map(([name, members]): Cell[] => [
        by.title, name, ...settings.map((setting) => cellOf(members, setting, by)),
      ]),
    ),
  };
}

function subjectsByArea({ combinations }: Analysis): [name: string, members: Combination[]][] {
  const areaOf = (members: readonly Combination[]): number => overSettings(members, area)?.mean ?? -1;
  return [...grouped(combinations, ({ subject }) => subject)].sort(([, a], [, b]) => areaOf(b) - areaOf(a));
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
  return decimalText(value, digits === 1 && Math.abs(like) >= 100 ? 0 : digits);
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
