import * as z from 'zod';
import type { CurveColumns, FeedLine, RunCard, RunMessage, RunState, StartedRun } from '../../watch/contract.ts';

// What the dashboard's page and other programs exchange with its server. All paths are below /api; requests carry the
// cookie that the opened URL was exchanged for, or `Authorization: Bearer TOKEN`. Errors are ApiError with a status of
// 400 (the request), 401, 403, 404, 409 (not in this state of the run) or 500.

/** The body of every answer that is not 2xx. */
export interface ApiError {
  /** One sentence, as on the command line. */
  readonly error: string;
  /** The setting that it is about, dotted: `network.latencyMs`. */
  readonly field?: string | undefined;
}

/** GET /api/runs answers with `{ runs: ListedRun[] }`: running ones first, then by their start, the latest first. */
export interface ListedRun {
  /** Of a running one its card's id; of a finished one, of its folder. */
  readonly id: string;
  readonly kind: 'simulation' | 'live' | 'runs';
  readonly name: string;
  /** `interrupted`: it was ended early, or its process died. `damaged`: its record cannot be read. */
  readonly state: 'running' | 'finished' | 'interrupted' | 'failed' | 'damaged';
  readonly command: string;
  readonly folder: string | null;
  /** ISO 8601, UTC; null if the record has none. */
  readonly startedAt: string | null;
  /** Of a finished run. */
  readonly figures: RunFigures | null;
  /** Of a fork: the run that it began as, and the first superstep of its own. */
  readonly forkOf: { readonly id: string; readonly superstep: number } | null;
  /** What is wrong with a run that failed or is damaged. */
  readonly problem: string | null;
  /** Whether GET /api/runs/ID/report answers. */
  readonly hasReport: boolean;
}

export interface RunFigures {
  readonly policy: string;
  readonly processors: number;
  readonly robots: number;
  readonly pages: number;
  readonly seconds: number;
  readonly supersteps: number;
  /** Share of the rank within reach that was gathered; null where no rank is known. */
  readonly rank: number | null;
  readonly pagerankArea: number | null;
  readonly balance: number | null;
  readonly replayHash: string | null;
}

/** GET /api/runs/ID */
export interface RunView {
  readonly listed: ListedRun;
  /** Of a record: with the process id 0. */
  readonly run: RunCard | StartedRun | null;
  readonly state: RunState | null;
  readonly curves: CurveColumns;
  readonly feed: readonly FeedLine[];
  /** run.json's `summary`, of a finished run, and `pagesKnown`. */
  readonly summary: Readonly<Record<string, unknown>> | null;
  /** What limited a finished run, as a sentence. */
  readonly limits: string | null;
}

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

/**
 * GET /api/events?run=ID&run=ID: server-sent events, each `data:` one RunEvent. A run's first events are all there is
 * of it so far; afterwards at most four states a second. Event `runs` (no data) says that the list has changed.
 */
export interface RunEvent {
  readonly id: string;
  readonly message: RunMessage;
}

const robots = z.int().min(1).max(65_536);

/** POST /api/runs/ID/control; answers with `{}` once the run has taken it. */
export const controlSchema = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['pause', 'resume', 'stop']) }),
  z.strictObject({ do: z.literal('robots'), robots, processor: z.int().min(0).max(65_535).optional() }),
]);
export type ControlBody = z.infer<typeof controlSchema>;

/**
 * POST /api/runs starts a run, which outlives the server, and answers with `{ id }`. POST /api/check takes the same and
 * answers with CheckedRun: no run starts.
 */
export const newRunSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('simulation'),
    /** As on the command line: a name, a file, or the folder of a crawl. */
    graph: z.string().min(1).max(4096),
    /** As in a settings file; those left out have their defaults. */
    settings: z.record(z.string(), z.unknown()),
    /** Below the runs folder; by default one is made of graph and policy. */
    out: z.string().min(1).max(200).optional(),
  }),
  z.strictObject({
    kind: z.literal('fork'),
    /** The id of a simulation that goes on or is recorded. */
    run: z.string().min(1).max(100),
    /** The first superstep that is the fork's own. */
    at: z.int().min(0),
    /** Those that differ. Processors, partition and seed cannot. */
    settings: z.record(z.string(), z.unknown()),
    out: z.string().min(1).max(200).optional(),
  }),
  z.strictObject({
    kind: z.literal('live'),
    seeds: z.array(z.string().min(1).max(8192)).min(1).max(10_000),
    settings: z.record(z.string(), z.unknown()),
    out: z.string().min(1).max(200).optional(),
  }),
]);
export type NewRun = z.infer<typeof newRunSchema>;
/** What is asked for, with the folder of the run that is forked in place of its id. */
export type PlacedRun =
  Exclude<NewRun, { kind: 'fork' }> | (Extract<NewRun, { kind: 'fork' }> & { readonly folder: string });

export interface CheckedRun {
  /** The command that does the same, as one would type it. */
  readonly command: string;
  /** The settings file that says the same, YAML. */
  readonly config: string;
}

/** GET /api/settings: what the forms are made of. */
export interface SettingsForms {
  /** JSON Schema of the settings files: with titles, descriptions, defaults, bounds. */
  readonly simulation: Readonly<Record<string, unknown>>;
  readonly live: Readonly<Record<string, unknown>>;
  /** Names that `graph` can have without a path. */
  readonly graphs: readonly { readonly name: string; readonly pages: number | null }[];
  readonly policies: readonly { readonly name: string; readonly description: string; readonly worlds: string }[];
  readonly version: string;
}
