import type { ListedRun } from '../api.ts';
import type { Endpoints } from '../openapi/endpoints.ts';
import { unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { graphEndpoints } from './api.ts';
import type { CrawlGraphs } from './crawl-graphs.ts';

/** The graph that a run crawls. */
export function addGraphs(api: Endpoints, runs: Runs, graphs: CrawlGraphs): void {
  const listed = async (id: string): Promise<ListedRun | undefined> =>
    (await runs.list()).find((one) => one.id === id);
  api.add(graphEndpoints.graph, async ({ params: { id } }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.graph(run))) ?? unknown(reply, id);
  });
  api.add(graphEndpoints.structure, async ({ params: { id } }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.structure(run))) ?? unknown(reply, id);
  });
  api.add(graphEndpoints.node, async ({ params: { id, node } }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.pages(run, { node }))) ?? unknown(reply, id);
  });
  api.add(graphEndpoints.find, async ({ params: { id }, query }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.pages(run, query))) ?? unknown(reply, id);
  });
  api.add(graphEndpoints.page, async ({ params: { id, page } }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.page(run, page))) ?? unknown(reply, id);
  });
}
