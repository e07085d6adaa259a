import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { reportPolicy } from './access.ts';
import {
  controlSchema, newRunSchema, type ApiError, type NewRun, type PlacedRun,
} from './api.ts';
import type { RunMaker } from './runs/run-maker.ts';
import type { EventStreams } from './events/event-streams.ts';
import type { RunStarter } from './runs/run-starter.ts';
import type { CrawlGraphs } from './graph/crawl-graphs.ts';
import { addGraphs } from './graph/routes.ts';
import type { Runs } from './runs/runs.ts';
import { checked, unknown } from './requests.ts';
import { addTimelines } from './timeline/routes.ts';
import type { Timelines } from './timeline/timelines.ts';

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
  readonly graphs: CrawlGraphs;
}

const watched = z.object({
  run: z.union([z.string(), z.array(z.string()).max(64)]).optional().transform((run) => [run ?? []].flat()),
});

/** The API, as `api.ts` describes it. */
export function addRoutes(app: FastifyInstance, served: Served): void {
  const { runs, starter, maker, streams } = served;
  const placed = async (run: NewRun): Promise<PlacedRun> => {
    if (run.kind !== 'fork') return run;
    const folder = (await runs.list()).find(({ id }) => id === run.run)?.folder;
    if (folder === undefined || folder === null)
      throw new InputError('run: there is none of that id with a record', { field: 'run' });
    return { ...run, folder };
  };
  app.get('/api/settings', () => maker.forms());
  app.get('/api/runs', async () => ({ runs: await runs.list() }));
  app.get<{ Params: { id: string } }>('/api/runs/:id', async ({ params: { id } }, reply) =>
    (await runs.view(id)) ?? unknown(reply, id));
  app.get<{ Params: { id: string } }>('/api/runs/:id/report', async ({ params: { id } }, reply) => {
    const html = await runs.report(id);
    if (html === undefined) return unknown(reply, id);
    return reply.type('text/html; charset=utf-8').header('Content-Security-Policy', reportPolicy).send(html);
  });
  addTimelines(app, served.runs, served.timelines);
  addGraphs(app, served.runs, served.graphs);
  app.get('/api/events', async ({ query }, reply) => {
    const { run } = checked(watched, query);
    if (streams.isFull) return reply.code(503).send({ error: 'too many browsers watch; close some tabs' });
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
    streams.open(reply.raw, run);
  });
  app.post<{ Params: { id: string } }>('/api/runs/:id/control', async ({ params: { id }, body }, reply) => {
    const request = checked(controlSchema, body);
    if ((await runs.going(id)) === undefined) return reply.code(409).send({ error: 'the run has ended' });
    await runs.control(id, request);
    return {};
  });
  app.post('/api/check', async ({ body }) => {
    const { command, config } = await maker.check(await placed(checked(newRunSchema, body)));
    return { command, config };
  });
  app.post('/api/runs', async ({ body }, reply) => {
    const run = await maker.check(await placed(checked(newRunSchema, body)));
    return reply.code(201).send({ id: await starter.start(run) });
  });
}
