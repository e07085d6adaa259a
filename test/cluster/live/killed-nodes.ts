import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostHash } from '../../../src/bsp/index.ts';
import { openRedis } from '../../../src/cluster/index.ts';
import { openLmdbStore } from '../../../src/live/index.ts';
import { readRunEvents, readRunJson } from '../../../src/measure/record/read/read-run.ts';
import { openGraph } from '../../../src/catalogue/index.ts';
import type { LoggedRequest } from '../../../src/service/index.ts';
import type { LiveExperiment } from '../../../src/crawl/index.ts';
import { trueRanks } from '../../../src/engine/index.ts';
import { prepare } from '../../../src/graph/index.ts';
import type { Experiment } from '../../../src/settings/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { orbweaverProcess } from '../../cli/command.ts';
import { readArchives, type ReadArchives } from '../../crawl/archives.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { politenessOf, type Breach } from '../../service/politeness.ts';
import { RedisServer } from '../redis-server.ts';
import { GatedSite } from './gated-site.ts';
import { SupervisedNodes } from './supervised-nodes.ts';

export interface KilledNodesOptions {
  readonly nodes: number;
  readonly pages: number;
  /** How much happens to it. */
  readonly kills: number;
  readonly seed: number;
  /** One robot a processor, no delay, supersteps by count: then the order is that of one machine. */
  readonly isTimeless: boolean;
  readonly policy?: Experiment['policy'] | undefined;
  /** Called when something has happened. */
  readonly onEvent?: ((event: Event) => void) | undefined;
}

/** What happens to a crawl. */
export const events = ['kill', 'redis', 'flush', 'pause', 'twice'] as const;
export type Event = (typeof events)[number];

export interface KilledNodes {
  readonly events: readonly Event[];
  /** URLs fetched by one machine, and by all nodes, sorted; one that two nodes have fetched is there twice. */
  readonly undisturbed: readonly string[];
  readonly final: readonly string[];
  /** Whether each processor fetched in the order of one machine. */
  readonly isSameOrder: boolean;
  /** Fetches of a page beyond the first, and the pages of those that no kill explains. */
  readonly repeats: number;
  readonly unexplained: readonly string[];
  /** Pages under way at a kill, the most. */
  readonly maxInFlight: number;
  readonly breaches: readonly Breach[];
  readonly archive: ReadArchives;
  /** Whatever a node or a second process said or did that it should not. */
  readonly faults: readonly string[];
}

export const processors = 6;
/** Of each processor. */
export const robotsOf = (isTimeless: boolean): number => (isTimeless ? 1 : 3);
const leaseMs = 2000;
const heldMs = 600_000;

/**
 * Crawls a synthetic graph on loopback on one machine, then on several nodes to which drawn things happen, and checks
 * all that is promised, by the server's log, the stores and the archives.
 */
