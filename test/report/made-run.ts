import type { RunResult } from '../../src/core/measure/index.ts';
import type { SuperstepRow } from '../../src/core/events/index.ts';
import { DrawStream } from '../../src/base/index.ts';

export interface MadeRunOptions {
  readonly pages?: number;
  readonly processors?: number;
  readonly supersteps?: number;
  readonly seed?: number;
  readonly host?: string;
  readonly dataset?: string;
  readonly hostsAreSynthetic?: boolean;
  readonly experiment?: unknown;
}

/**
 * A run that never took place, of any size, its numbers agreeing where the report relies on it: for tests of the
 * report.
 */
export function madeRun(options: MadeRunOptions = {}): RunResult {
  const { pages = 500, processors = 4, supersteps = 60, seed = 1 } = options;
  const robots = 2;
  const draws = new DrawStream(seed, 'made run');
  const secondsAll = Math.max(1, pages / 10);
  const secondsTo = (share: number) => (pages === 0 ? null : secondsAll * share ** 1.7);
  const superstepUs = Math.round(secondsAll * 1e6 / Math.max(1, supersteps));
  const times = new Float64Array(2 * pages);
  const cumulativeRank = new Float64Array(pages);
  for (let i = 0; i < pages; i++) {
    const finishedUs = Math.round(secondsAll * 1e6 * ((i + 1) / pages) ** 1.7);
    times.set([Math.max(0, finishedUs - 200_000), finishedUs], 2 * i);
    cumulativeRank[i] = ((i + 1) / pages) ** 0.6;
  }
  const boundRank = cumulativeRank.map((_, i) => ((i + 1) / pages) ** 0.35);
  const rows: SuperstepRow[] = [];
  for (let i = 0; i < supersteps * processors; i++) {
    const superstep = Math.floor(i / processors);
    const busyUs = Math.round(superstepUs * (0.2 + 0.6 * draws.uniform(i)));
    const fetched = Math.round(2 * pages / supersteps / processors * draws.uniform(i, 1));
    rows.push({
      superstep, processor: i % processors, barrierUs: (superstep + 1) * superstepUs, pages: fetched, failures: 0,
      retried: 0, drained: 0, bytes: 15_000 * fetched, extracted: 2 * fetched, stale: fetched, inserted: 3 * fetched,
      reinserted: fetched, rekeyed: 0, queueStructure: 1, queueReads: 0, queueWrites: 0, insertComparisons: 9 * fetched,
      extractComparisons: 9 * fetched, crossLinks: 17 * fetched, pairsSent: 6 * fetched, pairsReceived: 6 * fetched,
      messagesSent: 3, messagesReceived: 3, busyUs, stalledUs: superstepUs - busyUs, noJobUs: 0,
      barrierWaitUs: (robots - 1) * superstepUs, queued: Math.max(0, pages - superstep * processors), pending: 8,
      inFlight: 0, superstepLimit: 96, pendingTarget: 1600, saturatedUs: 0, waitUs: 0, restingUs: 0, sampledPages: 0,
      sampledIdle: 0, denied: 0, dropped: 0, transferUs: 0, throttledUs: 0,
    });
  }
  const pagesPerProcessor = Array.from({ length: processors }, (_, p) =>
    Math.floor(pages / processors) + (p < pages % processors ? 1 : 0));
  return {
    run: {
      version: '0.0.0',
      experiment: options.experiment ?? { processors, robots, policy: 'opic', queue: { kind: 'quickheap' }, seed },
      dataset: {
        name: options.dataset ?? 'made',
        pages,
        arcs: 10 * pages,
        hosts: 10,
        hostsAreSynthetic: options.hostsAreSynthetic ?? false,
        sha256: 'ab'.repeat(32),
        hostGraph: {
          density: 0.3, linkedPairs: 27, links: 10 * pages, linksWithinHosts: 6 * pages,
          topOut: [{ host: 0, name: options.host ?? 'www.example.org', links: 4 * pages }],
          topIn: [{ host: 1, name: 'other.example.org', links: 3 * pages }],
        },
      },
      replayHash: 'cd'.repeat(32),
      memory: { graphBytesPerArc: 4.4, pagesKnown: pages, stateBytesPerPage: 39, peakResidentBytes: 2e9 },
      summary: {
        statistics: null,
        ended: 'frontier dry',
        pagesFetched: pages,
        rankGathered: { ofReachable: 1, ofAll: 0.9 },
        secondsToRank: { 50: secondsTo(0.3), 80: secondsTo(0.7), 90: secondsTo(0.8) },
        hosts: { fetched: 10, reachable: 10 },
        limits: {
          named: ['politeness'], hosts: { count: 1, names: ['www.example.org'] },
          shares: {
            politeness: 0.8, robots: 0.1, superstepLimit: 0, pendingJobs: 0, processorBandwidth: 0, hostBandwidth: 0.05,
            barriers: 0.1, frontier: 0, retries: 0,
          },
        },
        pagesFailed: 0,
        outcomesRetried: 0,
        failuresByKind: {},
        crashes: [],
        pagesInFlight: 0,
        reachablePages: pages,
        supersteps,
        superstepLimit: 96,
        minSuperstepLimit: 96,
        superstepLimitOrigin: 'given',
        pendingTarget: { min: 1600, max: 1600, origin: 'given' },
        virtualSeconds: secondsAll,
        bytes: 15_000 * pages,
        meanExtracted: 20,
        staleRatio: 0.5, pendingShare: 0.25,
        pagesPerProcessor,
        quality: {
          pagerankArea: 0.625, bound: 0.741, random: 0.5, normalisedGain: 0.52, horizonPages: Math.max(1, pages),
          secondsToPages: { '50%': secondsTo(0.5), '90%': secondsTo(0.9), '100%': secondsTo(1) },
        },
        hotPages: { '1%': { '10%': 0.8, '25%': 0.9, '50%': 1 }, '10%': { '10%': 0.6, '25%': 0.8, '50%': 0.9 } },
        harvest: null,
        subgraphTauB: null,
        parallel: { overlap: 0, coverage: 1, quality: 1, communication: 6 },
        balance: {
          pages: 0.6, pagesWholeRun: 0.9, bytes: 0.6, busy: 0.6, extract: 0.6, insert: 0.6,
          meanOfRatios: { pages: 0.6, bytes: 0.6, busy: 0.6, extract: 0.6, insert: 0.6 },
        },
        communication: {
          crossLinksPerPage: 17, pairsPerPage: 6, messages: 3 * pages, messagesPerPage: 3, bytes: 192 * pages,
          bytesPerPage: 192,
        },
        bsp: { comparisons: 1000, pairs: 1000, messages: 100, supersteps },
        queueStructureMost: 1,
        queueIo: { reads: 0, writes: 0 },
        partition: {
          modularity: 0.5, crossingLinks: 5 * pages, links: 10 * pages, largestHost: options.host ?? 'www.example.org',
          largestHostShare: 0.2, efficiencyBound: 1,
        },
        robots: { busy: 0.25, stalled: 0.25, noJob: 0, barrier: 0.5 },
        lowerBoundSeconds: 0.8 * secondsAll,
        lowerBoundHost: options.host ?? 'www.example.org',
        tail: {
          startSeconds: 0.6 * secondsAll, seconds: 0.4 * secondsAll, downloads: Math.floor(pages / 10),
          lowerBoundSeconds: 0.3 * secondsAll,
        },
      },
    },
    events: {
      order: Uint32Array.from({ length: pages }, (_, i) => i), processors: new Uint32Array(pages), times, failures: [],
      rows, crashes: [], changes: [],
    },
    curves: {
      cumulativeRank, boundRank, randomRankPerPage: pages === 0 ? 0 : 1 / pages, horizonShare: 1,
    },
  };
}
