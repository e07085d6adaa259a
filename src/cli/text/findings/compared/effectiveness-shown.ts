import { listed, type Cell } from '../../../../questions/study/index.ts';
import { minSeeds, type RunsEffectiveness } from '../../../../questions/compare/index.ts';
import type { Chart, Shown, ShownPart, ShownTable } from '../../../../views/report/index.ts';
import {
  judgedShares, measureNames, type QuerySetName, type SetFigures,
} from '../../../../search/judge/index.ts';
import { counted, decimal, grouped } from '../../figures.ts';

const setNames: Readonly<Record<QuerySetName, string>> = {
  uniform: 'texts of links, targets drawn evenly',
  byLinks: 'texts of links, targets drawn by their in-links',
  titles: 'titles, searched without titles',
  ambiguous: 'texts of links to several pages',
};

const soughtNames: Readonly<Record<QuerySetName, string>> = {
  uniform: 'texts of links to any page',
  byLinks: 'texts of links to pages with many links',
  titles: 'titles',
  ambiguous: 'texts of links to several pages',
};

/** Shares at which differences are shown with their intervals; compare.json has all. */
const differenceShares = [0.01, 0.1, 0.5];
/** Share of the pages after which the best run is named first. */
const BEST_SHARE = 0.1;
/** Policies named in a tie. */
const MAX_NAMED = 3;
/** Two orders agree or disagree entirely. */
const leastForAgreement = 3;

const shareName = (share: number): string => `${100 * share} %`;

/** One figure per set is shown; the other measures are in compare.json. */
const isShown = ({ measure }: SetFigures): boolean => measure === 'reciprocalRank' || measure === 'ndcgAt10';

/**
 * How well searchers are served after part of the pages, for people.
 * @param lead sentences to begin with.
 */
export function searchersPart(
  effectiveness: RunsEffectiveness, index = '', lead: readonly string[] = [],
): ShownPart {
  const content = effectivenessShown(effectiveness, index);
  return {
    name: 'searchers', title: 'How well searchers are served',
    shown: { ...content, paragraphs: [...lead, ...content.paragraphs] },
  };
}

/** Which policy serves searchers best; nothing where there is only one. */
export function bestServed({ sets, gathered, oracles }: RunsEffectiveness): string[] {
  return gathered.length === 1 ? [] : [bestInWords(sets.filter(isShown), oracles)];
}

function effectivenessShown(judged: RunsEffectiveness, index: string): Shown {
  const sets = judged.sets.filter(isShown);
  const [first, ...others] = judged.gathered.map(({ policy }) => policy);
  return {
    paragraphs: [
      `${index} has ${counted(judged.pages, 'page')} with ${counted(judged.documents, 'text')}. ` +
        'What is searched for is what links and titles call a page; texts of links that are searched for are removed from the index. After ' +
        'each share of the pages, a search by ' +
        `${judged.ranking} sees these pages and the links on them, with the PageRank of ` +
        `${judged.hasOwnRanks ? 'these pages alone' : 'the full crawl'}. 100 % is ` +
        `${counted(judged.horizonPages, 'page')}, as many as the shortest run fetched.`,
      'MRR@10 is the mean of 1 / rank of the page sought, 0 beyond the first ten; NDCG@10 weighs several pages by ' +
        'how many links use that text. Intervals are 95 % by bootstrap over queries and seeds.',
      ...fewSeedsInWords(judged).map((text) => `Caution: ${text}.`),
    ],
    tables: [
      ...(others.length === 0 ? [] : [bestTable(sets)]),
      curvesTable(sets),
      ...(others.length === 0 ? [] : [differencesTable(sets, first)]),
      ...(others.length + 1 < leastForAgreement ? [] : [agreementTable(sets)]),
    ],
    charts: [...sets.map(curvesChart), gatheredChart(judged)],
    notes: [
      leftOutInWords(judged),
      `Queries are drawn by seed ${judged.queries.seed}, at most ${grouped(judged.queries.maxQueries)} for each set; ` +
        'half of them are used to judge.',
    ],
  };
}

/** Policies that draw at random and have too few seeds. */
export function fewSeedsInWords({ fewSeeds }: RunsEffectiveness): string[] {
  return fewSeeds.map(({ policy, seeds }) =>
    `${policy} draws at random and is judged over ${counted(seeds, 'seed')}; ${minSeeds} or more show how much its ` +
    'figures vary');
}

function leftOutInWords({ leftOut }: RunsEffectiveness): string {
  return `Left out as queries: ${grouped(leftOut.urls)} texts of links that are URLs, ` +
    `${grouped(leftOut.stopWords)} of stop words alone, ${grouped(leftOut.long)} that are too long, ` +
    `${grouped(leftOut.navigation)} of navigation (on more than 5 % of the pages of a host), and ${counted(leftOut.titles, 'title')} that are missing, too long, stop words alone or shared by several documents. ` +
    `${grouped(leftOut.severalTargets)} texts lead to several pages.`;
}

const bestPrefix = (judgedShares as readonly number[]).indexOf(BEST_SHARE);

