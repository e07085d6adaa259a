import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { ListedRun } from '../api.ts';
import { checked, unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { superstepPath, traceQuery } from './api.ts';
import type { Timelines } from './timelines.ts';

/** A superstep opened, and traces. */
export function addTimelines(app: FastifyInstance, runs: Runs, timelines: Timelines): void {
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
