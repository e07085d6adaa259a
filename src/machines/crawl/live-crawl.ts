import type { RunControl } from '../../core/engine/index.ts';
import type { RunSink } from '../../core/events/index.ts';
import type { WebGraph } from '../../graphs/graph/index.ts';
import type { FetchedPage, LiveSettings, Lookup } from '../../core/live/index.ts';
import type { RunResult, StatisticsRow } from '../../core/measure/index.ts';
import type { NodeOptions, StoredNode } from './nodes/node-options.ts';
import type { PolicyDefinition } from '../../core/policy/index.ts';
import type { LiveCrawlSettings, MeasureSettings, SettledCrawl } from '../../core/settings/index.ts';
import type { WorldError } from '../../base/index.ts';

/** Progress of a live crawl, after every outcome and at every barrier. */
export interface LiveProgress {
  readonly superstep: number;
  readonly pagesFetched: number;
  readonly pagesKnown: number;
  readonly seconds: number;
}

/** Options of a live crawl besides its request: sinks, control, and what settings cannot express. */
export interface LiveCrawlOptions {
  /** Receive the events of the crawl, after those from before it was resumed. */
  readonly sinks?: readonly RunSink[] | undefined;
  /** Called after every outcome and at every barrier. */
  readonly onProgress?: ((progress: LiveProgress) => void) | undefined;
  /**
   * Called with each page that is fetched, redirects apart, before it is stored as fetched; the robot waits for the
   * promise, so that a slow program slows the crawl down. Each page comes at least once: again if the crawl ends before
   * the promise is fulfilled and is resumed with `onPage`. If the promise is rejected, the crawl ends with that error,
   * and can be resumed.
   */
  readonly onPage?: ((page: FetchedPage) => Promise<void> | void) | undefined;
  /** Called with each row of statistics when it is there, some supersteps late; only if the settings ask for any. */
  readonly onStatistics?: ((row: StatisticsRow) => void) | undefined;
  /** Inspects and changes the crawl. */
  readonly control?: RunControl | undefined;
  /** When aborted, the crawl starts no more downloads, ends as `graceMs` says, and can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum wait for downloads that are open when the crawl ends, milliseconds: 10,000 by default. Then they are
   * cancelled.
   */
  readonly graceMs?: number | undefined;
  /** The command as one would type it, for the record. */
  readonly command?: string | undefined;
  /** A lower maximum size of checkpoints than that of the store, for tests. @internal */
  readonly maxCheckpointBytes?: number | undefined;
  /** The caller's own policies, which the settings name like any other. */
  readonly policies?: readonly PolicyDefinition[] | undefined;
  /** For policies that need scores or ranks: scores by URL without its scheme; others score 0. */
  readonly scores?: ReadonlyMap<string, number> | undefined;
  /** Used instead of the system's resolver. */
  readonly lookup?: Lookup | undefined;
  /** When a crawl is resumed: pages that failed without an answer, and those of hosts given up, are tried again. */
  readonly retryFailed?: boolean | undefined;
  /** By how much the crawl's clock is faster than that of the machine, for tests of long waits. @internal */
  readonly clockSpeed?: number | undefined;
  /** The part of this machine in a crawl on several. @internal */
  readonly node?: NodeOptions | undefined;
}

/** False for those of tests and clusters. */
export const liveCrawlOptionFields = {
  sinks: true, onProgress: true, onPage: true, onStatistics: true, control: true, signal: true, graceMs: true,
  command: true, maxCheckpointBytes: false, policies: true, scores: true, lookup: true, retryFailed: true,
  clockSpeed: false, node: false,
} as const satisfies Record<keyof LiveCrawlOptions, boolean>;

/** The settings of a live crawl, with those that follow from others. */
export interface LiveExperiment extends SettledCrawl, MeasureSettings {
  readonly live: LiveSettings;
  /** Ids of its seed pages. */
  readonly seedPages: number[];
}

/** A crawl that ended, and the graph of its known pages: its record's page ids are those of the graph. */
export interface LiveResult extends RunResult<LiveExperiment> {
  /**
   * Every page that the crawl knows, and the links of those fetched: `graph.owg`. Of a node of several, without the
   * pages of other nodes, which are the last ones in `graph.owg`.
   */
  readonly graph: WebGraph;
  /**
   * Pages that are stored but not in the record: a session that was killed fetched them, and this one ended before it
   * reached them again.
   */
  readonly pagesBeyondRecord: number;
  /**
   * Pages that the crawl has fetched: of a node of several, those of all nodes. Undefined if the end of the crawl was
   * stored by a version that did not store them.
   */
  readonly pagesOfAll: number | undefined;
  /** Whether the crawl had come to its end before it was resumed: then nothing was fetched, and its record is the same. */
  readonly hadEnded: boolean;
  /** Why the crawl had to end; thrown when its record is written. */
  readonly failure: WorldError | undefined;
}

/** How a crawl was started, as its store has it. */
export interface StoredCrawl {
  readonly experiment: LiveCrawlSettings;
  readonly live: LiveSettings;
  /** Canonical URLs, none twice. */
  readonly seeds: readonly string[];
  /** The part of this folder in a crawl on several machines. */
  readonly cluster?: StoredNode | undefined;
}
