import { Readable } from 'node:stream';
import type { ListedRun } from '../api.ts';
import type { Endpoints } from '../openapi/endpoints.ts';
import { unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { timelineEndpoints } from './api.ts';
import type { Timelines } from './timelines.ts';

/** A superstep opened, and traces. */
export function addTimelines(api: Endpoints, runs: Runs, timelines: Timelines): void {
  const listed = async (id: string): Promise<ListedRun | undefined> =>
    (await runs.list()).find((one) => one.id === id);
  api.add(timelineEndpoints.superstep, async ({ params: { id, superstep } }, reply) => {
    const run = await listed(id);
    if (run !== undefined && timelines.isEmpty(run)) return reply.type('application/json').send('null');
    return (run && (await timelines.superstep(run, superstep))) ?? unknown(reply, id);
  });
  api.add(timelineEndpoints.trace, async ({ params: { id }, query }, reply) => {
    const run = await listed(id);
    if (run !== undefined && timelines.isEmpty(run))
      return reply.code(409).send({ error: 'no superstep of the run is recorded yet' });
    const trace = run && (await timelines.trace(run, query));
    if (trace === undefined) return unknown(reply, id);
    return reply.type('application/json').header('Content-Disposition', 'attachment; filename="trace.json"')
      .send(Readable.from(trace));
  });
}