export async function killedNodes(
  options: KilledNodesOptions, whenDone: (killed: KilledNodes) => Promise<void> | void,
): Promise<void> {
  const { nodes, pages, seed, isTimeless, policy = 'opic' } = options;
  const graph = syntheticWeb(pages, seed);
  const site = graphWeb(graph, { latencyMs: 3, latencySigma: 0.5, robotsTxtShare: 0.5 }, seed);
  const gate = new GatedSite(site);
  const web = await loopback(gate);
  await using redis = await RedisServer.start();
  const politenessMs = isTimeless ? 0 : 10;
  const robots = robotsOf(isTimeless);
  const flags = [
    ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
    '--resolve', `*=127.0.0.1:${web.port}`, '--processors', String(processors), '--robots', String(robots),
    '--politeness-ms', String(politenessMs), '--reader-threads', '0', '--policy', policy, '--backoff-ms', '50',
    ...(isTimeless ? ['--superstep-ms', '0', '--superstep-limit', '6'] : ['--superstep-ms', '250']),
    // An answer that is held is no fault of its host.
    '--headers-timeout-ms', String(heldMs), '--download-timeout-ms', String(heldMs), ...optionsOf(policy),
  ];
  try {
    if (policy === 'scores' || policy === 'pagerank') {
      const file = `${web.folder()}.tsv`;
      const lines = Array.from(trueRanks(prepare(graph)), (rank, page) => `${site.urls.urlOf(page)}\t${rank}\n`);
      writeFileSync(file, lines.join(''));
      flags.push('--scores', file);
    }
    const alone = web.folder();
    const { code, stderr } = await orbweaverProcess(['crawl', ...flags, '--out', alone], tmpdir());
    if (code !== 0) throw new Error(`the crawl on one machine ended with ${code}: ${stderr}`);
    web.log.length = 0;
    gate.restart();

    const underWay: UnderWay[] = [];
    const crawl = new SupervisedNodes(web.folder(), nodes, [
      ...flags, '--cluster', redis.url, '--nodes', String(nodes), '--lease-seconds', String(leaseMs / 1000),
    ], async (node) => {
      const isOwn = (host: string): boolean => hostHash(host, processors) % nodes === node;
      underWay.push(await inFlight(crawl.folderOf(node), web, gate, isOwn));
    });
    try {
      const happened = await disturbed(crawl, redis, web, gate, options);
      await crawl.ended;
      await whenDone({
        ...await judged(crawl, web, nodes, alone, { events: happened, underWay }),
        breaches: politenessOf(web.log, 1000 * politenessMs),
      });
    } finally {
      crawl.kills();
    }
  } finally {
    await web.close();
  }
}

/** What some policies need to be told. */
function optionsOf(policy: Experiment['policy']): string[] {
  if (policy === 'weighted') return ['--weights', 'opic=0.7,larger-sites-first=0.3'];
  return policy === 'batch-pagerank' ? ['--rank-every-pages', '40'] : [];
}

interface Happened {
  readonly events: readonly Event[];
  readonly underWay: readonly UnderWay[];
}

/** How many pages have been answered at each event, and by how many at most the crawl goes on during the last. */
function momentsOf(draws: DrawStream, { pages, kills }: KilledNodesOptions): number[] {
  const moments: number[] = [];
  let answers = 0;
  // Half of the pages remain, however the draws fall: no crawl ends before all has happened.
  for (let i = 0; i <= kills; i++)
    moments.push(answers += 1 + Math.floor(draws.uniform(i, 0) * pages / (2 * kills + 2)));
  return moments;
}

/** What happens, in order: every other is a kill, the others come in turn, from one on that the seed has chosen. */
export function eventsOf({ kills, seed }: Pick<KilledNodesOptions, 'kills' | 'seed'>): Event[] {
  const others = events.slice(1);
  return Array.from({ length: kills }, (_, i) => (
    i % 2 === 0 ? 'kill' : others[(Math.floor(i / 2) + seed) % others.length]
  ));
}

/**
 * Lets things happen, each when so many pages have been answered. Until one is over, the web answers no more pages than
 * there are to be at the next: what is to happen happens, however fast the crawl is.
 */
async function disturbed(
  crawl: SupervisedNodes, redis: RedisServer, web: Loopback, site: GatedSite, options: KilledNodesOptions,
): Promise<Event[]> {
  const { nodes, seed, onEvent } = options;
  const draws = new DrawStream(seed, 'kills of nodes');
  const moments = momentsOf(draws, options);
  const happened: Event[] = [];
  for (const [i, event] of eventsOf(options).entries()) {
    site.open(moments[i + 1]);
    await Promise.race([site.reached(moments[i]), crawl.over]);
    const node = Math.floor(draws.uniform(i, 1) * nodes);
    if (crawl.isOver()) break;
    if (event === 'kill') await crawl.kill(node);
    else if (event === 'redis') await redis.restart();
    else if (event === 'flush') await flushed(redis);
    else if (event === 'twice') await Promise.all([crawl.twice(node), crawl.stranger(node, web.folder())]);
    else {
      // In every other pause another process takes the slot, and is sent away by the nodes that know the folder.
      const isTaken = draws.uniform(i, 2) < 0.5;
      await crawl.pause(node, 1.6 * leaseMs, async () => isTaken && crawl.stranger(node, web.folder()));
    }
    if (crawl.isOver()) break;
    happened.push(event);
    onEvent?.(event);
  }
  site.open(Infinity);
  return happened;
}

