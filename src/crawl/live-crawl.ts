import type { RunControl } from '../engine/index.ts';
import type { RunSink } from '../events/index.ts';
import type { WebGraph } from '../graph/index.ts';
import type { LiveSettings, Lookup } from '../live/index.ts';
import type { RunResult } from '../measure/index.ts';
import type { PolicyDefinition } from '../policy/index.ts';
import type { LiveCrawlSettings, MeasureSettings, SettledCrawl } from '../settings/index.ts';
import type { WorldError } from '../base/index.ts';

/** How far a live crawl has come, after every outcome and at every barrier. */
export interface LiveProgress {
  readonly superstep: number;
  readonly pagesFetched: number;
  readonly pagesKnown: number;
  readonly seconds: number;
}

/** What a live crawl can be given besides its request: who listens, who steers, and what settings cannot say. */
export interface LiveCrawlOptions {
  /** Hear what happens while the crawl goes on, after what happened before it was resumed. */
  readonly sinks?: readonly RunSink[] | undefined;
  /** Called after every outcome and at every barrier. */
  readonly onProgress?: ((progress: LiveProgress) => void) | undefined;
  /** Looks into the crawl, and changes it. */
  readonly control?: RunControl | undefined;
  /** Aborted, the crawl starts nothing more, ends as `graceMs` says, and can be resumed. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest wait for downloads that are open when the crawl ends, milliseconds: 10,000 by default. Then they are called
   * off.
   */
  readonly graceMs?: number | undefined;
  /** Most bytes of a checkpoint, where that is less than a store can hold: for tests. @internal */
  readonly checkpointBytesMost?: number | undefined;
  /** Policies of the caller's own, which the settings name as they do any other. */
  readonly policies?: readonly PolicyDefinition[] | undefined;
  /** For policies that need scores or ranks: scores by URL without its scheme; others score 0. */
  readonly scores?: ReadonlyMap<string, number> | undefined;
  /** Asked in the place of the system's resolver. */
  readonly lookup?: Lookup | undefined;
}

/** The settings of a live crawl, with those that follow from others. */
export interface LiveExperiment extends SettledCrawl, MeasureSettings {
  readonly live: LiveSettings;
  /** Ids of the pages that it started from. */
  readonly seedPages: number[];
}

/** A crawl that ended, and the graph of what it knows: its record's page ids are those of the graph. */
export interface LiveResult extends RunResult<LiveExperiment> {
  /** Every page that the crawl knows, and the links of those fetched: `graph.owg`. */
  readonly graph: WebGraph;
  /**
   * Pages that are stored and not in the record: a session that was killed fetched them, and this one ended before it
   * came to them again.
   */
  readonly pagesBeyondRecord: number;
  /** Why the crawl had to end; to be thrown when its record is written. */
  readonly failure: WorldError | undefined;
}

/** What the store holds of how a crawl was begun. */
export interface StoredCrawl {
  readonly experiment: LiveCrawlSettings;
  readonly live: LiveSettings;
  /** Canonical URLs, none twice. */
  readonly seeds: readonly string[];
}
