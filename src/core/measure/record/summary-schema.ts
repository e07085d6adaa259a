import * as z from 'zod';
import { limitKinds } from '../limits/kinds.ts';
import type { RunSummary } from './record.ts';

const number = z.number();
const count = z.int().min(0);
const perhaps = number.nullable();
const counts = z.array(count);

/** An object with the same kind of value under each of these names, and nothing else. */
function each<N extends string, S extends z.ZodType>(names: readonly N[], value: S) {
  return z.strictObject(Object.fromEntries(names.map((name) => [name, value])) as Record<N, S>);
}

const afterShares = each(['10%', '25%', '50%'], perhaps);
const loads = ['pages', 'bytes', 'busy', 'extract', 'insert'] as const;

const statistics = z.strictObject({
  atSuperstep: count, pages: count, arcs: count, danglingPages: count, method: z.enum(['exact', 'estimate', '']),
  components: perhaps, corePages: perhaps, inPages: perhaps, outPages: perhaps, inDegreeExponent: perhaps,
  inDegrees: counts.nullable(), outDegrees: counts.nullable(), diameter: perhaps, maxDiameter: perhaps,
  averageDistance: perhaps, averageDistanceLow: perhaps, averageDistanceHigh: perhaps, effectiveDiameter: perhaps,
  effectiveDiameterLow: perhaps, effectiveDiameterHigh: perhaps,
});

/** The figures of a run as this version writes them, each defined: what comes from elsewhere is read through it. */
export const summarySchema = z.strictObject({
  ended: z.enum(['frontier dry', 'page limit', 'time limit', 'interrupted', 'no progress', 'incomplete']),
  pagesFetched: count,
  rankGathered: each(['ofReachable', 'ofAll'], number),
  secondsToRank: each(['50', '80', '90'], perhaps),
  hosts: each(['fetched', 'reachable'], count),
  limits: z.strictObject({
    named: z.array(z.enum(limitKinds)),
    shares: each(limitKinds, number),
    hosts: z.strictObject({ count, names: z.array(z.string()) }),
  }),
  pagesFailed: count,
  outcomesRetried: count,
  failuresByKind: z.record(z.string(), count),
  crashes: z.array(z.strictObject({ superstep: count, processor: count, atUs: number, resumedUs: number })),
  pagesInFlight: count,
  reachablePages: count,
  supersteps: count,
  superstepLimit: number,
  minSuperstepLimit: number,
  superstepLimitOrigin: z.string(),
  pendingTarget: z.strictObject({ min: number, max: number, origin: z.string() }),
  pendingShare: perhaps,
  virtualSeconds: number,
  bytes: number,
  meanExtracted: number,
  staleRatio: perhaps,
  pagesPerProcessor: counts,
  quality: z.strictObject({
    pagerankArea: number, bound: number, random: number, normalisedGain: perhaps, horizonPages: count,
    secondsToPages: each(['50%', '90%', '100%'], perhaps),
  }),
  hotPages: each(['1%', '10%'], afterShares),
  parallel: z.strictObject({ overlap: perhaps, coverage: number, quality: perhaps, communication: perhaps }),
  harvest: z.strictObject({
    reachableMean: number, meanAfter: each(['10%', '25%', '50%', '100%'], perhaps), area: number, bound: number,
    random: number, normalisedGain: perhaps,
  }).nullable(),
  subgraphTauB: perhaps,
  balance: z.strictObject({
    pages: perhaps, pagesWholeRun: perhaps, bytes: perhaps, busy: perhaps, extract: perhaps, insert: perhaps,
    meanOfRatios: each(loads, perhaps),
  }),
  communication: z.strictObject({
    crossLinksPerPage: perhaps, pairsPerPage: perhaps, messages: count, messagesPerPage: perhaps, bytes: number,
    bytesPerPage: perhaps,
  }),
  bsp: z.strictObject({ comparisons: number, pairs: count, messages: count, supersteps: count }),
  queueStructureMost: number,
  queueIo: each(['reads', 'writes'], count),
  robots: each(['busy', 'stalled', 'noJob', 'barrier'], number),
  lowerBoundSeconds: number,
  lowerBoundHost: z.string(),
  tail: z.strictObject({ startSeconds: number, seconds: number, downloads: count, lowerBoundSeconds: number })
    .nullable(),
  partition: z.strictObject({
    modularity: number, crossingLinks: number, links: number, largestHost: z.string(), largestHostShare: number,
    efficiencyBound: number,
  }),
  statistics: statistics.nullable(),
}) satisfies z.ZodType<RunSummary>;
