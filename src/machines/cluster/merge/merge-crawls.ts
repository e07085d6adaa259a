import { join } from 'node:path';
import { AssertionError, InputError } from '../../../base/index.ts';
import { openGraph } from '../../../graphs/catalogue/index.ts';
import { originsOf, processorByName, runResult, settleSeeds, trueRanks } from '../../../core/engine/index.ts';
import { prepare, type WebGraph } from '../../../graphs/graph/index.ts';
import { pagesCsv, type HostGivenUpRow, type RunResult, type RunSummary } from '../../../core/measure/index.ts';
import { checkHashes, mergedEvents } from './merged-events.ts';
import { writeMergedGraph } from './merged-graph.ts';
import { writeMergedLog } from './merged-log.ts';
import { checkVisits, mergedPages } from './merged-pages.ts';
import { closeNodes, openNodes, type MergedExperiment, type NodeFolder } from './node-folder.ts';

/** The crawl of several nodes, as one. */
export interface MergedCrawl {
  readonly result: RunResult<MergedExperiment>;
  /** Pieces of `pages.csv`. */
  readonly pagesCsv: Iterable<string>;
  readonly nodes: number;
  /** Pages of which the stores have the links, and the records nothing. */
  readonly pagesBeyondRecord: number;
}

/**
 * Makes one crawl of the folders of its nodes: writes `graph.owg` and `crawl.log` into a folder, and measures the crawl
 * on that graph. A page that several nodes know is one by its URL; the node of its host has its links.
 * Archives stay where they are.
 *
 * @param paths folders of all nodes, in any order; a crawl on one machine has one.
 * @param folder exists.
 * Errors   InputError as openNodes, and for folders of several crawls; or writing fails.
 * Memory   as a crawl of all pages.
 */
export async function mergeCrawls(paths: readonly string[], folder: string): Promise<MergedCrawl> {
  const nodes = await openNodes(paths);
  try {
    return await merged(nodes, folder);
  } finally {
    await closeNodes(nodes);
  }
}

async function merged(nodes: readonly NodeFolder[], folder: string): Promise<MergedCrawl> {
  const [{ run: { experiment: firstExperiment }, seeds }] = nodes;
  const processorOf = processorByName(firstExperiment);
  const pages = mergedPages(nodes, processorOf);
  checkVisits(nodes, pages);
  checkHashes(nodes, pages);
  const seedPages = seeds.map((url) => {
    const page = pages.find(url);
    if (page >= 0) return page;
    throw new InputError(`${join(nodes[0].path, 'store')}: is damaged: no node knows its seed page ${url}`);
  });
  await writeMergedGraph(nodes, pages, seedPages, join(folder, 'graph.owg'));
  await writeMergedLog(nodes.map(({ path }) => path), join(folder, 'crawl.log'));

  const graph = await openGraph(join(folder, 'graph.owg')).catch((error: unknown) => {
    // Nobody else has touched it: whatever is wrong with it is an internal error.
    throw error instanceof InputError
      ? new AssertionError(`a graph just written cannot be read: ${error.message}`)
      : error;
  });
  const prepared = prepare(graph);
  const experiment = { ...firstExperiment, seedPages };
  const { hosts } = graph;
  const processorOfHost = Uint32Array.from({ length: hosts.count }, (_, host) => processorOf(hosts.names.at(host)));
  const events = mergedEvents(nodes, pages, (page) => processorOfHost[hosts.ofPage[page]]);
  const ranks = trueRanks(prepared);
  const result = runResult(prepared, experiment, {
    events, ranks, processorOfHost, ended: endOf(nodes), reachable: settleSeeds(prepared, experiment).reachable,
    origins: originsOf(experiment),
  });
  const hostsGivenUp = givenUpOf(nodes, hosts);
  let fetched = 0;
  for (const { store } of nodes) for (const { kind } of store.visits()) if (kind === 'fetched') fetched++;
  return {
    result: { ...result, ...(hostsGivenUp.length > 0 && { hostsGivenUp }) },
    pagesCsv: pagesCsv(graph, { events, ranks }), nodes: nodes.length,
    pagesBeyondRecord: fetched - events.order.length,
  };
}

/** The hosts that all of them gave up, in the order in which they did. */
function givenUpOf(nodes: readonly NodeFolder[], { count, names }: WebGraph['hosts']): HostGivenUpRow[] {
  const rows = nodes.flatMap(({ hostsGivenUp }) => hostsGivenUp);
  if (rows.length === 0) return [];
  const idOf = new Map(Array.from({ length: count }, (_, host) => [names.at(host), host]));
  return rows.map((row) => ({ ...row, host: idOf.get(row.name) ?? -1 }))
    .sort((a, b) => a.givenUpUs - b.givenUpUs || a.processor - b.processor);
}

/** All end for the same reason, unless somebody interrupts one. */
function endOf(nodes: readonly NodeFolder[]): RunSummary['ended'] {
  const ends = nodes.map(({ run }) => run.summary.ended);
  return ends.find((end) => end === 'interrupted') ?? ends[0];
}
