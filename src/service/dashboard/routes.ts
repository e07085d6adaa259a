import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import { reportPolicy } from './access.ts';
import {
  controlSchema, newRunSchema, superstepPath, traceQuery, type ApiError, type ListedRun, type NewRun, type PlacedRun,
} from './api.ts';
import type { RunMaker } from './run-maker.ts';
import type { EventStreams } from './event-streams.ts';
import type { RunStarter } from './run-starter.ts';
import type { Runs } from './runs.ts';
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
  addTimelines(app, served);
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

function addTimelines(app: FastifyInstance, { runs, timelines }: Served): void {
  const listed = async (id: string): Promise<ListedRun | undefined> =>
    (await runs.list()).find((one) => one.id === id);
  app.get<{ Params: { id: string } }>('/api/runs/:id/superstep/:superstep', async ({ params }, reply) => {
    const { superstep } = checked(superstepPath, params);
    const run = await listed(params.id);
    return (run && (await timelines.superstep(run, superstep))) ?? unknown(reply, params.id);
  });
  app.get<{ Params: { id: string } }>('/api/runs/:id/trace', async ({ params: { id }, query }, reply) => {
    const range = checked(traceQuery, query);
    const run = await listed(id);
    const trace = run && (await timelines.trace(run, range));
    if (trace === undefined) return unknown(reply, id);
    return reply.type('application/json').header('Content-Disposition', 'attachment; filename="trace.json"')
      .send(Readable.from(trace));
  });
}

function unknown(reply: FastifyReply, id: string): FastifyReply {
  return reply.code(404).send({ error: `there is no run ${id}, or no such file of it` });
}

/** @throws InputError naming the field. */
function checked<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue.path.join('.');
  throw new InputError(`${field || 'the request'}: ${issue.message}`, { field });
}
