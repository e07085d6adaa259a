import * as z from 'zod';

/**
 * GET /api/runs/ID/superstep/S, with a number or `last`, the last one that is recorded; 404 if there is none. Of a run
 * that goes on, the record is read as far as it is written.
 */
export interface OpenedSuperstep {
  readonly superstep: number;
  /** The last superstep that is recorded. */
  readonly last: number;
  /** The barrier before it, and its own: microseconds since the run began. */
  readonly beginUs: number;
  readonly barrierUs: number;
  /** In their order; processors at rest without an open download are left out. */
  readonly processors: readonly OpenedProcessor[];
  /** Downloads that were open in the superstep; at most 5,000 are in the answer, those that began first. */
  readonly count: number;
  /** Whether downloads were left out. */
  readonly truncated: boolean;
}

export interface OpenedProcessor {
  /** Null: all processors, as the graph of the run cannot be opened, and nothing else says which fetched a page. */
  readonly processor: number | null;
  /** When it arrived at the barrier; null of a processor at rest. */
  readonly arrivedUs: number | null;
  /** Robot time without a download: every pending job waited for its host; there was no job. */
  readonly stalledUs: number;
  readonly noJobUs: number;
  /** Downloads that it had open at once, at most, in the whole run. */
  readonly lanes: number;
  /** By their start. */
  readonly downloads: readonly OpenedDownload[];
}

export interface OpenedDownload {
  /** URL without scheme, or `page 123`. */
  readonly name: string;
  /** `fetched`, or the kind of its failure. */
  readonly kind: string;
  readonly startedUs: number;
  readonly finishedUs: number;
  /** From 0 on; downloads on one lane of a processor never overlap. */
  readonly lane: number;
}

/**
 * GET /api/runs/ID/trace?from=S&to=S: `trace.json`, in Chrome's JSON array format of trace events. Supersteps from
 * `from` to `to`, both included; all without them. Process P + 1 is processor P, its first thread has the supersteps
 * and barriers, each further thread the downloads of a robot; times are in microseconds.
 */
export const traceQuery = z.object({
  from: z.coerce.number().int().min(0).default(0),
  to: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER),
});

/** The S of /api/runs/ID/superstep/S. */
export const superstepPath = z.object({
  superstep: z.union([z.literal('last'), z.coerce.number().int().min(0)]),
});
