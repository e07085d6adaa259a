import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { InputError, packageVersion } from '../../../base/index.ts';
import { runEndpoints, type ListedRun, type NewRun, type PlacedRun } from './api.ts';
import { Endpoints } from './openapi/endpoints.ts';
import type { RunMaker } from './runs/run-maker.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { RunStarter } from './runs/run-starter.ts';
import type { CrawlGraphs } from './graph/crawl-graphs.ts';
import { graphEndpoints } from './graph/api.ts';
import type { Runs } from './runs/runs.ts';
import { logEndpoints } from './logs/api.ts';
import type { Logs } from './logs/logs.ts';
import { timelineEndpoints } from './timeline/api.ts';
import type { Timelines } from './timeline/timelines.ts';

/** A report has its script in itself. In a sandbox its origin is none, so that it reaches nothing of the dashboard. */
const reportPolicy = [
  "default-src 'none'", "script-src 'unsafe-inline'", "style-src 'unsafe-inline'", 'img-src data: blob:',
  "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'", 'sandbox allow-scripts allow-downloads',
].join('; ');

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
  addRecords(api, served);
  api.add(runEndpoints.openApi, () => api.document(packageVersion()));
}

function addRuns(api: Endpoints, { runs, starter, maker, streams }: Served): void {
  const { list, start, check, settings, view, report, control, events } = runEndpoints;
  const recordOf = async (id: string, field: string): Promise<ListedRun & { readonly folder: string }> => {
    const run = await runs.find(id);
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
  api.add(view, ({ params: { id } }) => runs.view(id));
  api.add(report, async ({ params: { id } }, reply) => {
    const html = await runs.report(id);
    return html && reply.type('text/html; charset=utf-8').header('Content-Security-Policy', reportPolicy).send(html);
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

/** What the record of a run has: supersteps, logs, the feed, the graph. */
function addRecords(api: Endpoints, { runs, timelines, logs, graphs }: Served): void {
  api.add(timelineEndpoints.superstep, async ({ params: { id, superstep } }, reply) => {
    const opened = await runs.read(id, async (run) =>
      timelines.isEmpty(run) ? 'empty' : timelines.superstep(run, superstep));
    return opened === 'empty' ? reply.type('application/json').send('null') : opened;
  });
  api.add(timelineEndpoints.trace, async ({ params: { id }, query }, reply) => {
    const trace = await runs.read(id, async (run) => timelines.isEmpty(run) ? 'empty' : timelines.trace(run, query));
    if (trace === 'empty') return reply.code(409).send({ error: 'no superstep of the run is recorded yet' });
    return trace && reply.type('application/json').header('Content-Disposition', 'attachment; filename="trace.json"')
      .send(Readable.from(trace));
  });
  api.add(logEndpoints.log, ({ params: { id }, query }) => runs.read(id, (run) => logs.log(run, query)));
  api.add(logEndpoints.feed, ({ params: { id }, query }) => runs.read(id, (run) =>
    logs.feed(run, async () => (await runs.view(id))?.feed ?? [], query)));
  const { graph, structure, node, find, page } = graphEndpoints;
  api.add(graph, ({ params: { id } }) => runs.read(id, (run) => graphs.graph(run)));
  api.add(structure, ({ params: { id } }) => runs.read(id, (run) => graphs.structure(run)));
  api.add(node, ({ params: { id, node } }) => runs.read(id, (run) => graphs.pages(run, { node })));
  api.add(find, ({ params: { id }, query }) => runs.read(id, (run) => graphs.pages(run, query)));
  api.add(page, ({ params: { id, page } }) => runs.read(id, (run) => graphs.page(run, page)));
}
