/** What an order of pages was worth, from the definitions alone: nothing here comes from `src`, types apart. */
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { plainPageRank, plainQuality, type PlainOutcome } from './figures.ts';

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/** Pages within reach at least as important as the one at place `count` of them all; equal within a billionth. */
function mostImportant(ranks: Float64Array, reached: Uint8Array, count: number): Set<number> {
  const within = [...reached.keys()].filter((page) => reached[page] === 1).sort((a, b) => ranks[b] - ranks[a]);
  const last = ranks[within[count - 1]];
  return new Set(within.filter((page) => ranks[page] >= last - 1e-9 * last));
}

/** Share of the hottest pages among the first fetched. */
export function plainHotPages(
  ranks: Float64Array, reached: Uint8Array, order: readonly number[], horizon: number,
): Record<string, Record<string, number | null>> {
  const pages = reached.reduce((a, b) => a + b, 0);
  return Object.fromEntries([1, 10].map((hotPercent) => {
    const hot = mostImportant(ranks, reached, Math.ceil((hotPercent * pages) / 100));
    return [`${hotPercent}%`, Object.fromEntries([10, 25, 50].map((percent) => {
      const first = Math.ceil((percent * horizon) / 100);
      return [
        `${percent}%`,
        first > order.length ? null : order.slice(0, first).filter((page) => hot.has(page)).length / hot.size,
      ];
    }))];
  }));
}

export function plainParallel(
  ranks: Float64Array, reached: Uint8Array, outcomes: readonly PlainOutcome[], pairs: number,
): Record<'overlap' | 'coverage' | 'quality' | 'communication', number | null> {
  const downloads = outcomes.filter(({ kind }) => kind === 'fetched' || kind === 'lost');
  const fetched = new Set(downloads.filter(({ kind }) => kind === 'fetched').map(({ page }) => page));
  if (fetched.size === 0) return { overlap: null, coverage: 0, quality: null, communication: null };
  const important = mostImportant(ranks, reached, fetched.size);
  return {
    overlap: downloads.length / fetched.size - 1,
    coverage: fetched.size / reached.reduce((a, b) => a + b, 0),
    quality: Math.min(1, [...fetched].filter((page) => important.has(page)).length / fetched.size),
    communication: pairs / downloads.length,
  };
}

export function plainHarvest(
  scores: Float64Array, reached: Uint8Array, order: readonly number[], finishedUs: readonly number[],
  wholePages: number,
): Record<string, unknown> {
  const {
    pagerankArea: area, bound, random, normalisedGain, horizonPages,
  } = plainQuality(scores, reached, order, finishedUs, wholePages);
  const after = (percent: number): number | null => {
    const first = Math.ceil((percent * horizonPages) / 100);
    return first > order.length ? null : mean(order.slice(0, first).map((page) => scores[page]));
  };
  return {
    reachableMean: mean([...scores].filter((_, page) => reached[page] === 1)),
    meanAfter: Object.fromEntries([10, 25, 50, 100].map((percent) => [`${percent}%`, after(percent)])),
    area, bound, random, normalisedGain,
  };
}

/** From the moment when at most `processors` hosts have downloads left. */
export function plainTail(
  outcomes: readonly PlainOutcome[], hostOfPage: Uint32Array, processors: number, delayUs: number,
): Record<'startSeconds' | 'seconds' | 'downloads' | 'lowerBoundSeconds', number> {
  const ofHost = new Map<number, PlainOutcome[]>();
  for (const outcome of outcomes) {
    const host = hostOfPage[outcome.page];
    if (!ofHost.has(host)) ofHost.set(host, []);
    ofHost.get(host)!.push(outcome);
  }
  const last = (own: readonly PlainOutcome[]): number =>
    own.reduce((most, { finishedUs }) => Math.max(most, finishedUs), 0);
  const ends = [...ofHost.values()].map(last);
  const startUs =
    [0, ...ends].sort((a, b) => a - b).find((moment) => ends.filter((end) => end > moment).length <= processors) ?? 0;
  const left = [...ofHost.values()]
    .map((own) => own.filter(({ finishedUs }) => finishedUs > startUs))
    .filter((own) => own.length > 0);
  const needed = left.map((own) => (own.length - 1) * delayUs
    + own.reduce((sum, { startedUs, finishedUs }) => sum + finishedUs - Math.max(startUs, startedUs), 0));
  return {
    startSeconds: startUs / 1e6,
    seconds: (Math.max(0, ...ends) - startUs) / 1e6,
    downloads: left.reduce((sum, own) => sum + own.length, 0),
    lowerBoundSeconds: Math.max(0, ...needed) / 1e6,
  };
}

/**
 * Tau-b of the PageRank of the pages fetched and the links between them, and their true ranks: every pair of pages is
 * looked at.
 */
export function plainSubgraphTauB(graph: WebGraph, order: readonly number[], ranks: Float64Array): number | null {
  const pages = [...order].sort((a, b) => a - b);
  const idOf = new Map(pages.map((page, id) => [page, id]));
  const rows = pages.map((page) => [...graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])]
    .flatMap((target) => idOf.get(target) ?? []));
  const outOffsets = new Uint32Array(pages.length + 1);
  rows.forEach((row, i) => (outOffsets[i + 1] = outOffsets[i] + row.length));
  const own = plainPageRank({
    ...graph, pages: pages.length, arcs: rows.flat().length, outOffsets, outTargets: Uint32Array.from(rows.flat()),
  });
  const trueSum = pages.reduce((sum, page) => sum + ranks[page], 0);
  const a = Float32Array.from(own);
  const b = Float32Array.from(pages, (page) => ranks[page] / trueSum);
  let [agreement, differInA, differInB] = [0, 0, 0];
  for (let i = 0; i < pages.length; i++) {
    for (let j = 0; j < i; j++) {
      const [signA, signB] = [Math.sign(a[i] - a[j]), Math.sign(b[i] - b[j])];
      agreement += signA * signB;
      differInA += Math.abs(signA);
      differInB += Math.abs(signB);
    }
  }
  return differInA === 0 || differInB === 0 ? null : agreement / Math.sqrt(differInA) / Math.sqrt(differInB);
}