async function flushed(redis: RedisServer): Promise<void> {
  const client = await openRedis(redis.url);
  await client.flushall();
  client.disconnect();
}

/** Pages of a node that are not stored at an end of it. */
interface UnderWay {
  /** By the server's log, in which a request is when it is over. */
  readonly heard: ReadonlySet<string>;
  /** Those that the web has begun to answer: the log may come to have them. */
  readonly begun: ReadonlySet<string>;
}

async function inFlight(
  folder: string, { log }: Loopback, { answered }: GatedSite, isOwn: (host: string) => boolean,
): Promise<UnderWay> {
  const stored = new Set(await fetchedUrls(folder));
  const unstored = (urls: readonly string[]): Set<string> =>
    new Set(urls.filter((url) => isOwn(new URL(url).host) && !stored.has(url)));
  return { heard: unstored(log.filter(isPage).map(urlOf)), begun: unstored(answered) };
}

async function judged(
  crawl: SupervisedNodes, web: Loopback, nodes: number, alone: string, { events: happened, underWay }: Happened,
): Promise<Omit<KilledNodes, 'breaches'>> {
  const folders = Array.from({ length: nodes }, (_, node) => crawl.folderOf(node));
  const fetches = new Map<string, number>();
  for (const url of web.log.filter(isPage).map(urlOf)) fetches.set(url, (fetches.get(url) ?? 0) + 1);
  const repeated = [...fetches].filter(([, count]) => count > 1);
  const faults = [...crawl.faults];
  // What a node that failed has left says nothing more.
  const archives = await Promise.all((faults.length > 0 ? [] : folders).map(async (folder) =>
    readArchives(join(folder, 'warc'), new Set(await fetchedUrls(folder)))));
  let isSameOrder = false;
  if (faults.length === 0) {
    const orders = await Promise.all(folders.map(ordersOf));
    const one = await ordersOf(alone);
    isSameOrder = one.every((urls, processor) => urls.join('\n') === orders[processor % nodes][processor].join('\n'));
  }
  return {
    events: happened,
    undisturbed: (await fetchedUrls(alone)).sort(),
    final: (await Promise.all(folders.map(fetchedUrls))).flat().sort(),
    isSameOrder,
    repeats: repeated.reduce((sum, [, count]) => sum + count - 1, 0),
    unexplained: repeated.filter(([url, count]) => count - 1 > underWay.filter(({ begun }) => begun.has(url)).length)
      .map(([url]) => url),
    maxInFlight: Math.max(0, ...underWay.map(({ heard }) => heard.size)),
    archive: {
      records: archives.reduce((sum, { records }) => sum + records, 0),
      faults: archives.flatMap((one) => one.faults), missing: archives.flatMap((one) => one.missing),
    },
    faults,
  };
}

function isPage({ status, path }: LoggedRequest): boolean {
  return status === 200 && path !== '/robots.txt';
}

function urlOf({ host, path }: LoggedRequest): string {
  return `http://${host}${path}`;
}

/** URLs of the pages that a folder's store has as fetched; none where there is no store yet. */
export async function fetchedUrls(folder: string): Promise<string[]> {
  const store = await openLmdbStore(join(folder, 'store')).catch(() => undefined);
  if (store === undefined) return [];
  const urls = Array.from(store.pages(), ({ url }) => url);
  const fetched = Array.from(store.visits()).filter(({ kind }) => kind === 'fetched').map(({ page }) => urls[page]);
  await store.close();
  return fetched;
}

/** By processor, URLs in the order in which a folder's record has them; those of other nodes are empty. */
export async function ordersOf(folder: string): Promise<string[][]> {
  const run = await readRunJson<LiveExperiment>(folder);
  const { order } = await readRunEvents(folder, run);
  const graph = await openGraph(join(folder, 'graph.owg'));
  const orders = Array.from({ length: processors }, (): string[] => []);
  for (const page of order) {
    const host = graph.hosts.names.at(graph.hosts.ofPage[page]);
    orders[hostHash(host, processors)].push(`${host}${graph.paths?.at(page) ?? ''}`);
  }
  return orders;
}
