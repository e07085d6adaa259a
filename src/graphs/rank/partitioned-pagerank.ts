import { assert, InputError } from '../../base/index.ts';
import type { WebGraph } from '../graph/index.ts';

/**
 * PageRank by shards that do not communicate, as computed by a crawler whose machines each hold the pages they fetched:
 * power iteration in each shard, without arcs between shards. It is not PageRank, and the difference is the point:
 * `agreement` in measure/ compares it with the true ranks.
 *
 * After Compass (Fishman et al., "Compass - Final Report"): 3 shards by hash, 15 iterations, every page starting with
 * rank 1, and back edges for sinks: a page without a link within its shard links back to the pages there that link to
 * it. Only parts of the report are known. Assumed here: arcs between shards are ignored, also in the number of a page's
 * links; damping is 0.85; the hash that partitions the crawl makes the shards. A page without links or linking pages in
 * its shard spreads its rank evenly over the shard, as PageRank does.
 *
 * Scale    pages start with 1 and no rank leaves a shard, so that a shard's ranks sum to its pages: dividing all by n
 *          scales each shard to its share of the pages, which a merge of the shards' lists needs.
 * Limit    after many iterations and with one shard, PageRank if every page has a link.
 */

export interface PartitionedPageRankOptions {
  /** Probability of following a link; in [0, 1). 0.85 by default. */
  readonly damping?: number | undefined;
  /** At least 1; 15 by default. */
  readonly iterations?: number | undefined;
  /** Called after each iteration with its number and the L1 change of the ranks. */
  readonly onIteration?: ((iteration: number, change: number) => void) | undefined;
}

export interface PartitionedPageRank {
  /** Rank of each page; they sum to 1. */
  readonly ranks: Float64Array;
  readonly iterations: number;
  /** Always null: nothing is certified. */
  readonly l1ErrorBound: null;
  /** Arcs between shards. */
  readonly droppedArcs: number;
  /** Pages with back edges, because they have no link within their shard. */
  readonly sinks: number;
  /** Pages that have neither links nor pages that link to them within their shard. */
  readonly isolatedPages: number;
}

/**
 * @param shardOfPage shard of each page, 0, 1, 2, ...
 * @throws InputError for a graph without pages and for options out of range.
 * Cost  O(n + m) per iteration, no other copy of the arcs; 32 bytes per page. Equal input gives bit-equal ranks.
 */
export function partitionedPageRank(
  graph: WebGraph, shardOfPage: Uint32Array, options: PartitionedPageRankOptions = {},
): PartitionedPageRank {
  const { damping = 0.85, iterations = 15, onIteration } = options;
  const { pages, arcs, outOffsets, outTargets } = graph;
  if (pages === 0) throw new InputError(`${graph.name} has no pages, so there is nothing to rank`);
  if (!(damping >= 0 && damping < 1))
    throw new InputError(`damping is ${damping}: it must be at least 0 and less than 1`);
  if (!(Number.isSafeInteger(iterations) && iterations >= 1))
    throw new InputError(`iterations is ${iterations}: it must be an integer of at least 1`);
  assert(shardOfPage.length === pages, () => `${shardOfPage.length} shards for ${pages} pages`);

  const shards = shardOfPage.reduce((most, shard) => Math.max(most, shard + 1), 0);
  const pagesOfShard = new Float64Array(shards);
  for (const shard of shardOfPage) pagesOfShard[shard]++;

  // Links of each page within its shard, in both directions.
  const links = new Uint32Array(pages);
  const linked = new Uint32Array(pages);
  let keptArcs = 0;
  for (let page = 0; page < pages; page++) {
    for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) {
      const target = outTargets[arc];
      if (shardOfPage[target] !== shardOfPage[page]) continue;
      links[page]++;
      linked[target]++;
      keptArcs++;
    }
  }

  let ranks = new Float64Array(pages).fill(1);
  let next = new Float64Array(pages);
  const stray = new Float64Array(shards);
  for (let iteration = 1; iteration <= iterations; iteration++) {
    next.fill(0);
    stray.fill(0);
    for (let page = 0; page < pages; page++) {
      const share = ranks[page] / links[page];
      for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) {
        const target = outTargets[arc];
        if (shardOfPage[target] !== shardOfPage[page]) continue;
        next[target] += share;
        // A sink gives the same to each page that links to it, so no back edges need to be stored.
        if (links[target] === 0) next[page] += ranks[target] / linked[target];
      }
      if (links[page] === 0 && linked[page] === 0) stray[shardOfPage[page]] += ranks[page];
    }
    let change = 0;
    for (let page = 0; page < pages; page++) {
      const shard = shardOfPage[page];
      next[page] = damping * (next[page] + stray[shard] / pagesOfShard[shard]) + (1 - damping);
      change += Math.abs(next[page] - ranks[page]);
    }
    [ranks, next] = [next, ranks];
    onIteration?.(iteration, change / pages);
  }

  let sinks = 0;
  let isolatedPages = 0;
  for (let page = 0; page < pages; page++) {
    ranks[page] /= pages;
    if (links[page] > 0) continue;
    if (linked[page] > 0) sinks++;
    else isolatedPages++;
  }
  return { ranks, iterations, l1ErrorBound: null, droppedArcs: arcs - keptArcs, sinks, isolatedPages };
}
