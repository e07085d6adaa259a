import type { GraphPages, PartitionModularity, WebGraph } from '../../graphs/graph/index.ts';
import { assert } from '../../base/index.ts';
import type { CrawlSettings } from '../settings/index.ts';
import type { HostAddresses } from '../world/index.ts';
import { loadsOf, measureBalance, pagesPerProcessor } from './balance.ts';
import { largestHost } from './largest-host.ts';
import { measureHarvest } from './quality/harvest.ts';
import { measureGathered } from './quality/gathered.ts';
import { hotPageRecall } from './quality/hot-pages.ts';
import { measureLimits } from './limits/limits.ts';
import { measureParallel } from './parallel.ts';
import { fallingRanks, measureQuality } from './quality/quality.ts';
import type {
  Communication, GraphStatistics, HostCounts, PartitionFigures, RunSummary, StatisticsResult,
} from './record/record.ts';
import type { RunCurves } from './quality/quality.ts';
import type { Origins } from './record/run-record.ts';
import type { RunEvents, SuperstepRow } from './record/events.ts';
import { turnsOf } from './record/read/turns.ts';
import { restingUs, superstepEnds } from './supersteps.ts';
import { addressInWords, sharedAddresses, type SharedAddress } from './limits/shared-addresses.ts';
import { subgraphRankTauB } from './quality/subgraph-rank.ts';
import { measureTail } from './quality/tail.ts';

export interface SummaryInput {
  readonly events: RunEvents;
  readonly graph: GraphPages;
  /** The graph with its links, for figures that need them. */
  readonly whole: () => WebGraph;
  readonly ranks: Float64Array;
  /** Those that the order went by, where they were given. */
  readonly scores?: Float64Array | undefined;
  readonly reachable: Uint8Array;
  /** With `all`, also figures that take long for what they show. */
  readonly measures: 'usual' | 'all';
  readonly processors: number;
  readonly robots: number;
  readonly origins: Origins;
  readonly politenessUs: number;
  /** Undefined where addresses have no delay, or are not known. */
  readonly addresses?: HostAddresses | undefined;
  readonly deniedCost: CrawlSettings['deniedCost'];
  /** Bytes per second, 0 for no limit; undefined of a live crawl. */
  readonly processorBandwidth?: number | undefined;
  /** The longest superstep; undefined for no limit. */
  readonly superstepUs: number | undefined;
  readonly messageHeaderBytes: number;
  readonly pairBytes: number;
  readonly maxPages?: number | undefined;
  readonly ended: RunSummary['ended'];
  readonly partition: PartitionModularity;
  readonly statistics?: StatisticsResult | undefined;
}

/**
 * The figures of a run, from its events and the graph alone (`ended`, `partition` and the limit's origin apart, which
 * are passed through).
 * @param best ranks of the pages within reach, falling: bestRanks.
 */
