import * as z from 'zod';
import { maxHostDelayMs } from '../../settings/index.ts';
import type {
  CurveColumns, FeedLine, JobState, RunCard, RunMessage, RunState, StartedRun,
} from '../../watch/contract.ts';
import { newPlanSchema, newStudySchema, newTuneSchema, type ShippedStudy } from './jobs/api.ts';

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
  readonly kind: RunCard['kind'] | 'runs';
  readonly name: string;
  /** `interrupted`: it was ended early, or its process died. `damaged`: its record cannot be read. */
  readonly state: 'running' | 'finished' | 'interrupted' | 'failed' | 'damaged';
  readonly command: string;
  readonly folder: string | null;
  /** ISO 8601, UTC; null if the record has none. */
  readonly startedAt: string | null;
  /** Of a finished run. */
  readonly figures: RunFigures | null;
  /** What a plan, a tune or a study found, in a sentence or two. */
  readonly answer: string | null;
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
  /** Of a plan, a tune or a study. */
  readonly job: JobState | null;
  readonly curves: CurveColumns;
  readonly feed: readonly FeedLine[];
  /** run.json's `summary`, of a finished run, and `pagesKnown`. */
  readonly summary: Readonly<Record<string, unknown>> | null;
  /** What limited a finished run, as a sentence. */
  readonly limits: string | null;
}

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
  /** A delay of null blocks the host. */
  z.strictObject({
    do: z.literal('host'), host: z.string().min(1).max(300), delayMs: z.int().min(0).max(maxHostDelayMs).nullable(),
  }),
  z.strictObject({ do: z.literal('pace'), maxSuperstepsPerSecond: z.number().min(0.1).max(1000).nullable() }),
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
  newPlanSchema, newTuneSchema, newStudySchema,
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
  readonly plan: Readonly<Record<string, unknown>>;
  readonly tune: Readonly<Record<string, unknown>>;
  readonly studies: readonly ShippedStudy[];
  /** Names that `graph` can have without a path. */
  readonly graphs: readonly { readonly name: string; readonly pages: number | null }[];
  readonly policies: readonly { readonly name: string; readonly description: string; readonly worlds: string }[];
  readonly version: string;
}
