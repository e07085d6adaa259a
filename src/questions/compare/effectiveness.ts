import { InputError } from '../../base/index.ts';
import { settleSeeds, trueRanks } from '../../core/engine/index.ts';
import type { PreparedGraph, WebGraph } from '../../graphs/graph/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import type { Ranking, SearchIndex } from '../../search/index.ts';
import {
  Judge, NOT_INDEXED, type DrawnQueries, type DrawOptions, type Effectiveness, type JudgedPolicy,
} from '../../search/judge/index.ts';
import { PageUrls } from '../../views/service/index.ts';
import {
  policiesUsed, recordedPolicies, type PolicyChoice, type PolicyFacts, type SimulationSettings,
} from '../../core/settings/index.ts';
import { contentKey } from '../study/index.ts';
import { named } from './differences.ts';
import type { Compared, Named } from './runs.ts';

/** Resamples of queries and seeds. */
const resamples = 2000;
/** Seeds below which the interval of a policy that draws at random says little. */
export const minSeeds = 5;

/** How well searchers are served after part of the pages of each run. */
export interface RunsEffectiveness extends Effectiveness {
  readonly pages: number;
  readonly documents: number;
  readonly queries: DrawOptions;
  /** Whether PageRank comes from the pages fetched so far; otherwise from the full crawl. */
  readonly hasOwnRanks: boolean;
  readonly leftOut: DrawnQueries['leftOut'];
  /** Policies that draw at random, judged over fewer than `minSeeds` seeds. */
  readonly fewSeeds: readonly { readonly policy: string; readonly seeds: number }[];
  /** Policies that know beforehand what a crawler cannot know. */
  readonly oracles: readonly string[];
}

/** An index that runs are judged by, as the user named it. */
export interface NamedIndex {
  readonly path: string;
  readonly index: SearchIndex;
}

export interface EffectivenessOptions {
  readonly ranking: Ranking;
  readonly queries: DrawOptions;
  readonly hasOwnRanks: boolean;
  /** Hears which share of the searches is done. */
  readonly onProgress?: (share: number) => void;
}

/** What is judged as one: runs that differ in their seed alone. */
export interface JudgedRuns {
  readonly name: string;
  readonly experiment: PolicyChoice;
  readonly runs: readonly {
    readonly label: string;
    /** Pages of the graph. */
    readonly order: Uint32Array;
    readonly experiment: Pick<SimulationSettings, 'seedPages'>;
  }[];
}

/**
 * Judges the orders of runs by what is found in an index of the pages of their graph (`search/judge`). Draws are
 * functions of a seed, so that equal runs give equal figures.
 *
 * Cost   a search per query, run and prefix: minutes for thousands of pages.
 * Errors   InputError for an index of another graph, for a run without an order, and for an index without queries.
 */
export function effectivenessOf(
  judged: readonly JudgedRuns[], prepared: PreparedGraph, { path, index }: NamedIndex, options: EffectivenessOptions,
): RunsEffectiveness {
  const { ranking, queries, hasOwnRanks, onProgress } = options;
  const indexPageOf = indexPages(path, index, prepared.graph);
  const policies = judgedPolicies(judged, prepared, indexPageOf);
  const judge = new Judge(index, queries);
  const oracles = judged.flatMap(({ name, experiment }) =>
    (used(experiment).some(({ isOracle }) => isOracle) ? [name] : []));
  const figures = judge.effectiveness(ranking, policies, {
    half: 'judge', hasOwnRanks, oracles, seed: 1, resamples, onProgress,
  });
  if (figures.sets.length === 0) {
    throw new InputError(
      `${path}: gives no query to judge by among ${queries.maxQueries}: too few of its links and titles name a page`,
    );
  }
  const { pages, documents } = index;
  return {
    ...figures, pages, documents, queries, hasOwnRanks, leftOut: judge.drawn.leftOut,
    fewSeeds: judged.flatMap(({ name, experiment, runs }) =>
      (drawsAtRandom(experiment) && runs.length < minSeeds ? [{ policy: name, seeds: runs.length }] : [])),
    oracles,
  };
}

