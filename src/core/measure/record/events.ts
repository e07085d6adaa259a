import type { Change, Crash, SuperstepRow } from '../../events/index.ts';
import { outcomeKinds } from '../../world/index.ts';

/** The record of a run: what `--out` stores on disk, and the figures that anyone can recompute from it. */

export type { Crash, SuperstepRow } from '../../events/index.ts';

/** Columns of `supersteps.csv`, in their order. */
export const superstepColumns = [
  'superstep', 'processor', 'barrierUs', 'pages', 'failures', 'retried', 'drained', 'bytes', 'extracted', 'stale',
  'inserted', 'reinserted', 'insertComparisons', 'extractComparisons', 'crossLinks', 'pairsSent', 'pairsReceived',
  'messagesSent', 'messagesReceived', 'busyUs', 'stalledUs', 'noJobUs', 'barrierWaitUs', 'queued', 'pending',
  'inFlight', 'queueStructure', 'queueReads', 'queueWrites', 'superstepLimit', 'pendingTarget', 'saturatedUs', 'waitUs',
  'restingUs', 'sampledPages', 'sampledIdle', 'denied', 'dropped', 'rekeyed', 'transferUs', 'throttledUs',
] as const satisfies readonly (keyof SuperstepRow)[];

/** Those that records of earlier versions do not have: 0 in these. */
export const laterColumns = [
  'denied', 'dropped', 'rekeyed', 'transferUs', 'throttledUs',
] as const satisfies readonly (keyof SuperstepRow)[];

/** Recorded outcomes; `lost`: a crash made the crawl forget the page. Positions are codes in the replay hash. */
export const recordedKinds = [...outcomeKinds.filter((kind) => kind !== 'busy'), 'lost', 'busy'] as const;
export const LOST = recordedKinds.indexOf('lost');

/** An outcome that was no page; `position` counts all outcomes in the order of the replay hash. */
export interface Failure {
  readonly position: number;
  readonly processor: number;
  readonly page: number;
  readonly kind: string;
  readonly startedUs: number;
  readonly finishedUs: number;
}

/** Columns of `failures.csv`, in their order. */
export const failureColumns = [
  'position', 'processor', 'page', 'kind', 'startedUs', 'finishedUs',
] as const satisfies readonly (keyof Failure)[];

/** A host that could not be reached for too long: a row of `hosts-given-up.csv`. */
export interface HostGivenUpRow {
  /** Its id, or its name in `hosts-given-up.csv`. */
  readonly host: number;
  readonly name: string;
  readonly processor: number;
  /** A few words. */
  readonly reason: string;
  /** Failures in a row, when the first of them ended, and when the last. */
  readonly failures: number;
  readonly firstFailureUs: number;
  readonly givenUpUs: number;
}

export const HOSTS_GIVEN_UP_FILE = 'hosts-given-up.csv';
/** Its columns, in their order. */
export const givenUpColumns = [
  'name', 'processor', 'reason', 'failures', 'firstFailureUs', 'givenUpUs',
] as const satisfies readonly (keyof HostGivenUpRow)[];

/** All events in the total order (finishedAtUs, processor, sequence). The caller owns a result's arrays. */
export interface RunEvents {
  /** Ids of the pages fetched: `order.u32`. */
  readonly order: Uint32Array;
  /** Processor of each. */
  readonly processors: Uint32Array;
  /** Started and finished, microseconds, two a page: `times.f64`. */
  readonly times: Float64Array;
  /** Outcomes that brought no page. */
  readonly failures: readonly Failure[];
  /**
   * What processors did in each superstep: `supersteps.csv`. In the first superstep each has a row, and later each that
   * is not at rest (`SuperstepEnd.rows`); a record of format 1 has all rows.
   */
  readonly rows: readonly SuperstepRow[];
  /** Crashes of processors. */
  readonly crashes: readonly Crash[];
  /** Settings that were changed while the run went on. */
  readonly changes: readonly Change[];
}

/**
 * The graph of the pages fetched and the links between them, after a superstep: a row of `statistics.csv`. Figures that
 * were not computed then are null.
 */
export interface StatisticsRow {
  readonly superstep: number;
  readonly pages: number;
  /** Without loops and repeated links. */
  readonly arcs: number;
  /** Pages without a link to another page fetched. */
  readonly danglingPages: number;
  /** How distances and components were computed; '' where they were not. */
  readonly method: 'exact' | 'estimate' | '';
  /** Strongly connected ones. */
  readonly components: number | null;
  /** The bow-tie: the largest component, pages that reach it, pages that it reaches. */
  readonly corePages: number | null;
  readonly inPages: number | null;
  readonly outPages: number | null;
  /** Exponent of the power law that fits the tail of the in-degrees best. */
  readonly inDegreeExponent: number | null;
  /** Pages with 0, 1, 2 to 3, 4 to 7, ... links to them, and from them; not in `statistics.csv`. */
  readonly inDegrees: readonly number[] | null;
  readonly outDegrees: readonly number[] | null;
  /** The longest finite distance is at least `diameter` links, and at most `maxDiameter`, if that is known. */
  readonly diameter: number | null;
  readonly maxDiameter: number | null;
  /** Over ordered pairs of pages of which the first reaches the second, in links, with its 95 % interval. */
  readonly averageDistance: number | null;
  readonly averageDistanceLow: number | null;
  readonly averageDistanceHigh: number | null;
  /** Distance within which 90 % of these pairs are. */
  readonly effectiveDiameter: number | null;
  readonly effectiveDiameterLow: number | null;
  readonly effectiveDiameterHigh: number | null;
}

/** Columns of `statistics.csv`, in their order. */
export const statisticsColumns = [
  'superstep', 'pages', 'arcs', 'danglingPages', 'method', 'components', 'corePages', 'inPages', 'outPages',
  'inDegreeExponent', 'diameter', 'maxDiameter', 'averageDistance', 'averageDistanceLow', 'averageDistanceHigh',
  'effectiveDiameter', 'effectiveDiameterLow', 'effectiveDiameterHigh',
] as const satisfies readonly (keyof StatisticsRow)[];
