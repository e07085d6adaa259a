import type { StatisticsRow } from '../../core/measure/index.ts';
import type { JobKind, JobState } from './job/contract.ts';

export { jobKinds } from './job/contract.ts';
export type { Candidate, JobBoard, JobFile, JobKind, JobProgress, JobState, Measure } from './job/contract.ts';

/** What does not change while a run goes on. */
export interface RunCard {
  /** Letters, digits and hyphens; unique among running runs. */
  readonly id: string;
  readonly kind: 'simulation' | 'live' | JobKind;
  /** The graph, or the first seed URL; of a crawl that is resumed, its folder. */
  readonly name: string;
  /** As one would type it. */
  readonly command: string;
  readonly pid: number;
  /** When the command started: ISO 8601, UTC. */
  readonly startedAt: string;
  /** The absolute path of its record; null if it writes none. */
  readonly folder: string | null;
}

/** A card with the facts of a run that has started. */
export interface StartedRun extends RunCard {
  readonly processors: number;
  /** Pages that it can fetch at most; null if that is not known. */
  readonly maxPages: number | null;
  /** Seconds of the run's clock; null without a limit. */
  readonly maxSeconds: number | null;
  /** All settings of the crawl, by their names. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** The rank that the best order would have gathered; null where no rank is known. */
  readonly bound: RankBound | null;
}

/**
 * The best order of all pages within reach: the share of the rank that its first pages have; at most
 * `maxBoundPoints` points, from 0 pages to all. A random order gathers rank in proportion to the pages, on average.
 */
export interface RankBound {
  readonly pages: readonly number[];
  readonly rank: readonly number[];
}

/**
 * `preparing`: the graph is read and ranked; `stopping`: it ends at the next barrier; `finalising`: its record is
 * written. `finished` and `failed` are the last.
 */
export type RunPhase = 'preparing' | 'running' | 'paused' | 'stopping' | 'finalising' | 'finished' | 'failed';

export interface ProcessorState {
  readonly processor: number;
  readonly robots: number;
  /** Downloads in progress, at most `maxOpenShown` of them, and how many there are. */
  readonly open: readonly { readonly name: string; readonly seconds: number }[];
  readonly openCount: number;
  readonly queued: number;
  readonly pending: number;
  readonly known: number;
  readonly fetched: number;
  readonly failures: number;
  readonly bytes: number;
  /** Null before the first one. `at`: seconds since the run began. */
  readonly lastOutcome: { readonly name: string; readonly kind: string; readonly at: number } | null;
}

/** Pages of the graph fetched by their links; links of and to pages that are not fetched do not count. */
export interface DegreeCounts {
  readonly superstep: number;
  readonly pages: number;
  /** Pages with 0, 1, 2 to 3, 4 to 7, ... links to them; at most 33 numbers. */
  readonly inDegrees: readonly number[];
  /** Likewise from them. */
  readonly outDegrees: readonly number[];
}

/** A run at one moment. */
export interface RunState {
  readonly phase: RunPhase;
  /** The message of a run that failed. */
  readonly error: string | null;
  readonly superstep: number;
  /** Seconds by the run's clock: virtual in a simulation. */
  readonly seconds: number;
  /** Since the command started. */
  readonly elapsedSeconds: number;
  readonly pagesFetched: number;
  readonly failures: number;
  readonly bytes: number;
  readonly processors: readonly ProcessorState[];
  /** Figures of the graph fetched so far, where the run computes them. */
  readonly statistics: StatisticsRow | null;
  /** The last row with figures of distances and components. */
  readonly figures: StatisticsRow | null;
  /** Degrees of the last row that has them. */
  readonly degrees: DegreeCounts | null;
  /** Supersteps per second of a simulation that is slowed; null: full speed. */
  readonly pace: number | null;
  /** What limits the run so far, as a sentence; null before a page is fetched. */
  readonly limits: string | null;
}

/** Curves of a run, by superstep. All columns have the same length; a point is the state at its barrier. */
export interface CurveColumns {
  readonly superstep: readonly number[];
  readonly seconds: readonly number[];
  readonly pages: readonly number[];
  readonly failures: readonly number[];
  readonly bytes: readonly number[];
  /** Share of the rank of all pages within reach; empty where no rank is known. */
  readonly rank: readonly number[];
  /** Since the point before: share of robot time spent downloading. Points left out are part of the one after them. */
  readonly busy: readonly number[];
  /** Likewise: mean over maximum of the processors' pages, each summed over supersteps; 1 where nothing was fetched. */
  readonly balance: readonly number[];
  /** Likewise: pairs sent, and comparisons of the queues. */
  readonly pairs: readonly number[];
  readonly comparisons: readonly number[];
}

/** A line of a run's feed: what a user would want to have been told. */
export interface FeedLine {
  /** From 0 on, without gaps. */
  readonly number: number;
  /** Seconds since the run began. */
  readonly at: number;
  readonly processor: number | null;
  readonly text: string;
}

/**
 * What a run sends, a line of JSON each. The first is `card`; the last is a `state`, or the `job` of a plan, a tune or
 * a study, with a phase of `finished` or `failed`.
 */
export type RunMessage =
  | { readonly is: 'card'; readonly card: RunCard }
  | { readonly is: 'started'; readonly run: StartedRun }
  | { readonly is: 'state'; readonly state: RunState }
  | { readonly is: 'job'; readonly job: JobState }
  /** All curves anew: at first, and whenever points were left out to bound them. */
  | { readonly is: 'curves'; readonly curves: CurveColumns }
  /** Points that were added since. */
  | { readonly is: 'points'; readonly curves: CurveColumns }
  | { readonly is: 'feed'; readonly lines: readonly FeedLine[] }
  | { readonly is: 'answer'; readonly to: number; readonly error: string | null };

/** What a watcher asks. `number` names the request in its answer. */
export type RunRequest = { readonly number: number } & (
  | { readonly do: 'pause' | 'resume' | 'stop' }
  /** Without `processor`: all of them. */
  | { readonly do: 'robots'; readonly robots: number; readonly processor?: number | undefined }
  /** The least delay between two downloads from a host, by its name, which only rises; null: nothing more from it. */
  | { readonly do: 'host'; readonly host: string; readonly delayMs: number | null }
  /** Supersteps of a simulation per second of the clock on the wall; null: full speed. */
  | { readonly do: 'pace'; readonly maxSuperstepsPerSecond: number | null }
);

/** Supersteps per second of a simulation that is slowed. */
export const minPace = 0.1;
export const maxPace = 1000;
export const maxOpenShown = 16;
export const maxCurvePoints = 2000;
export const maxFeedLines = 500;
export const maxBoundPoints = 200;
