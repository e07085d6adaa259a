import * as z from 'zod';
import { maxHostDelayMs } from '../../../core/settings/index.ts';
import { jobKinds, maxPace, minPace } from '../../watch/contract.ts';
import { newPlanSchema, newStudySchema, newTuneSchema, shippedStudy } from './jobs/api.ts';
import {
  cardSchema, curvesSchema, feedSchema, jobSchema, messageSchema, startedSchema, stateSchema,
} from './messages.ts';
import { endpoint, named, type Answered } from './openapi/endpoint.ts';

// What the dashboard's page and other programs exchange with its server; folders below have `api.ts` of their own.
// Requests carry the cookie that the opened URL was exchanged for, or `Authorization: Bearer TOKEN`.

export const apiErrorSchema = named('ApiError', z.strictObject({
  error: z.string().describe('one sentence, as on the command line'),
  field: z.string().optional().describe('the setting that it is about, dotted: `network.latencyMs`'),
}).describe('the body of every answer that is not 2xx'));
export type ApiError = Answered<typeof apiErrorSchema>;

const runFigures = named('RunFigures', z.strictObject({
  policy: z.string(), processors: z.int(), robots: z.int(), pages: z.int(), seconds: z.number(), supersteps: z.int(),
  rank: z.number().nullable().describe('share of the rank within reach that was gathered; null if no rank is known'),
  pagerankArea: z.number().nullable(), balance: z.number().nullable(), replayHash: z.string().nullable(),
}).describe('of a finished run'));
export type RunFigures = Answered<typeof runFigures>;

const listedRun = named('ListedRun', z.strictObject({
  id: z.string().describe('of a running one its card\'s id; of a finished one, of its folder'),
  kind: z.enum(['simulation', 'live', ...jobKinds, 'runs']),
  name: z.string(),
  state: z.enum(['running', 'finished', 'interrupted', 'failed', 'damaged'])
    .describe('interrupted: it was ended early, or its process died; damaged: its record cannot be read'),
  command: z.string(),
  folder: z.string().nullable(),
  startedAt: z.string().nullable().describe('ISO 8601, UTC; null if the record has none'),
  figures: runFigures.nullable(),
  answer: z.string().nullable().describe('what a plan, a tune or a study found, in a sentence or two'),
  forkOf: z.strictObject({ id: z.string(), superstep: z.int() }).nullable()
    .describe('of a fork: the run that it began as, and the first superstep of its own'),
  problem: z.string().nullable().describe('what is wrong with a run that failed or is damaged'),
  hasReport: z.boolean().describe('whether its report can be read'),
}));
export type ListedRun = Answered<typeof listedRun>;

const recordedProcessor = named('RecordedProcessor', z.strictObject({
  processor: z.int(), robots: z.int(), queued: z.int(), pending: z.int(), fetched: z.int(),
  failures: z.int().describe('outcomes that were no page; those of robots.txt count'),
  bytes: z.number(),
  updatedAt: z.number().nullable().describe('the last barrier that it did not rest at, seconds since the run began'),
}).describe('a processor at the end of its run'));
export type RecordedProcessor = Answered<typeof recordedProcessor>;

const runView = named('RunView', z.strictObject({
  listed: listedRun,
  run: z.union([startedSchema, cardSchema]).nullable().describe('of a record: with the process id 0'),
  state: stateSchema.nullable().describe('null of a run that has ended'),
  job: jobSchema.nullable().describe('of a plan, a tune or a study'),
  curves: curvesSchema,
  feed: feedSchema,
  summary: z.record(z.string(), z.unknown()).nullable()
    .describe('run.json\'s `summary`, of a finished run, and `pagesKnown`'),
  limits: z.string().nullable().describe('what limited a finished run, as a sentence'),
  processors: z.array(recordedProcessor).describe('of a finished run; the state has those of one that goes on'),
}));
export type RunView = Answered<typeof runView>;

const runEvent = named('RunEvent', z.strictObject({ id: z.string().describe('of the run'), message: messageSchema }));
export type RunEvent = Answered<typeof runEvent>;

const robots = z.int().min(1).max(65_536);

export const controlSchema = named('Control', z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['pause', 'resume', 'stop']) }),
  z.strictObject({
    do: z.literal('robots'), robots,
    processor: z.int().min(0).max(65_535).optional().describe('all of them if it is left out'),
  }),
  z.strictObject({
    do: z.literal('host'), host: z.string().min(1).max(300),
    delayMs: z.int().min(0).max(maxHostDelayMs).nullable()
      .describe('the least delay between two downloads, which only rises; null: nothing more from it'),
  }),
  z.strictObject({
    do: z.literal('pace'),
    maxSuperstepsPerSecond: z.number().min(minPace).max(maxPace).nullable()
      .describe('of a simulation; null: full speed'),
  }),
]));
export type ControlBody = z.infer<typeof controlSchema>;

const out = z.string().min(1).max(200).optional()
  .describe('below the runs folder; if it is left out, it is made of graph and policy');
