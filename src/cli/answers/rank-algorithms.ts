import { hostHash } from '../../core/bsp/index.ts';
import { readPreference, readScores, scoresChecksum, type ScoresForm } from '../../graphs/formats/index.ts';
import type { GraphPages, WebGraph } from '../../graphs/graph/index.ts';
import {
  checkInDegree, inDegreeRank, opicRank, opicResidual, pageRankResidual, partitionedPageRank,
  partitionedPageRankDistance, threadedPageRank,
} from '../../graphs/rank/index.ts';
import { assert, InputError } from '../../base/index.ts';
import { counted, grouped, percent } from '../text/figures.ts';
import { remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { syntheticHostsWarning } from '../flags/seed-pages.ts';
import type { algorithmNames } from '../help/lists.ts';

export interface RankSettings {
  readonly damping?: number | undefined;
  readonly tolerance?: number | undefined;
  readonly threads?: number | undefined;
  readonly preference?: string | undefined;
  readonly start?: string | undefined;
  readonly iterations?: number | undefined;
  readonly shards?: number | undefined;
  readonly shardBy?: 'host' | 'page' | undefined;
  readonly scores?: string | undefined;
}

export interface Ranked {
  readonly ranks: Float64Array;
  readonly iterations: number | null;
  readonly l1ErrorBound: number | null;
  readonly sentence: string;
  readonly warning?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Checks the ranks with independent code, and says what it found. @throws AssertionError */
  readonly verify?: () => string;
}

export type Show = (text: () => string) => void;

export interface Algorithm {
  readonly takes: readonly (keyof RankSettings)[];
  readonly rank: (graph: WebGraph, settings: RankSettings, show: Show) => Ranked | Promise<Ranked>;
}

/**
 * Every algorithm by its name for `--algorithm`. A new one is an entry here, and a name in the list that the help
 * shows.
 */
export const algorithms = {
  pagerank: {
    takes: ['damping', 'tolerance', 'threads', 'preference', 'start'],
    async rank(graph, { damping = 0.85, tolerance, threads = 1, preference: file, start: startFile }, show) {
      const preference = file === undefined ? undefined : await readPreference(file, graph);
      const start = startFile === undefined ? undefined : (await scoresFrom(startFile, graph)).scores;
      const onSweep = (sweeps: number, change: number): void => {
        show(() => `sweep ${sweeps}: changed by ${change.toExponential(1)}`);
      };
      const { ranks, iterations, l1ErrorBound } = await threadedPageRank(graph, threads, {
        damping, tolerance, preference, start, onSweep,
      });
      const to =
        file === undefined
          ? ''
          : `, to ${counted(preference?.filter((weight) => weight > 0).length ?? 0, 'page')} of ${printable(file)}`;
      const from = startFile === undefined ? '' : `, from ${printable(startFile)}`;
      const on = threads === 1 ? '' : ` on ${threads} threads`;
      return {
        ranks,
        iterations,
        l1ErrorBound,
        facts: { threads, preference: file, start: startFile },
        sentence: `PageRank, damping ${damping}${to}: ${counted(iterations, 'sweep')}${from}${on}, within ${l1ErrorBound.toExponential(1)} (L1) of the true ranks.`,
        verify() {
          const bound = pageRankResidual(graph, ranks, damping, preference);
          // The two are computed by different sums: rounding may make them differ by this much.
          const allowed = l1ErrorBound + 2 ** -50 / (1 - damping);
          assert(bound <= allowed, () => `ranks are within ${bound} of PageRank, not within ${allowed} as promised`);
          return `verified: within ${bound.toExponential(1)} (L1) of PageRank, measured independently`;
        },
      };
    },
  },

  partitioned: {
    takes: ['damping', 'iterations', 'shards', 'shardBy'],
    rank(graph, { damping = 0.85, iterations: limit, shards = 3, shardBy = 'host' }, show) {
      const shardOfPage = shardsOf(graph, shards, shardBy);
      const onIteration = (iteration: number, change: number): void => {
        show(() => `iteration ${iteration}: changed by ${change.toExponential(1)}`);
      };
      const { ranks, iterations, droppedArcs, sinks, isolatedPages } = partitionedPageRank(graph, shardOfPage, {
        damping, iterations: limit, onIteration,
      });
      const pagesOfShard = new Array<number>(shards).fill(0);
      for (const shard of shardOfPage) pagesOfShard[shard]++;
      const sizes = shards <= 8 ? ` of ${pagesOfShard.map(grouped).join(', ')} pages` : '';
      return {
        ranks,
        iterations,
        l1ErrorBound: null,
        warning: shardBy === 'host' ? syntheticHostsWarning(graph) : '',
        facts: {
          shards, shardBy, hostsAreSynthetic: graph.hosts.synthetic, pagesOfShard, droppedArcs, sinks, isolatedPages,
        },
        sentence:
          `PageRank of ${counted(shards, 'shard')} in isolation, pages assigned by ${shardBy}${sizes}; damping ${damping}, ${counted(iterations, 'iteration')}. ` +
          `${counted(droppedArcs, 'link')} between shards (${percent(graph.arcs === 0 ? 0 : droppedArcs / graph.arcs)}) dropped; ` +
          `${counted(sinks, 'page')} without links within their shard linked back, ${counted(isolatedPages, 'page')} isolated there.`,
        verify() {
          const distance = partitionedPageRankDistance(graph, ranks, shardOfPage, { damping, iterations });
          assert(distance <= 1e-9, () => `ranks are ${distance} from those of each shard's own graph`);
          return `verified: within ${distance.toExponential(1)} (L1) of the ranks of each shard's own graph, computed independently`;
        },
      };
    },
  },

  opic: {
    takes: ['tolerance'],
    rank(graph, { tolerance }, show) {
      show(() => `${graph.name}: OPIC`);
      const { ranks, iterations, l1ErrorBound } = opicRank(graph, { tolerance });
      return {
        ranks,
        iterations,
        l1ErrorBound,
        sentence: `OPIC: ${counted(iterations, 'pass', 'passes')}. It estimates importance in its own Markov chain, not PageRank, and without an error bound.`,
        verify() {
          const residual = opicResidual(graph, ranks);
          // After k passes the estimate is off its own chain by at most 2/k, on any graph.
          assert(residual <= 2 / iterations + 1e-9, () => `the residual is ${residual}: more than 2/${iterations}`);
          return `verified: one step of the chain changes the ranks by ${residual.toExponential(1)} (L1), measured independently`;
        },
      };
    },
  },

  'in-degree': {
    takes: [],
    rank(graph) {
      const { ranks, tiedPages } = inDegreeRank(graph);
      return {
        ranks,
        iterations: null,
        l1ErrorBound: null,
        facts: { tiedPages },
        sentence: `In-degree: each page's share of all links. ${counted(tiedPages, 'page')} (${percent(tiedPages / graph.pages)}) tie with another.`,
        verify() {
          checkInDegree(graph, ranks);
          return `verified: the links to each of the ${counted(graph.pages, 'page')} counted again, from a sorted list`;
        },
      };
    },
  },

  scores: {
    takes: ['scores'],
    async rank(graph, { scores: file }) {
      if (file === undefined) throw new InputError('--algorithm scores needs --scores <FILE>');
      const { scores, form, sha256 } = await scoresFrom(file, graph);
      return {
        ranks: scores, iterations: null, l1ErrorBound: null,
        facts: { scores: { file, form, sha256 } },
        sentence: `Scores from ${printable(file)} (${form}).`,
      };
    },
  },
} as const satisfies Record<(typeof algorithmNames)[number], Algorithm>;

/** The scores in a file, with their checksum; reports pages left out, and unknown ones, on standard error. */
export async function scoresFrom(
  file: string, graph: GraphPages,
): Promise<{ scores: Float64Array; form: ScoresForm; sha256: string }> {
  const { scores, form, pagesLeftOut, pagesUnknown = 0 } = await readScores(file, graph);
  if (pagesLeftOut > 0)
    remark(
      `${printable(file)}: leaves out ${counted(pagesLeftOut, 'page')} of ${printable(graph.name)}, which score 0`,
    );
  if (pagesUnknown > 0)
    remark(
      `${printable(file)}: has scores of ${counted(pagesUnknown, 'page')} that ${printable(graph.name)} does not have, which are left out`,
    );
  return { scores, form, sha256: scoresChecksum(scores) };
}

/**
 * Shards by host as the partition `host-hash` of a crawl does, or by page id mod the shards, which spreads pages as a
 * hash of URLs would.
 */
function shardsOf({ pages, hosts }: WebGraph, shards: number, by: 'host' | 'page'): Uint32Array {
  if (by === 'page') return Uint32Array.from({ length: pages }, (_, page) => page % shards);
  const shardOfHost = Uint32Array.from({ length: hosts.count }, (_, host) => hostHash(hosts.names.at(host), shards));
  return Uint32Array.from(hosts.ofPage, (host) => shardOfHost[host]);
}
