import type { FastifyInstance } from 'fastify';
import { InputError, packageVersion } from '../../../base/index.ts';
import { runEndpoints, type ApiError, type ListedRun, type NewRun, type PlacedRun } from './api.ts';
import { Endpoints } from './openapi/endpoints.ts';
import type { RunMaker } from './runs/run-maker.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { RunStarter } from './runs/run-starter.ts';
import type { CrawlGraphs } from './graph/crawl-graphs.ts';
import { addGraphs } from './graph/routes.ts';
import type { Runs } from './runs/runs.ts';
import { addLogs } from './logs/routes.ts';
import type { Logs } from './logs/logs.ts';
import { unknown } from './requests.ts';
import { addTimelines } from './timeline/routes.ts';
import type { Timelines } from './timeline/timelines.ts';

/** A report has its script in itself. In a sandbox its origin is none, so that it reaches nothing of the dashboard. */
const reportPolicy = [
  "default-src 'none'", "script-src 'unsafe-inline'", "style-src 'unsafe-inline'", 'img-src data: blob:',
  "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", 'sandbox allow-scripts allow-downloads',
].join('; ');

export interface ApiErrorStatus {
  readonly status: number;
  readonly body: ApiError;
}

export interface Served {
  readonly runs: Runs;
  readonly starter: RunStarter;
  readonly maker: RunMaker;
  readonly streams: EventStreams;
  readonly timelines: Timelines;
  readonly logs: Logs;
  readonly graphs: CrawlGraphs;
}

/** The API, and the document that describes it. */
export function addRoutes(app: FastifyInstance, served: Served): void {
  const api = new Endpoints(app);
  addRuns(api, served);
  addTimelines(api, served.runs, served.timelines);
  addLogs(api, served.runs, served.logs);
  addGraphs(api, served.runs, served.graphs);
  api.add(runEndpoints.openApi, () => api.document(packageVersion()));
}

function addRuns(api: Endpoints, { runs, starter, maker, streams }: Served): void {
  const { list, start, check, settings, view, report, control, events } = runEndpoints;
  const recordOf = async (id: string, field: string): Promise<ListedRun & { readonly folder: string }> => {
    const run = (await runs.list()).find((other) => other.id === id);
    if (run === undefined || run.folder === null)
      throw new InputError(`${field}: there is no run of that id with a record`, { field });
    return { ...run, folder: run.folder };
  };
  const placed = async (run: NewRun): Promise<PlacedRun> => {
    if (run.kind === 'fork') return { ...run, folder: (await recordOf(run.run, 'run')).folder };
    if (run.kind !== 'simulation' || run.networkOf === undefined) return run;
    const { kind, state, folder } = await recordOf(run.networkOf, 'networkOf');
    if (kind === 'live' && state !== 'running') return { ...run, networkFolder: folder };
    throw new InputError('networkOf: must be a live crawl that has ended', { field: 'networkOf' });
  };
  api.add(settings, () => maker.forms());
  api.add(list, async () => ({ runs: await runs.list() }));
  api.add(view, async ({ params: { id } }, reply) => (await runs.view(id)) ?? unknown(reply, id));
  api.add(report, async ({ params: { id } }, reply) => {
    const html = await runs.report(id);
    if (html === undefined) return unknown(reply, id);
    return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', reportPolicy).send(html);
  });
  api.add(events, ({ query: { run } }, reply) => {
    if (streams.isFull) return reply.code(503).send({ error: 'too many browsers watch; close some tabs' });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
    streams.open(reply.raw, run);
    return reply;
  });
  api.add(control, async ({ params: { id }, body }, reply) => {
    if ((await runs.going(id)) === undefined) return reply.code(409).send({ error: 'the run has ended' });
    await runs.control(id, body);
    return {};
  });
  api.add(check, async ({ body }) => {
    const { command, config } = await maker.check(await placed(body));
    return { command, config };
  });
  api.add(start, async ({ body }) => ({ id: await starter.start(await maker.check(await placed(body))) }));
}