function bestInWords(sets: readonly SetFigures[], oracles: readonly string[]): string {
  const start = `After ${shareName(BEST_SHARE)} of the pages, searchers are served best`;
  const setsOf = soughtBy(sets, (set) => namedShortly(tiedIn(set)));
  const best = setsOf.size === 1 ? ` under ${[...setsOf.keys()][0]}, whatever is looked for.` :
    `: ${[...setsOf].map(([policies, names]) => `under ${policies} for ${listed(names)}`).join('; ')}.`;
  const areTied = sets.some((set) => tiedIn(set).length > 1);
  return [
    start + best,
    areTied ? 'Those named together are within the noise of the best, at 95 % confidence.' :
      'No other policy does as well, at 95 % confidence.',
    // If all of them are, they are all that is counted.
    ...(oracles.length === sets[0].policies.length ? [] : oracles)
      .map((policy) => `${policy} is not counted: it knows the ranks beforehand.`),
  ].join(' ');
}

/** The best, and all that may do as well; by name, since none of them comes first. */
function tiedIn({ best }: SetFigures): string[] {
  const { policy, rivals } = best[bestPrefix];
  return [policy, ...rivals].sort();
}

function namedShortly(policies: readonly string[]): string {
  return policies.length <= MAX_NAMED ? listed(policies) :
    listed([...policies.slice(0, MAX_NAMED - 1), counted(policies.length - MAX_NAMED + 1, 'other')]);
}

/** Query sets in words, by a property that they share. */
function soughtBy(sets: readonly SetFigures[], keyOf: (set: SetFigures) => string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const set of sets) names.set(keyOf(set), [...names.get(keyOf(set)) ?? [], soughtNames[set.set]]);
  return names;
}

function bestTable(sets: readonly SetFigures[]): ShownTable {
  return {
    name: 'effectiveness-best', caption: `Served best after ${shareName(BEST_SHARE)} of the pages`,
    columns: [
      { name: 'measure' }, { name: 'runs within the noise' },
      ...['highest figure', 'from', 'to'].map((name) => ({ name, digits: 3 })),
    ],
    rows: sets.map((set): Cell[] => {
      const { policy } = set.best[bestPrefix];
      const { mean, low, high } = set.policies.find((entry) => entry.policy === policy)!.points[bestPrefix];
      return [nameOf(set), listed(tiedIn(set)), mean, low, high];
    }),
  };
}

const nameOf = ({ set, measure, queries }: SetFigures): string =>
  `${measureNames[measure]}, ${setNames[set]} (${counted(queries, 'query', 'queries')})`;

function curvesTable(sets: readonly SetFigures[]): ShownTable {
  return {
    name: 'effectiveness', caption: 'After shares of the pages', sections: 1,
    columns: [
      { name: 'measure' }, { name: 'run' }, ...judgedShares.map((share) => ({ name: shareName(share), digits: 3 })),
    ],
    rows: sets.flatMap((set) =>
      set.policies.map(({ policy, points }): Cell[] => [nameOf(set), policy, ...points.map(({ mean }) => mean)])),
  };
}

function differencesTable(sets: readonly SetFigures[], first: string): ShownTable {
  const at = differenceShares.map((share) => (judgedShares as readonly number[]).indexOf(share));
  return {
    name: 'effectiveness-differences', caption: `Difference from ${first}, query by query, with its 95 % interval`,
    sections: 1,
    columns: [{ name: 'measure' }, { name: 'run' }, ...differenceShares.map((share) => ({ name: shareName(share) }))],
    rows: sets.flatMap((set) => set.differences.map(({ policy, points }): Cell[] => [
      nameOf(set), policy,
      ...at.map((i) => `${signed(points[i].mean)} (${signed(points[i].low)} to ${signed(points[i].high)})`),
    ])),
  };
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${decimal(value, 3)}`;
}

function agreementTable(sets: readonly SetFigures[]): ShownTable {
  return {
    name: 'effectiveness-agreement',
    caption: "Whether runs that gather more PageRank serve searchers better: Kendall's tau-b over the runs (1: the " +
      'same order, 0: unrelated), with its 95 % interval',
    sections: 1,
    columns: [
      { name: 'measure' }, { name: 'pages' }, ...['tau-b', 'from', 'to'].map((name) => ({ name, digits: 2 })),
    ],
    rows: sets.flatMap((set) => set.agreement.map((at, i): Cell[] => [
      nameOf(set), shareName(judgedShares[i]), at && at.mean, at && at.low, at && at.high,
    ])),
  };
}

const percents = judgedShares.map((share) => 100 * share);
const x = { label: 'pages fetched, %', scale: 'log' } as const;

function curvesChart(set: SetFigures): Chart {
  return {
    title: nameOf(set), isSynthetic: false, x, y: { label: measureNames[set.measure], scale: 'linear' },
    series: set.policies.map(({ policy, points }) => ({
      name: policy, points: points.map(({ mean, low, high }, i) => ({ x: percents[i], y: mean, band: [low, high] })),
    })),
  };
}

function gatheredChart({ gathered }: RunsEffectiveness): Chart {
  return {
    title: 'PageRank gathered', isSynthetic: false, x, y: { label: 'share of that within reach', scale: 'linear' },
    series: gathered.map(({ policy, ranks }) => ({
      name: policy, points: ranks.map((y, i) => ({ x: percents[i], y })),
    })),
  };
}
