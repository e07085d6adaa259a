import type { FastifyInstance } from 'fastify';
import type { ListedRun } from '../api.ts';
import { checked, unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { feedQuery, logQuery } from './api.ts';
import type { Logs } from './logs.ts';

/** Logs and feeds of runs. */
export function addLogs(app: FastifyInstance, runs: Runs, logs: Logs): void {
  const listed = async (id: string): Promise<ListedRun | undefined> =>
    (await runs.list()).find((one) => one.id === id);
  app.get<{ Params: { id: string } }>('/api/runs/:id/log', async ({ params: { id }, query }, reply) => {
    const asked = checked(logQuery, query);
    const run = await listed(id);
    return run === undefined ? unknown(reply, id) : logs.log(run, asked);
  });
  app.get<{ Params: { id: string } }>('/api/runs/:id/feed', async ({ params: { id }, query }, reply) => {
    const asked = checked(feedQuery, query);
    const run = await listed(id);
    if (run === undefined) return unknown(reply, id);
    return logs.feed(run, async () => (await runs.view(id))?.feed ?? [], asked);
  });
}
