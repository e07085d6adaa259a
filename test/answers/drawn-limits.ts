import { simulate } from '../../src/core/engine/index.ts';
import { prepare } from '../../src/graphs/graph/index.ts';
import { limitKinds, type LimitKind, type Limits } from '../../src/core/measure/index.ts';
import { changed, type WhatIfKind } from '../../src/questions/plan/index.ts';
import type { ExperimentInput, SettledExperiment } from '../../src/core/settings/index.ts';
import { drawnWeb, type DrawnWeb } from './drawn-webs.ts';

// What limits drawn crawls: each is run again with more of every part, and what the counts name must bring the most.

/** The changes of `--what-if` that relax a part. */
const changesOf: Readonly<Record<LimitKind, readonly WhatIfKind[]>> = {
  politeness: ['politeness'], robots: ['robots'], superstepLimit: ['superstepLimit', 'noSuperstepLimit'],
  pendingJobs: ['pendingJobs', 'allPendingJobs'], processorBandwidth: ['processorBandwidth'],
  hostBandwidth: ['hostBandwidth'], barriers: ['barriers', 'shorterSupersteps'], frontier: [], retries: ['retries'],
};
/** More of the frontier: so many seed pages, at equal distances. */
const moreSeedPages = [2, 8];

/** What brings this share of the most that anything brings, or this much less pages per second, is as good. */
const [asGood, noise] = [0.8, 0.02];
/** Nothing stands out where nothing brings this share more pages per second. */
const little = 0.1;
/** Rates of fewer pages are noise, and crawls of more supersteps take too long. */
const [leastPages, mostSupersteps] = [30, 10_000];

export interface DrawnLimits {
  readonly seed: number;
  readonly limits: Limits;
  /** What the best change of each part brings, as a share of the pages per second without it. */
  readonly gains: Readonly<Record<LimitKind, number>>;
}

/** The crawl of a seed; undefined if it is passed over. */
export async function drawnLimits(seed: number): Promise<DrawnLimits | undefined> {
  return limitsOf(drawnWeb(seed));
}

/** @param kinds - the parts to relax. */
export async function limitsOf(
  { seed, graph, settings }: DrawnWeb, kinds: readonly LimitKind[] = limitKinds,
): Promise<DrawnLimits | undefined> {
  const prepared = prepare(graph);
  const { run: { summary, experiment } } = await simulate(prepared, settings);
  if (summary.pagesFetched < leastPages || summary.supersteps > mostSupersteps) return undefined;
  const rate = summary.pagesFetched / summary.virtualSeconds;
  const gains = { ...summary.limits.shares };
  for (const kind of limitKinds) gains[kind] = 0;
  for (const kind of kinds) {
    for (const input of relaxed(kind, experiment, graph.pages)) {
      const { run } = await simulate(prepared, input);
      gains[kind] = Math.max(gains[kind], run.summary.pagesFetched / run.summary.virtualSeconds / rate - 1);
    }
  }
  return { seed, limits: summary.limits, gains };
}

function relaxed(kind: LimitKind, settings: SettledExperiment, pages: number): ExperimentInput[] {
  if (kind !== 'frontier') return changesOf[kind].flatMap((change) => changed(change, settings) ?? []);
  return moreSeedPages.map((count) => ({
    ...settings, seedPages: [...new Set(Array.from({ length: count }, (_, i) => Math.floor((i * pages) / count)))],
  }));
}

/** Whether what is named brings the most, or nothing brings much and nothing is named. */
export function isRight({ limits: { named }, gains }: DrawnLimits): boolean {
  const most = Math.max(...Object.values(gains));
  if (named.length === 0) return most < little;
  const brought = Math.max(...named.map((kind) => gains[kind]));
  return brought >= asGood * most || most - brought < noise;
}

/** The case in a line. */
export function drawnLimitsText({ seed, limits: { named, shares }, gains }: DrawnLimits): string {
  const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;
  const each = limitKinds.filter((kind) => shares[kind] > 0.02 || gains[kind] > 0.02)
    .map((kind) => `${kind} ${percent(shares[kind])} (${percent(gains[kind])})`).join(', ');
  return `seed ${seed}: ${named.join(' and ') || 'nothing stands out'}: ${each}`;
}
