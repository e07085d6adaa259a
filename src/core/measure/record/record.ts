import type { HostDegree } from '../../../graphs/graph/index.ts';
import type { Change, RunEnd } from '../../events/index.ts';
import type { Crash, HostGivenUpRow, RunEvents, StatisticsRow } from './events.ts';
import type { RankGathered, SecondsToRank } from '../quality/gathered.ts';
import type { Harvest } from '../quality/harvest.ts';
import type { HotPageRecall } from '../quality/hot-pages.ts';
import type { Limits } from '../limits/limits.ts';
import type { ParallelFigures } from '../parallel.ts';
import type { Quality, RunCurves } from '../quality/quality.ts';
import type { Tail } from '../quality/tail.ts';

/** Kinds of outcomes that were no page, in the words of a sentence about them. */
const failureWords: Readonly<Record<string, string>> = {
  notFound: 'not found',
  serverError: 'server error',
  timeout: 'timed out',
  refused: 'connection refused',
  robotsDenied: 'denied by robots.txt',
  robotsFetched: 'robots.txt first',
  rejected: 'rejected',
  lost: 'lost in a crash',
  busy: 'not asked: the address was busy',
};

/** What became of requests that brought no page, most frequent first. */
export function failuresInWords({
  failuresByKind,
}: Pick<RunSummary, 'failuresByKind'>): { readonly words: string; readonly count: number }[] {
  return Object.entries(failuresByKind)
    .map(([kind, count]) => ({ words: failureWords[kind] ?? kind, count }))
    .sort((a, b) => b.count - a.count);
}

export interface DatasetFacts {
  readonly name: string;
  readonly pages: number;
  readonly arcs: number;
  readonly hosts: number;
  readonly hostsAreSynthetic: boolean;
  readonly sha256: string;
  /** The graph of hosts, weight = links: ordered pairs of different hosts that are linked, as a share of all pairs. */
  readonly hostGraph: {
    readonly density: number;
    readonly linkedPairs: number;
    readonly links: number;
    readonly linksWithinHosts: number;
    /** Hosts of the greatest weighted out-degree and in-degree. */
    readonly topOut: readonly HostDegree[];
    readonly topIn: readonly HostDegree[];
  };
}

/**
 * mean(X)/mean(Y) with X the average, Y the maximum over processors in a superstep; and, beside it, mean(X/Y). Null
 * where there was no such work.
 */
export interface Balance {
  readonly pages: number | null;
  /** Mean over maximum of the whole run's totals: a property of the partition. */
  readonly pagesWholeRun: number | null;
  readonly bytes: number | null;
  readonly busy: number | null;
  readonly extract: number | null;
  readonly insert: number | null;
  readonly meanOfRatios: Record<'pages' | 'bytes' | 'busy' | 'extract' | 'insert', number | null>;
}

/** Messages between processors, in all and per fetched page; null if there were none. */
export interface Communication {
  /** Links to pages of other processors, before combining. */
  readonly crossLinksPerPage: number | null;
  readonly pairsPerPage: number | null;
  readonly messages: number;
  readonly messagesPerPage: number | null;
  /** Messages by `messageHeaderBytes`, and pairs by `pairBytes`. */
  readonly bytes: number;
  readonly bytesPerPage: number | null;
}

/** Hosts of which a page was fetched, and hosts with a page within reach. */
export interface HostCounts {
  readonly fetched: number;
  readonly reachable: number;
}

export interface RunSummary {
  /** Why the run ended; `incomplete`: it was killed, and this is what its record has of it. */
  readonly ended: RunEnd | 'incomplete';
  readonly pagesFetched: number;
  readonly rankGathered: RankGathered;
  readonly secondsToRank: SecondsToRank;
  readonly hosts: HostCounts;
  readonly limits: Limits;
  readonly pagesFailed: number;
  /** Outcomes that were no page and did not end the matter: tried again, lost in a crash, fetches of robots.txt. */
  readonly outcomesRetried: number;
  /** Outcomes that were no page, by kind: one name for each kind that there was. */
  readonly failuresByKind: Readonly<Record<string, number>>;
  readonly crashes: readonly Crash[];
  /** Downloads begun and not observed when the run ended. */
  readonly pagesInFlight: number;
  readonly reachablePages: number;
  readonly supersteps: number;
  /** R_x: the greatest and the least of any superstep. */
  readonly superstepLimit: number;
  readonly minSuperstepLimit: number;
  /** Given, tuned, why tuning found none, or the rule of the default. */
  readonly superstepLimitOrigin: string;
  /** Targets of pending jobs of all processors and supersteps, and where they come from: given, or the rule. */
  readonly pendingTarget: { readonly min: number; readonly max: number; readonly origin: string };
  /** Share of pending jobs among the pages that waited, queued ones included, at all barriers; null where none did. */
  readonly pendingShare: number | null;
  readonly virtualSeconds: number;
  readonly bytes: number;
  /** Entries extracted per superstep and processor: the paper's average R. */
  readonly meanExtracted: number;
  /** Stale entries among those extracted; null where there were none. */
  readonly staleRatio: number | null;
  readonly pagesPerProcessor: readonly number[];
  readonly quality: Quality;
  readonly hotPages: HotPageRecall;
  readonly parallel: ParallelFigures;
  /** Null where no scores were given, or all within reach are 0. */
  readonly harvest: Harvest | null;
  /**
   * Kendall's tau-b of the PageRank of the pages fetched and the links between them, against their true ranks; null
   * where all tie, and without `measures: all`.
   */
  readonly subgraphTauB: number | null;
  readonly balance: Balance;
  readonly communication: Communication;
  /** Sums over supersteps of the most comparisons (W), pairs (H) and messages of any processor; S. */
  readonly bsp: {
    readonly comparisons: number;
    readonly pairs: number;
    readonly messages: number;
    readonly supersteps: number;
  };
  /** The greatest `queueStructure` of any processor after any superstep: it shows that the queue was at work. */
  readonly queueStructureMost: number;
  /** Sums of `queueReads` and `queueWrites`: the work of queues in secondary memory, 0 of those in memory. */
  readonly queueIo: { readonly reads: number; readonly writes: number };
  /** Shares of robot time; they sum to 1. */
  readonly robots: Record<'busy' | 'stalled' | 'noJob' | 'barrier', number>;
  /** No crawl of these pages from these hosts can end sooner, and the host that says so. */
  readonly lowerBoundSeconds: number;
  readonly lowerBoundHost: string;
  /** Null where the run ended with something left to fetch. */
  readonly tail: Tail | null;
  readonly partition: PartitionFigures;
  /** Null without `statistics`. */
  readonly statistics: GraphStatistics | null;
}