export function summarise(
  input: SummaryInput, best = fallingRanks(input.ranks, input.reachable),
): { summary: RunSummary; curves: RunCurves } {
  const { events, ranks, processors, robots } = input;
  const { hosts } = input.graph;
  const { rows, order } = events;
  const horizonPages = horizonOf(input);
  const { curves, ...quality } = measureQuality({ ...input, ...events, horizonPages }, best);
  const ends = superstepEnds(rows);
  const total = totals(rows);
  for (const us of restingUs(events, input)) total.barrierWaitUs += us;
  const [comparisons, pairs, messages] = loadsOf(rows, processors, [
    (row) => row.extractComparisons + row.insertComparisons,
    (row) => Math.max(row.pairsSent, row.pairsReceived),
    (row) => Math.max(row.messagesSent, row.messagesReceived),
  ]);
  const lastUs = rows.at(-1)?.barrierUs ?? 0;
  const { busyUs, stalledUs, noJobUs, barrierWaitUs, extracted } = total;
  const robotUs = busyUs + stalledUs + noJobUs + barrierWaitUs;
  const expectedUs = processors * robots * lastUs;
  assert(robotUs === expectedUs || events.changes.length > 0, () =>
    `robot time ${JSON.stringify({ busyUs, stalledUs, noJobUs, barrierWaitUs })} does not sum to P x r x T = ` +
    `${expectedUs} us`);
  const share = (us: number): number => (robotUs === 0 ? 0 : us / robotUs);
  const turns = { ...input, events: turnsOf(events, input) };
  const shared = sharedAddresses(turns);
  const lowerBound = timeLowerBound(turns, shared);
  return {
    curves,
    summary: {
      ended: input.ended,
      pagesFetched: order.length,
      ...measureGathered(events, ranks, best),
      hosts: countHosts(input),
      limits: measureLimits({ ...turns, shared, isWhole: input.ended === 'frontier dry' }),
      pagesFailed: total.failures - total.retried + total.dropped,
      outcomesRetried: total.retried,
      failuresByKind: countByKind(events),
      crashes: events.crashes,
      pagesInFlight: rows.slice(ends.at(-2) ?? 0).reduce((sum, row) => sum + row.inFlight, 0),
      reachablePages: best.length,
      supersteps: ends.length,
      ...settledValues(input, total),
      virtualSeconds: lastUs / 1e6,
      bytes: total.bytes,
      meanExtracted: rows.length === 0 ? 0 : extracted / (ends.length * processors),
      staleRatio: extracted === 0 ? null : total.stale / extracted,
      pagesPerProcessor: pagesPerProcessor(rows, processors),
      quality,
      hotPages: hotPageRecall(order, ranks, best, quality.horizonPages),
      parallel: measureParallel(events, ranks, best),
      harvest: input.scores === undefined ? null : measureHarvest({ ...input, ...events, horizonPages }, input.scores),
      subgraphTauB: input.measures === 'all' ? subgraphRankTauB(input.whole(), order, ranks) : null,
      balance: measureBalance(rows, processors),
      communication: communication(input, total),
      bsp: {
        comparisons: comparisons.maxima, pairs: pairs.maxima, messages: messages.maxima,
        supersteps: ends.length,
      },
      queueStructureMost: total.queueStructureMost,
      queueIo: { reads: total.queueReads, writes: total.queueWrites },
      robots: { busy: share(busyUs), stalled: share(stalledUs), noJob: share(noJobUs), barrier: share(barrierWaitUs) },
      lowerBoundSeconds: lowerBound.us / 1e6,
      lowerBoundHost: lowerBound.name,
      tail: input.ended === 'frontier dry' ? measureTail(turns.events, hosts, processors, input.politenessUs) : null,
      partition: partitionFigures(input),
      statistics: lastFigures(input.statistics),
    },
  };
}

/** The statistics of the last superstep that has any. */
function lastFigures(statistics: StatisticsResult | undefined): GraphStatistics | null {
  const last = statistics?.rows.findLast(({ method, corePages }) => method !== '' && corePages !== null);
  if (last === undefined) return null;
  const { superstep: atSuperstep, ...figures } = last;
  return { ...figures, atSuperstep };
}

/** B, over which the order is judged: all that a whole run was to fetch, otherwise the pages that it fetched. */
function horizonOf({ ended, maxPages, events: { order } }: SummaryInput): number {
  const isWhole = ended === 'frontier dry' || ended === 'page limit';
  return isWhole ? maxPages ?? Infinity : Math.max(1, order.length);
}

function countHosts({ graph: { hosts: { ofPage, count } }, events: { order }, reachable }: SummaryInput): HostCounts {
  const fetched = new Uint8Array(count);
  for (let i = 0; i < order.length; i++) fetched[ofPage[order[i]]] = 1;
  const within = new Uint8Array(count);
  for (let page = 0; page < reachable.length; page++) if (reachable[page] === 1) within[ofPage[page]] = 1;
  return { fetched: ones(fetched), reachable: ones(within) };
}

function ones(marks: Uint8Array): number {
  return marks.reduce((sum, mark) => sum + mark, 0);
}

/** R_x and the pending jobs aimed at, and where they come from. */
function settledValues({ events: { rows }, origins }: SummaryInput, total: ReturnType<typeof totals>) {
  const least = (value: number): number => (rows.length === 0 ? 0 : value);
  const waited = total.queued + total.pending;
  return {
    superstepLimit: total.superstepLimitMax, minSuperstepLimit: least(total.superstepLimitMin),
    superstepLimitOrigin: origins.superstepLimit,
    pendingTarget: { min: least(total.pendingTargetMin), max: total.pendingTargetMax, origin: origins.pending },
    pendingShare: waited === 0 ? null : total.pending / waited,
  };
}

