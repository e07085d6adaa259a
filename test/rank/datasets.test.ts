import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hostHash } from '../../src/core/bsp/index.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { agreement } from '../../src/core/measure/index.ts';
import {
  checkInDegree, inDegreeRank, opicRank, opicResidual, pageRank, pageRankResidual, partitionedPageRank,
  partitionedPageRankDistance,
} from '../../src/graphs/rank/index.ts';
import { isFullSweep } from '../sweep.ts';
import { docsWeb } from '../docs-web.ts';

/** Pages by falling rank, equal ranks by id. */
function top(ranks: Float64Array, count: number): number[] {
  return [...ranks.keys()].sort((a, b) => ranks[b] - ranks[a] || a - b).slice(0, count);
}

/**
 * Partitioned PageRank with 3 shards by host, held against PageRank: tau-b, L1 distance and shares of the tops, as
 * datasets/README.md has them.
 */
function missedByThreeShards(graph: WebGraph): string {
  const shardOfPage = Uint32Array.from(graph.hosts.ofPage, (host) => hostHash(graph.hosts.names.at(host), 3));
  const { ranks, iterations } = partitionedPageRank(graph, shardOfPage);
  expect(partitionedPageRankDistance(graph, ranks, shardOfPage, { damping: 0.85, iterations })).toBeLessThan(1e-12);
  const { tauB, l1, top } = agreement(ranks, pageRank(graph, { tolerance: 1e-12 }).ranks);
  return [tauB?.toFixed(3), l1.toFixed(3), ...top.slice(0, 2).map(({ pages, shared }) => `${shared} of ${pages}`)].join(
    ', ',
  );
}

describe('docs-web', () => {
  const graph = docsWeb;

  test('has page 23 on top, with the rank that other programs computed', () => {
    const { ranks, l1ErrorBound } = pageRank(graph, { tolerance: 1e-12 });
    expect(top(ranks, 1)).toEqual([23]);
    expect(ranks[23].toFixed(10)).toBe('0.0230927541');
    expect(pageRankResidual(graph, ranks, 0.85)).toBeLessThanOrEqual(l1ErrorBound);
  });

  test('keeps its OPIC residual below 2 / passes', () => {
    const { ranks, iterations } = opicRank(graph, { tolerance: isFullSweep ? 1e-3 : 1e-2 });
    expect(opicResidual(graph, ranks)).toBeLessThanOrEqual(2 / iterations);
  });

  test.runIf(isFullSweep)('misses as much in three shards as its table says', () => {
    expect(missedByThreeShards(graph)).toBe('0.650, 0.489, 7 of 10, 56 of 100');
  });

  test('counts its links', () => {
    checkInDegree(graph, inDegreeRank(graph).ranks);
  });
});

const cnr = '../shared/datasets/cnr-2000/cnr-2000.adj.txt.gz';

describe.runIf(isFullSweep)('cnr-2000 (325,557 pages, not part of the project)', () => {
  test('has pages 60595 and 60597 on top, equal', async (context) => {
    if (!existsSync(cnr)) context.skip(`${cnr} is absent`);
    const graph = await openGraph(cnr);
    const { ranks, l1ErrorBound } = pageRank(graph, { tolerance: 1e-12 });
    expect(top(ranks, 2).sort((a, b) => a - b)).toEqual([60595, 60597]);
    expect(ranks[60595].toFixed(10)).toBe('0.0177718842');
    expect(ranks[60597].toFixed(10)).toBe('0.0177718842');
    expect(pageRankResidual(graph, ranks, 0.85)).toBeLessThanOrEqual(l1ErrorBound);
    const opic = opicRank(graph, { tolerance: 1e-2 });
    expect(opicResidual(graph, opic.ranks)).toBeLessThanOrEqual(2 / opic.iterations);
    expect(missedByThreeShards(graph)).toBe('0.445, 0.613, 4 of 10, 69 of 100');
  });
});