const settings = z.record(z.string(), z.unknown());
export const newRunSchema = named('NewRun', z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('simulation'),
    graph: z.string().min(1).max(4096).describe('as on the command line: a name, a file, or the folder of a crawl'),
    settings: settings.describe('as in a settings file; those left out have their defaults'),
    networkOf: z.string().min(1).max(100).optional()
      .describe('the id of a live crawl that has ended: the network is fitted to it'),
    out,
  }),
  z.strictObject({
    kind: z.literal('fork'),
    run: z.string().min(1).max(100).describe('the id of a simulation that goes on or is recorded'),
    at: z.int().min(0).describe('the first superstep that is the fork\'s own'),
    settings: settings.describe('those that differ; processors, partition and seed cannot'),
    trust: z.boolean().optional()
      .describe('run the policy files, which are code, that the record of the run names; else such a fork is refused'),
    out,
  }),
  z.strictObject({
    kind: z.literal('live'), seeds: z.array(z.string().min(1).max(8192)).min(1).max(10_000), settings, out,
  }),
  newPlanSchema, newTuneSchema, newStudySchema,
]));
export type NewRun = z.infer<typeof newRunSchema>;
/** What is asked for, with the folder of the run that its id means: the one to fork, or to fit the network to. */
export type PlacedRun =
  | Exclude<NewRun, { kind: 'fork' | 'simulation' }>
  | (Extract<NewRun, { kind: 'simulation' }> & { readonly networkFolder?: string | undefined })
  | (Extract<NewRun, { kind: 'fork' }> & { readonly folder: string });

const checkedRun = named('CheckedRun', z.strictObject({
  command: z.string().describe('the command that does the same, as one would type it'),
  config: z.string().describe('the settings file that says the same, YAML'),
}));
export type CheckedRun = Answered<typeof checkedRun>;

const jsonSchema = z.record(z.string(), z.unknown())
  .describe('JSON Schema of the settings files: with titles, descriptions, defaults, bounds');
const settingsForms = named('SettingsForms', z.strictObject({
  simulation: jsonSchema, live: jsonSchema, plan: jsonSchema, tune: jsonSchema, studies: z.array(shippedStudy),
  graphs: z.array(z.strictObject({ name: z.string(), pages: z.int().nullable() }))
    .describe('names that `graph` can have without a path'),
  policies: z.array(z.strictObject({ name: z.string(), description: z.string(), worlds: z.string() })),
  version: z.string(),
}).describe('what the forms are made of'));
export type SettingsForms = Answered<typeof settingsForms>;

/** Parameters of every path below /api/runs/ID. */
export const runPath = z.object({ id: z.string().describe('of a run, as listed') });
/** The answer if there is no such run. */
export const noRun = { 404: 'There is no such run, or no such file of it.' };

const started = named('NewRunId', z.strictObject({ id: z.string().describe('of the run') }));
const nothing = named('Nothing', z.strictObject({}));
const runList = named('RunList', z.strictObject({ runs: z.array(listedRun) }));
const openApi = named('OpenApi', z.record(z.string(), z.unknown()));
const watchedRuns = z.object({
  run: z.union([z.string(), z.array(z.string()).max(64)]).optional().transform((run) => [run ?? []].flat())
    .describe('ids of runs; repeated for each, 64 at most'),
});

/** The endpoints of runs. */
export const runEndpoints = {
  list: endpoint({
    method: 'GET', path: '/api/runs', summary: 'Lists runs',
    description: 'Those that go on first, wherever they were started; then the latest first.',
    answer: { description: 'All runs.', schema: runList },
  }),
  start: endpoint({
    method: 'POST', path: '/api/runs', summary: 'Starts a run',
    description: 'It is a process of its own, which outlives the server.',
    body: newRunSchema, answer: { status: 201, description: 'The run has started.', schema: started }
  }),
  check: endpoint({
    method: 'POST', path: '/api/check', summary: 'Checks the settings of a run without starting it',
    body: newRunSchema, answer: { description: 'The settings are right.', schema: checkedRun },
  }),
  settings: endpoint({
    method: 'GET', path: '/api/settings', summary: 'Describes all settings',
    answer: { description: 'Settings, graphs and policies.', schema: settingsForms },
  }),
  view: endpoint({
    method: 'GET', path: '/api/runs/:id', summary: 'Shows a run', params: runPath,
    answer: { description: 'All there is of it so far.', schema: runView }, errors: noRun,
  }),
  report: endpoint({
    method: 'GET', path: '/api/runs/:id/report', summary: 'Reads the report of a finished run', params: runPath,
    answer: { description: 'One HTML file, whole in itself.', type: 'text/html' }, errors: noRun,
  }),
  control: endpoint({
    method: 'POST', path: '/api/runs/:id/control', summary: 'Steers a run', params: runPath, body: controlSchema,
    answer: { description: 'The run has taken it.', schema: nothing },
    errors: { 409: 'The run has ended.' },
  }),
  events: endpoint({
    method: 'GET', path: '/api/events', summary: 'Follows runs', query: watchedRuns,
    description: 'Server-sent events. The `data` of each is a RunEvent: of a run first all there is so far, then ' +
      'what is new, with at most four states a second. An event `runs` without data says that the list has changed.',
    answer: { description: 'A stream that does not end.', type: 'text/event-stream', schema: runEvent },
    errors: { 503: 'Too many browsers watch.' },
  }),
  openApi: endpoint({
    method: 'GET', path: '/api/openapi.json', summary: 'Describes this API',
    answer: { description: 'This document: OpenAPI 3.1.', schema: openApi },
  }),
};
