import { buildGraph, hostsFromNames, type WebGraph } from '../../../src/graphs/graph/index.ts';
import { settle } from '../../../src/core/engine/index.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import type { SettledExperiment } from '../../../src/core/settings/index.ts';
import { CrawledWeb, type WebSettings } from './crawled-web.ts';
import { Disk } from './disk.ts';
import { liveNode, type LiveCrawl } from './live-node.ts';
import { Cluster, type Supervised } from './supervised.ts';
import { drawSupervision, type ClusterCaps } from './supervision.ts';
import { Draws } from './virtual-time.ts';

/** A live crawl on several nodes: its web, its settings and its surroundings. */
export function drawLive(seed: number, caps: ClusterCaps) {
  const draws = new Draws(seed);
  const isTimeless = draws.chance('timeless', 0.3);
  const graph = drawWeb(draws, caps.pages ?? 40);
  const settings = drawSettings(seed, draws, graph, isTimeless);
  const { processors, politenessMs } = settings;
  const nodes = Math.min(caps.nodes ?? Infinity, draws.int('nodes', 1, Math.min(4, processors)));
  const supervision = drawSupervision(draws, { nodes, faults: caps.faults, hasEpochs: true });
  const web: WebSettings = {
    delayMs: politenessMs, latencyMs: draws.of('latency', [1, 100, 1000]), drift: supervision.drift,
    errorShare: isTimeless ? 0 : draws.of('errors', [0, 0.1]), missingShare: draws.of('missing', [0, 0.1]),
  };
  return {
    graph, settings, supervision, web, nodes, isTimeless, checkpointSupersteps: draws.of('checkpoints', [0, 0, 3, 7]),
  };
}

function drawWeb(draws: Draws, maxPages: number): WebGraph {
  const pages = Math.min(maxPages, draws.int('pages', 2, 40));
  const hosts = draws.int('hosts', 1, 9);
  const arcs = pages * draws.of('arcs a page', [2, 4]);
  const page = (): number => draws.int('end of an arc', 0, pages - 1);
  return buildGraph({
    name: 'web', pages,
    sources: Uint32Array.from({ length: arcs }, page), targets: Uint32Array.from({ length: arcs }, page),
    hosts: hostsFromNames(Array.from({ length: pages }, () => `h${draws.int('host', 0, hosts - 1)}.example.org`)),
  });
}

function drawSettings(seed: number, draws: Draws, { pages }: WebGraph, isTimeless: boolean): SettledExperiment {
  const superstepLimit = draws.of('superstep limit', [1, 2, 5]);
  const seedPages = [...new Set([0, draws.int('seed page', 0, pages - 1)])];
  const experiment = parseExperiment({
    processors: draws.int('processors', 1, 5), robots: isTimeless ? 1 : draws.int('robots', 1, 3), superstepLimit,
    // Longer than two round trips: the clocks of Worlds would fall behind for ever.
    superstepMs: isTimeless ? 0 : draws.of('superstep ms', [0, 500, 2000]), seedPages, seed,
    politenessMs: isTimeless ? 0 : draws.of('politeness', [0, 20, 500, 2000]), retries: 2,
    backoffMs: draws.of('back-off', [0, 100]), pending: draws.of('pending', [1, 8]),
    policy: draws.of('policy', ['opic', 'breadth-first', 'depth-first', 'backlink-count', 'larger-sites-first']),
    statistics: 'off',
  });
  return settle(experiment, superstepLimit, seedPages);
}

/** Facts of a live crawl that was tried. */
export interface LiveTried extends Supervised {
  readonly pages: number;
  readonly repeats: number;
}

/**
 * Whatever ends, stops or is lost, the crawl ends with the pages that one machine would have fetched, none of them
 * twice but those in flight at an end, and all nodes have the same record. Where time plays no part, it is in the order
 * of the undisturbed crawl. The web, the server and the product's own invariants check the rest while it goes on.
 */
export async function tryLive(seed: number, caps: ClusterCaps): Promise<LiveTried> {
  const drawn = drawLive(seed, caps);
  const { settings, supervision, nodes, isTimeless, checkpointSupersteps } = drawn;
  const run = async (surroundings: typeof supervision) => {
    const web = new CrawledWeb(seed, drawn.graph, drawn.web);
    const disks = Array.from({ length: nodes }, () => new Disk());
    const { latencyMs, delayMs } = drawn.web;
    const owedMs = Math.max(delayMs, settings.backoffMs * 4) + 1.5 * latencyMs;
    const crawl: LiveCrawl = { settings, nodes, checkpointSupersteps, web, disks, owedMs };
    return { web, disks, ...await new Cluster(seed, surroundings, liveNode(crawl)).run() };
  };
  const crawled = await run(supervision);
  const { web, disks, results, processes } = crawled;
  const expected = [...web.reachable(settings.seedPages, settings.retries)].sort((a, b) => a - b);
  const fetched = disks.flatMap((disk) => disk.fetched).sort((a, b) => a - b);
  if (fetched.join() !== expected.join())
    throw new Error(`pages ${fetched.join()} were fetched, not ${expected.join()}`);
  const other = results.findIndex((result) => result !== results[0]);
  if (other >= 0) throw new Error(`nodes 0 and ${other} have different rows:\n${results[0]}\n${results[other]}`);
  const recorded = ordersOf(disks, settings.processors).flat();
  if (recorded.sort((a, b) => a - b).join() !== expected.join())
    throw new Error(`the records have the pages ${recorded.join()}, not ${expected.join()}`);
  const maxRepeats = (processes - nodes) * settings.processors * settings.robots;
  if (web.repeats > maxRepeats)
    throw new Error(`${web.repeats} requests were repeated, by ${processes} processes; ${maxRepeats} may be`);
  if (isTimeless) {
    const undisturbed = await run({ ...supervision, kinds: [] });
    const [one, two] = [disks, undisturbed.disks].map((each) => ordersOf(each, settings.processors).map(String));
    const processor = one.findIndex((order, id) => order !== two[id]);
    if (processor >= 0)
      throw new Error(`processor ${processor} fetched ${one[processor]}, and undisturbed ${two[processor]}`);
  }
  return { ...crawled, pages: fetched.length, repeats: web.repeats };
}

/** The pages that each processor fetched, in its order. */
function ordersOf(disks: readonly Disk[], processors: number): number[][] {
  return Array.from({ length: processors }, (_, id) => disks[id % disks.length].record
    .filter(([processor, , kind]) => processor === id && kind === 'fetched').map(([, page]) => page));
}
