import type { PartitionModularity, WebGraph } from '../graph/index.ts';
import { assert } from '../std/index.ts';
import { bySuperstep, measureBalance, pagesPerProcessor } from './balance.ts';
import { largestHost } from './largest-host.ts';
import { measureHarvest } from './harvest.ts';
import { hotPageRecall } from './hot-pages.ts';
import { measureParallel } from './parallel.ts';
import { bestRanks, measureQuality } from './quality.ts';
import type { Communication, PartitionFigures, RunCurves, RunEvents, RunSummary, SuperstepRow } from './record.ts';
import { subgraphRankTauB } from './subgraph-rank.ts';
import { measureTail } from './tail.ts';

export interface SummaryInput {
  readonly events: RunEvents;
  readonly graph: WebGraph;
  readonly ranks: Float64Array;
  /** Those that the order went by, where they were given. */
  readonly scores?: Float64Array | undefined;
  readonly reachable: Uint8Array;
  /** With `all`, figures that take long for what they tell as well. */
  readonly measures: 'usual' | 'all';
  readonly processors: number;
  readonly robots: number;
  readonly superstepLimit: number;
  readonly superstepLimitOrigin: string;
  readonly politenessUs: number;
  readonly messageHeaderBytes: number;
  readonly pairBytes: number;
  readonly maxPages?: number | undefined;
  readonly ended: RunSummary['ended'];
  readonly partition: PartitionModularity;
}

/**
 * The figures of a run, from its events and the graph alone (`ended`, `partition` and the limit's origin apart, which are passed
 * through).
 */
export function summarise(input: SummaryInput): { summary: RunSummary; curves: RunCurves } {
  const { events, ranks, processors, robots } = input;
  const { hosts } = input.graph;
  const { rows, order } = events;
  const best = bestRanks(input);
  const { curves, ...quality } = measureQuality({ ...input, ...events }, best);
  const total = (of: (row: SuperstepRow) => number): number => rows.reduce((sum, row) => sum + of(row), 0);
  const supersteps = bySuperstep(rows, processors);
  const sumOfMaxima = (of: (row: SuperstepRow) => number): number =>
    supersteps.reduce((sum, superstep) => sum + Math.max(...superstep.map(of)), 0);
  const lastUs = rows.at(-1)?.barrierUs ?? 0;
  const robotUs = processors * robots * lastUs;
  const spent = { busy: total((row) => row.busyUs), stalled: total((row) => row.stalledUs),
    noJob: total((row) => row.noJobUs), barrier: total((row) => row.barrierWaitUs) };
  assert(
    spent.busy + spent.stalled + spent.noJob + spent.barrier === robotUs,
    () => `robot time ${JSON.stringify(spent)} does not sum to P x r x T = ${robotUs} us`,
  );
  const share = (us: number): number => (robotUs === 0 ? 0 : us / robotUs);
  const extracted = total((row) => row.extracted);
  const lowerBound = timeLowerBound(input);
  return {
    curves,
    summary: {
      ended: input.ended,
      pagesFetched: order.length,
      pagesFailed: total((row) => row.failures - row.retried),
      outcomesRetried: total((row) => row.retried),
      failuresByKind: countByKind(events),
      crashes: events.crashes,
      pagesInFlight: rows.slice(-processors).reduce((sum, row) => sum + row.inFlight, 0),
      reachablePages: input.reachable.reduce((sum, one) => sum + one, 0),
      supersteps: supersteps.length,
      superstepLimit: input.superstepLimit,
      superstepLimitOrigin: input.superstepLimitOrigin,
      virtualSeconds: lastUs / 1e6,
      bytes: total((row) => row.bytes),
      meanExtracted: rows.length === 0 ? 0 : extracted / rows.length,
      staleRatio: extracted === 0 ? 0 : total((row) => row.stale) / extracted,
      pagesPerProcessor: pagesPerProcessor(rows, processors),
      quality,
      hotPages: hotPageRecall(order, ranks, best, quality.horizonPages),
      parallel: measureParallel(events, ranks, best),
      harvest: input.scores === undefined ? null : measureHarvest({ ...input, ...events }, input.scores),
      subgraphTauB: input.measures === 'all' ? subgraphRankTauB(input.graph, order, ranks) : null,
      balance: measureBalance(rows, processors),
      communication: communication(input),
      bsp: {
        comparisons: sumOfMaxima((row) => row.extractComparisons + row.insertComparisons),
        pairs: sumOfMaxima((row) => Math.max(row.pairsSent, row.pairsReceived)),
        messages: sumOfMaxima((row) => Math.max(row.messagesSent, row.messagesReceived)),
        supersteps: supersteps.length,
      },
      queueStructureMost: rows.reduce((most, row) => Math.max(most, row.queueStructure), 0),
      queueIo: { reads: total((row) => row.queueReads), writes: total((row) => row.queueWrites) },
      robots: {
        busy: share(spent.busy), stalled: share(spent.stalled), noJob: share(spent.noJob), barrier: share(spent.barrier),
      },
      lowerBoundSeconds: lowerBound.us / 1e6,
      lowerBoundHost: lowerBound.host === undefined ? '' : hosts.names.at(lowerBound.host),
      tail: input.ended === 'frontier dry' ? measureTail(events, hosts, processors, input.politenessUs) : null,
      partition: partitionFigures(input),
    },
  };
}

