import * as z from 'zod';
import {
  effectivenessOf, recordedOrders, type Compared, type EffectivenessOptions, type JudgedRuns,
  type NamedIndex, type RunsEffectiveness,
} from '../../../questions/compare/index.ts';
import { InputError } from '../../../base/index.ts';
import type { PreparedGraph } from '../../../graphs/graph/index.ts';
import { openIndex, rankings, type IndexReader, type RankingName } from '../../../search/index.ts';
import { kebabCase, ownFlags, type RawFlags } from '../../flags/flags.ts';
import { counted } from '../../text/figures.ts';
import { fewSeedsInWords } from '../../text/findings/compared/effectiveness-shown.ts';
import { remark } from '../../text/output.ts';
import { printable, printableShort } from '../../text/printable.ts';
import { shareAndTimeLeft, withProgress } from '../../text/progress.ts';
import { comparedGraphs, type OpenedGraphs } from './graphs.ts';
import { judgingFlags, type JudgingFlags } from './judging-flags.ts';

const own = z.object({
  ranking: z.enum(Object.keys(rankings) as [RankingName, ...RankingName[]]).default('bm25f'),
  querySeed: z.int().min(0).max(Number.MAX_SAFE_INTEGER).default(1),
  maxQueries: z.int().min(10).max(1_000_000).default(2000),
});

export interface Judging extends EffectivenessOptions {
  readonly path: string;
}

/**
 * How an index is to judge runs; undefined if no index is named.
 * @throws InputError for a value that is not allowed, and for one without an index.
 */
export function judgingOf(flags: JudgingFlags & RawFlags): Judging | undefined {
  const { ranking, querySeed, maxQueries } = ownFlags(own, flags);
  const { index: path, fetchedRanks } = flags;
  if (path === undefined) {
    const idle = judgingFlags.find((name) => flags[name] !== undefined);
    if (idle !== undefined) throw new InputError(`--${kebabCase(idle)}: says how an index judges runs; name the index with --index`);
    return undefined;
  }
  return {
    path, ranking: rankings[ranking], queries: { seed: querySeed, maxQueries }, hasOwnRanks: fetchedRanks === true,
  };
}

/**
 * How well searchers are served by runs of one graph.
 * @throws InputError if there is a study, several graphs, no graph, or the index cannot be read or is of another graph.
 */
export async function comparedEffectiveness(
  items: readonly Compared[], { path, ...options }: Judging,
  graphs: readonly string[], opened: OpenedGraphs,
): Promise<RunsEffectiveness> {
  const study = items.find(({ records }) => records.length === 0);
  if (study !== undefined) {
    throw new InputError(
      `${study.label}: is of a study, which stores no order of pages; name runs of simulate, or judge the study by ` +
        'orbweaver study --index',
    );
  }
  const [{ label, sha256 }] = items;
  const other = items.find((item) => item.sha256 !== sha256);
  if (other !== undefined)
    throw new InputError(`${label}, ${other.label}: are of different graphs; an index is of one`);
  const { found: graphsBySum, missing } = await comparedGraphs(items, graphs, opened);
  const prepared = graphsBySum.get(sha256);
  if (prepared === undefined) {
    const why = missing.get(sha256) ?? 'its graph is not at hand';
    throw new InputError(`${printableShort(label)}: ${why} (name it with --graph)`);
  }
  const judged = await recordedOrders(items);
  return withIndex(path, (index) => shownEffectiveness(judged, prepared, { path, index }, options));
}

/** Opens an index for the work, and closes it. @throws InputError if it cannot be read. */
export async function withIndex<T>(path: string, work: (index: IndexReader) => T | Promise<T>): Promise<T> {
  const index = await openIndex(path);
  try {
    return await work(index);
  } finally {
    index.close();
  }
}

export function shownEffectiveness(
  judged: readonly JudgedRuns[], prepared: PreparedGraph, index: NamedIndex, options: EffectivenessOptions,
): Promise<RunsEffectiveness> {
  const sinceMs = performance.now();
  return withProgress((line) => effectivenessOf(judged, prepared, index, {
    ...options,
    onProgress: (share) => line.show(() =>
      `judging ${counted(judged.length, 'policy', 'policies')}: ${shareAndTimeLeft(share, 1, sinceMs)}`),
  }));
}

export function remarkFewSeeds(judged: RunsEffectiveness): void {
  for (const text of fewSeedsInWords(judged)) remark(`warning: ${printable(text)}`);
}