/** The last row of `statistics.csv` that has all figures: the graph after the superstep `atSuperstep`. */
export type GraphStatistics = Omit<StatisticsRow, 'superstep'> & { readonly atSuperstep: number };

/** What a run with statistics leaves besides its record. */
export interface StatisticsResult {
  /** `statistics.csv`: in order of supersteps. */
  readonly rows: readonly StatisticsRow[];
  /** Why the rows end early; undefined if they do not. */
  readonly failure?: Error | undefined;
}

/** The partition of all hosts on the graph's host graph: Leicht and Newman's modularity, links that cross. */
export interface PartitionFigures {
  readonly modularity: number;
  readonly crossingLinks: number;
  readonly links: number;
  /** The host with the most pages within reach, or ''; its share of them; min(1, n / (P n_max)) (`largest-host.ts`). */
  readonly largestHost: string;
  readonly largestHostShare: number;
  readonly efficiencyBound: number;
}

/** What a run took of the machine. It is no property of the replay, and no part of its hash. */
export interface RunMemory {
  /** Offsets and targets of the links, in one direction, by link. */
  readonly graphBytesPerArc: number;
  /** Pages that the processors knew at the end. */
  readonly pagesKnown: number;
  /** The part of these that was not in queues, per page. */
  readonly stateBytesPerPage: number;
  /** The most memory that the process has had until the run ended, other runs included. */
  readonly peakResidentBytes: number;
}

/** `run.json`. */
export interface RunJson<E = unknown> {
  /** Version of Orbweaver. */
  readonly version: string;
  /** Format of the record's files (`recordFormat`); absent from records of the first. */
  readonly format?: number | undefined;
  /** Every setting of the run. */
  readonly experiment: E;
  /** What was crawled. */
  readonly dataset: DatasetFacts;
  /** Checksum over all events: equal hashes, equal crawls. */
  readonly replayHash: string;
  /** Figures of the run. */
  readonly summary: RunSummary;
  /** Settings changed while the run went on; absent where none was. With the experiment they repeat it. */
  readonly changes?: readonly Change[];
  /** The run as which a fork began. */
  readonly forkOf?: ForkOf;
  /** Absent from records made by hand and of runs that were killed. */
  readonly memory?: RunMemory;
  /** The origin of the run; absent from records of several runs, and of earlier versions. */
  readonly origin?: RunOrigin;
}

/** The origin of a run: enough to make its figures again. */
export interface RunOrigin {
  /** Name in the catalogue, or an absolute path, of the stored graph. */
  readonly graph?: string | undefined;
  /** Absolute path of the scores that the policy goes by. */
  readonly scores?: string | undefined;
  /** As one would type it. */
  readonly command?: string | undefined;
}

/** The place where a fork left its first run. It is enough to repeat the fork without the record of that run. */
export interface ForkOf {
  /** Absolute path of the record of the run that was forked. */
  readonly folder: string;
  /** The replay hash of that run; null if it had not ended. */
  readonly replayHash: string | null;
  /** The first superstep that is the fork's own. */
  readonly superstep: number;
  /** Under which settings the supersteps before it ran; more than one leg if that run was a fork. */
  readonly legs: readonly ForkLeg[];
}

/** Supersteps that ran under the same settings. */
export interface ForkLeg {
  readonly experiment: unknown;
  /** The first superstep that is not part of it. */
  readonly untilSuperstep: number;
}

/** A finished run in memory. */
export interface RunResult<E = unknown> {
  /** Settings and figures. */
  readonly run: RunJson<E>;
  /** What happened. */
  readonly events: RunEvents;
  /** What the figures of quality were computed from. */
  readonly curves: RunCurves;
  /** Present in a run with `statistics`. */
  readonly statistics?: StatisticsResult | undefined;
  /** Hosts that were given up; absent if there are none. */
  readonly hostsGivenUp?: readonly HostGivenUpRow[] | undefined;
}
