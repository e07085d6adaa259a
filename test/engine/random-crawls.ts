import fc from 'fast-check';
import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graphs/graph/index.ts';
import { replayCommand, tries } from '../sweep.ts';

/** A graph and the seed pages from which a crawl of it starts. */
export interface CrawlCase {
  readonly graph: WebGraph;
  readonly seedPages: number[];
}

export interface Shape {
  readonly pages: readonly [least: number, most: number];
  readonly hosts: readonly [least: number, most: number];
  readonly seedPages: readonly [least: number, most: number];
}

const between = ([min, max]: readonly [number, number]): fc.Arbitrary<number> => fc.noBias(fc.integer({ min, max }));

/**
 * Graphs with self-links, dangling pages, arcs named twice and pages that nothing reaches; hosts are spread over the
 * page ids, seed pages stand in any order.
 */
export function crawlCases({ pages, hosts, seedPages }: Shape): fc.Arbitrary<CrawlCase> {
  return fc
    .tuple(between(pages), between(hosts))
    .chain(([count, hostCount]) => {
      const page = fc.nat({ max: count - 1 });
      return fc.record({
        hostOf: fc.array(fc.noBias(fc.nat({ max: hostCount - 1 })), { minLength: count, maxLength: count }),
        arcs: fc.array(fc.tuple(fc.noBias(page), fc.oneof(page, fc.noBias(page))), {
          minLength: count, maxLength: 4 * count, size: 'max',
        }),
        seeds: fc.shuffledSubarray(
          Array.from({ length: count }, (_, id) => id),
          {
            minLength: seedPages[0], maxLength: Math.min(count, seedPages[1]),
          },
        ),
      });
    })
    .map(({ hostOf, arcs, seeds }) => ({
      graph: buildGraph({
        name: 'random',
        pages: hostOf.length,
        sources: Uint32Array.from(arcs, ([source]) => source),
        targets: Uint32Array.from(arcs, ([, target]) => target),
        hosts: hostsFromNames(hostOf.map((host) => `h${host}.example.org`)),
      }),
      seedPages: seeds,
    }));
}

export function linksOf(graph: WebGraph, page: number): Uint32Array {
  return graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1]);
}

/** Pages reachable from the seed pages, with the least number of links that leads to each. */
export function depths(graph: WebGraph, seedPages: readonly number[]): Map<number, number> {
  const depth = new Map(seedPages.map((page) => [page, 0]));
  for (const [page, links] of depth) {
    for (const target of linksOf(graph, page)) if (!depth.has(target)) depth.set(target, links + 1);
  }
  return depth;
}

/** PageRank by plain power iteration: damping 0.85, uniform teleport, dangling rank spread uniformly. */
export function plainPageRank(graph: WebGraph): Float64Array {
  let rank = new Float64Array(graph.pages).fill(1 / graph.pages);
  for (let change = 1; change > 1e-13; ) {
    const next = new Float64Array(graph.pages);
    let dangling = 0;
    rank.forEach((score, page) => {
      const links = linksOf(graph, page);
      if (links.length === 0) dangling += score;
      for (const target of links) next[target] += (0.85 * score) / links.length;
    });
    const everywhere = (0.15 + 0.85 * dangling) / graph.pages;
    change = 0;
    for (let page = 0; page < graph.pages; page++) {
      next[page] += everywhere;
      change += Math.abs(next[page] - rank[page]);
    }
    rank = next;
  }
  return rank;
}

const pattern = new DataView(new ArrayBuffer(4));

/** The queue's key of a score: the bits of the nearest 32-bit float. */
export function bitsOf(score: number): number {
  pattern.setFloat32(0, Math.fround(score));
  return pattern.getUint32(0);
}

const runSeed = Number(process.env['ORBWEAVER_SEED'] ?? 20081030);

/**
 * fc.assert with the run's seed, `numRuns` times in the full sweep; a failure names the command that repeats it.
 * @param file its name, or the end of its path.
 */
export async function assertCrawls<T>(
  file: string, cases: fc.Arbitrary<T>, numRuns: number, holds: (given: T) => void | Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(cases, async (given) => { await holds(given); }), {
    seed: runSeed,
    numRuns: tries(numRuns),
    interruptAfterTimeLimit: 60_000,
    markInterruptAsFailure: false,
    asyncReporter: (run) => {
      if (!run.failed) return Promise.resolve();
      const replay = replayCommand(run.seed, file);
      const cause = run.errorInstance;
      const message = cause instanceof Error ? cause.message : '';
      return Promise.reject(
        new Error(`replay: ${replay}\n${message}\n${fc.defaultReportMessage(run) ?? ''}`, { cause }),
      );
    },
  });
}
