import type { Endpoints } from '../openapi/endpoints.ts';
import { unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { graphEndpoints } from './api.ts';
import type { CrawlGraphs } from './crawl-graphs.ts';

/** The graph that a run crawls. */
export function addGraphs(api: Endpoints, runs: Runs, graphs: CrawlGraphs): void {
  api.add(graphEndpoints.graph, async ({ params: { id } }, reply) =>
    (await runs.read(id, (run) => graphs.graph(run))) ?? unknown(reply, id));
  api.add(graphEndpoints.structure, async ({ params: { id } }, reply) =>
    (await runs.read(id, (run) => graphs.structure(run))) ?? unknown(reply, id));
  api.add(graphEndpoints.node, async ({ params: { id, node } }, reply) =>
    (await runs.read(id, (run) => graphs.pages(run, { node }))) ?? unknown(reply, id));
  api.add(graphEndpoints.find, async ({ params: { id }, query }, reply) =>
    (await runs.read(id, (run) => graphs.pages(run, query))) ?? unknown(reply, id));
  api.add(graphEndpoints.page, async ({ params: { id, page } }, reply) =>
    (await runs.read(id, (run) => graphs.page(run, page))) ?? unknown(reply, id));
}