function communication({ events: { rows, order }, messageHeaderBytes, pairBytes }: SummaryInput): Communication {
  let [crossLinks, pairs, messages] = [0, 0, 0];
  for (const row of rows) {
    crossLinks += row.crossLinks;
    pairs += row.pairsSent;
    messages += row.messagesSent;
  }
  const pages = Math.max(1, order.length);
  const bytes = messages * messageHeaderBytes + pairs * pairBytes;
  return {
    crossLinksPerPage: crossLinks / pages, pairsPerPage: pairs / pages,
    messages, messagesPerPage: messages / pages, bytes, bytesPerPage: bytes / pages,
  };
}

function partitionFigures({ partition, reachable, graph: { hosts }, processors }: SummaryInput): PartitionFigures {
  const { host, share, efficiencyBound } = largestHost(reachable, hosts, processors);
  return { ...partition, largestHost: host === undefined ? '' : hosts.names.at(host), largestHostShare: share, efficiencyBound };
}

function countByKind({ failures }: RunEvents): Record<string, number> {
  const kinds = [...new Set(failures.map(({ kind }) => kind))].sort();
  return Object.fromEntries(kinds.map((kind) => [kind, failures.filter((failure) => failure.kind === kind).length]));
}

/**
 * max over hosts of (pages - 1) x delay + the sum of its download times: a host's downloads follow one another, and no
 * processors or robots can change that (Castillo et al., "Scheduling algorithms for Web crawling", 2004). Failed attempts
 * count; ties name the lowest host id.
 */
function timeLowerBound({ events, graph: { hosts: { ofPage } }, politenessUs }: SummaryInput): { us: number; host: number | undefined } {
  const us = new Map<number, number>();
  const add = (page: number, durationUs: number): void => {
    const before = us.get(ofPage[page]);
    us.set(ofPage[page], durationUs + (before === undefined ? 0 : before + politenessUs));
  };
  events.order.forEach((page, i) => add(page, events.times[2 * i + 1] - events.times[2 * i]));
  for (const { page, startedUs, finishedUs } of events.failures) add(page, finishedUs - startedUs);
  let longest: { us: number; host: number | undefined } = { us: 0, host: undefined };
  for (const [host, hostUs] of us) {
    const isLonger = hostUs > longest.us || (hostUs === longest.us && host < (longest.host ?? Infinity));
    if (isLonger) longest = { us: hostUs, host };
  }
  return longest;
}
