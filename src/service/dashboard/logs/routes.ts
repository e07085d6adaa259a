import type { ListedRun } from '../api.ts';
import type { Endpoints } from '../openapi/endpoints.ts';
import { unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { logEndpoints } from './api.ts';
import type { Logs } from './logs.ts';

/** Logs and feeds of runs. */
export function addLogs(api: Endpoints, runs: Runs, logs: Logs): void {
  const listed = async (id: string): Promise<ListedRun | undefined> =>
    (await runs.list()).find((one) => one.id === id);
  api.add(logEndpoints.log, async ({ params: { id }, query }, reply) => {
    const run = await listed(id);
    return run === undefined ? unknown(reply, id) : logs.log(run, query);
  });
  api.add(logEndpoints.feed, async ({ params: { id }, query }, reply) => {
    const run = await listed(id);
    if (run === undefined) return unknown(reply, id);
    return logs.feed(run, async () => (await runs.view(id))?.feed ?? [], query);
  });
}
