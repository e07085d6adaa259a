import type { FeedLine } from '../../../watch/contract.ts';
import type { Endpoints } from '../openapi/endpoints.ts';
import { unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { logEndpoints } from './api.ts';
import type { Logs } from './logs.ts';

/** Logs and feeds of runs. */
export function addLogs(api: Endpoints, runs: Runs, logs: Logs): void {
  api.add(logEndpoints.log, async ({ params: { id }, query }, reply) =>
    (await runs.read(id, (run) => logs.log(run, query))) ?? unknown(reply, id));
  api.add(logEndpoints.feed, async ({ params: { id }, query }, reply) => {
    const recent = async (): Promise<readonly FeedLine[]> => (await runs.view(id))?.feed ?? [];
    return (await runs.read(id, (run) => logs.feed(run, recent, query))) ?? unknown(reply, id);
  });
}