function judgedPolicies(
  judged: readonly JudgedRuns[], prepared: PreparedGraph, indexPageOf: Uint32Array,
): JudgedPolicy[] {
  const ranks = trueRanks(prepared);
  const { graph } = prepared;
  const within = new Map<string, number>();
  const withinReach = (experiment: Pick<SimulationSettings, 'seedPages'>): number => {
    const key = String(experiment.seedPages);
    const group = within.get(key);
    if (group !== undefined) return group;
    const { reachable } = settleSeeds(prepared, experiment);
    const sum = ranks.reduce((total, rank, page) => total + rank * reachable[page], 0);
    within.set(key, sum);
    return sum;
  };
  return judged.map(({ name, runs }) => ({
    name,
    orders: runs.map(({ label, order, experiment }) => {
      if (order.length === 0) throw new InputError(`${label}: fetched no page; there is no order to judge`);
      if (order.some((page) => page >= graph.pages))
        throw new InputError(`${label}: contains pages that the graph does not have`);
      const all = withinReach(experiment);
      let sum = 0;
      const cumulativeRank = Float64Array.from(order, (page) => (sum += ranks[page]) / all);
      return { pages: order.map((page) => indexPageOf[page]), cumulativeRank };
    }),
  }));
}

/** Whether the order of a policy, or of one that it is composed of, depends on random draws, as it declares. */
export function drawsAtRandom(experiment: PolicyChoice): boolean {
  return used(experiment).some(({ needs }) => needs.includes('draws'));
}

function used(experiment: PolicyChoice): PolicyFacts[] {
  return policiesUsed([...shippedPolicies.settings.policies, ...recordedPolicies(experiment)], experiment);
}

/** The orders of finished runs, to be judged; those that differ in their seed alone are one. */
export async function recordedOrders(items: readonly Compared[]): Promise<JudgedRuns[]> {
  return Promise.all(bySeeds(items).map(async ({ name, records }) => ({
    name, experiment: records[0].run.experiment,
    runs: await Promise.all(records.map(async ({ folder, run, events }) => ({
      label: folder, order: (await events()).order, experiment: run.experiment,
    }))),
  })));
}

/** Items that differ in their seed alone as one, in the place of the first, named anew. */
function bySeeds(items: readonly Compared[]): Named[] {
  const groups: Compared[][] = [];
  for (const item of items) {
    const group = groups.find((others) => !others.some((other) => sharesSeed(item, other)) &&
      settingsKey(others[0]) === settingsKey(item));
    if (group === undefined) groups.push([item]);
    else group.push(item);
  }
  return named(groups.map(([first, ...others]): Compared => (others.length === 0 ? first : {
    ...first, experiment: { ...first.experiment, seed: undefined },
    runs: [first, ...others].reduce((sum, { runs }) => sum + runs, 0),
    seeds: [first, ...others].flatMap(({ seeds }) => seeds),
    records: [first, ...others].flatMap(({ records }) => records),
  })));
}

/** The same run twice, or of two versions, is no second draw. */
function sharesSeed(first: Compared, other: Compared): boolean {
  return first.seeds.some(({ seed }) => other.seeds.some((run) => run.seed === seed));
}

/** Statistics change no run. */
function settingsKey({ sha256, experiment }: Compared): string {
  return contentKey({ sha256, experiment: { ...experiment, seed: undefined, statistics: undefined } });
}

/**
 * The page of the index for each page of the graph, by URL, http and https as one.
 * Errors   InputError if a page of the index is not in the graph: the index is of another web.
 */
export function indexPages(path: string, index: SearchIndex, graph: WebGraph): Uint32Array {
  const urls = new PageUrls(graph);
  const pageOf = new Uint32Array(graph.pages).fill(NOT_INDEXED);
  let missing = 0;
  let example = '';
  for (let page = index.pages - 1; page >= 0; page--) {
    const url = new URL(index.url(page));
    const host = urls.hostOf(url.host);
    const match = host === undefined ? undefined : urls.pageAt(host, url.pathname + url.search);
    if (match !== undefined) pageOf[match] = page;
    else {
      missing++;
      example = url.href;
    }
  }
  if (missing === 0) return pageOf;
  throw new InputError(
    `${path}: is an index of another graph than ${graph.name}: ${missing} of its ${index.pages} pages ` +
      `${missing === 1 ? 'is' : 'are'} not in the graph, for example ${example}`,
  );
}
