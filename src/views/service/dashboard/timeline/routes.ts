import { Readable } from 'node:stream';
import type { Endpoints } from '../openapi/endpoints.ts';
import { unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { timelineEndpoints } from './api.ts';
import type { Timelines } from './timelines.ts';

/** A superstep opened, and traces. */
export function addTimelines(api: Endpoints, runs: Runs, timelines: Timelines): void {
  api.add(timelineEndpoints.superstep, async ({ params: { id, superstep } }, reply) => {
    const opened = await runs.read(id, async (run) =>
      timelines.isEmpty(run) ? 'empty' : timelines.superstep(run, superstep));
    if (opened === 'empty') return reply.type('application/json').send('null');
    return opened ?? unknown(reply, id);
  });
  api.add(timelineEndpoints.trace, async ({ params: { id }, query }, reply) => {
    const trace = await runs.read(id, async (run) =>
      timelines.isEmpty(run) ? 'empty' : timelines.trace(run, query));
    if (trace === 'empty') return reply.code(409).send({ error: 'no superstep of the run is recorded yet' });
    if (trace === undefined) return unknown(reply, id);
    return reply.type('application/json').header('Content-Disposition', 'attachment; filename="trace.json"')
      .send(Readable.from(trace));
  });
}