/** Sums over all rows. In one pass: rows are many, and each pass would bring them from memory again. */
function totals(rows: readonly SuperstepRow[]) {
  const total = {
    failures: 0, retried: 0, dropped: 0, bytes: 0, extracted: 0, stale: 0, crossLinks: 0, pairsSent: 0, messagesSent: 0,
    queued: 0, pending: 0, busyUs: 0, stalledUs: 0, noJobUs: 0, barrierWaitUs: 0, queueStructureMost: 0,
    queueReads: 0, queueWrites: 0, pendingTargetMin: Infinity, pendingTargetMax: 0, superstepLimitMin: Infinity,
    superstepLimitMax: 0,
  };
  for (const row of rows) {
    total.failures += row.failures;
    total.retried += row.retried;
    total.dropped += row.dropped;
    total.bytes += row.bytes;
    total.extracted += row.extracted;
    total.stale += row.stale;
    total.crossLinks += row.crossLinks;
    total.pairsSent += row.pairsSent;
    total.messagesSent += row.messagesSent;
    total.queued += row.queued;
    total.pending += row.pending;
    total.busyUs += row.busyUs;
    total.stalledUs += row.stalledUs;
    total.noJobUs += row.noJobUs;
    total.barrierWaitUs += row.barrierWaitUs;
    total.queueStructureMost = Math.max(total.queueStructureMost, row.queueStructure);
    total.superstepLimitMin = Math.min(total.superstepLimitMin, row.superstepLimit);
    total.superstepLimitMax = Math.max(total.superstepLimitMax, row.superstepLimit);
    total.pendingTargetMin = Math.min(total.pendingTargetMin, row.pendingTarget);
    total.pendingTargetMax = Math.max(total.pendingTargetMax, row.pendingTarget);
    total.queueReads += row.queueReads;
    total.queueWrites += row.queueWrites;
  }
  return total;
}

function communication(
  { events: { order }, messageHeaderBytes, pairBytes }: SummaryInput,
  { crossLinks, pairsSent: pairs, messagesSent: messages }: ReturnType<typeof totals>,
): Communication {
  const perPage = (count: number): number | null => (order.length === 0 ? null : count / order.length);
  const bytes = messages * messageHeaderBytes + pairs * pairBytes;
  return {
    crossLinksPerPage: perPage(crossLinks), pairsPerPage: perPage(pairs),
    messages, messagesPerPage: perPage(messages), bytes, bytesPerPage: perPage(bytes),
  };
}

function partitionFigures({ partition, reachable, graph: { hosts }, processors }: SummaryInput): PartitionFigures {
  const { host, share, efficiencyBound } = largestHost(reachable, hosts, processors);
  return {
    ...partition, largestHost: host === undefined ? '' : hosts.names.at(host), largestHostShare: share, efficiencyBound,
  };
}

function countByKind({ failures }: RunEvents): Record<string, number> {
  const kinds = [...new Set(failures.map(({ kind }) => kind))].sort();
  return Object.fromEntries(kinds.map((kind) => [kind, failures.filter((failure) => failure.kind === kind).length]));
}

/**
 * max over hosts of (pages - 1) x delay + the sum of its download times: a host's downloads follow one another, and no
 * processors or robots can change that (Castillo et al., "Scheduling algorithms for Web crawling", 2004). Failed
 * attempts count; ties name the lowest host id. The same holds of an address that hosts share.
 */
function timeLowerBound(
  { events, graph: { hosts: { ofPage, count, names } }, politenessUs }: SummaryInput, shared: readonly SharedAddress[],
): { us: number; name: string } {
  const us = new Float64Array(count).fill(-Infinity);
  const add = (page: number, durationUs: number): void => {
    const host = ofPage[page];
    us[host] = Math.max(0, us[host] + politenessUs) + durationUs;
  };
  const { order, times } = events;
  for (let i = 0; i < order.length; i++) add(order[i], times[2 * i + 1] - times[2 * i]);
  for (const { page, startedUs, finishedUs } of events.failures) add(page, finishedUs - startedUs);
  let longest: { us: number; host: number | undefined } = { us: 0, host: undefined };
  for (let host = 0; host < count; host++) {
    if (us[host] > longest.us || (us[host] === longest.us && longest.host === undefined))
      longest = { us: us[host], host };
  }
  const address = shared.reduce<SharedAddress | undefined>((most, other) =>
    other.leastUs > (most?.leastUs ?? longest.us) ? other : most, undefined);
  if (address !== undefined) return { us: address.leastUs, name: addressInWords(address) };
  return { us: longest.us, name: longest.host === undefined ? '' : names.at(longest.host) };
}
