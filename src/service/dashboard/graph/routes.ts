import type { FastifyInstance } from 'fastify';
import type { ListedRun } from '../api.ts';
import { checked, unknown } from '../requests.ts';
import type { Runs } from '../runs/runs.ts';
import { pagePath, pagesQuery } from './api.ts';
import type { CrawlGraphs } from './crawl-graphs.ts';

interface OfRun {
  Params: { id: string };
}

/** The graph that a run crawls. */
export function addGraphs(app: FastifyInstance, runs: Runs, graphs: CrawlGraphs): void {
  const listed = async (id: string): Promise<ListedRun | undefined> =>
    (await runs.list()).find((one) => one.id === id);
  app.get<OfRun>('/api/runs/:id/graph', async ({ params: { id } }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.graph(run))) ?? unknown(reply, id);
  });
  app.get<OfRun>('/api/runs/:id/graph/structure', async ({ params: { id } }, reply) => {
    const run = await listed(id);
    return (run && (await graphs.structure(run))) ?? unknown(reply, id);
  });
  app.get<OfRun>('/api/runs/:id/graph/pages', async ({ params: { id }, query }, reply) => {
    const asked = checked(pagesQuery, query);
    const run = await listed(id);
    return (run && (await graphs.pages(run, asked))) ?? unknown(reply, id);
  });
  app.get<OfRun>('/api/runs/:id/graph/page/:page', async ({ params }, reply) => {
    const { page } = checked(pagePath, params);
    const run = await listed(params.id);
    return (run && (await graphs.page(run, page))) ?? unknown(reply, params.id);
  });
}
