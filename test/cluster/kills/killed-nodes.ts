import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { openRedis } from '../../../src/machines/cluster/index.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { readArchives, type ReadArchives } from '../../crawl/archives.ts';
import type { Loopback } from '../../crawl/loopback.ts';
import { politenessOf, type Breach } from '../../service/politeness.ts';
import { RedisServer } from '../redis-server.ts';
import { crawledWeb, leaseMs, type CrawledWebOptions } from './crawled-web.ts';
import type { GatedSite } from './gated-site.ts';
import { fetchedUrls, isPage, nodeOf, ordersOf, ordersOfAll, repeatedFetches, urlOf } from './stored-crawl.ts';
import { SupervisedNodes } from './supervised-nodes.ts';

export interface KilledNodesOptions extends CrawledWebOptions {
  readonly nodes: number;
  /** How much happens to it. */
  readonly kills: number;
  /** Called when something has happened. */
  readonly onEvent?: ((event: Event) => void) | undefined;
}

/** What happens to a crawl. */
export const events = ['kill', 'redis', 'flush', 'pause', 'twice', 'stop'] as const;
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

/**
 * Crawls a synthetic graph on loopback on one machine, then on several nodes to which drawn things happen, and checks
 * all that is promised, by the server's log, the stores and the archives.
 */
export async function killedNodes(options: KilledNodesOptions): Promise<KilledNodes> {
  const { nodes } = options;
  const { web, gate, flags, politenessMs, alone } = await crawledWeb(options);
  await using redis = await RedisServer.start();
  try {
    const underWay: UnderWay[] = [];
    const crawl = new SupervisedNodes(web.folder(), nodes, [
      ...flags, '--cluster', redis.url, '--nodes', String(nodes), '--lease-seconds', String(leaseMs / 1000),
    ], async (node) => {
      underWay.push(await inFlight(crawl.folderOf(node), web, gate, (url) => nodeOf(url, nodes) === node));
    });
    try {
      const happened = await disturbed(crawl, redis, web, gate, options);
      await crawl.ended;
      return {
        ...await judged(crawl, web, nodes, alone, { events: happened, underWay }),
        breaches: politenessOf(web.log, 1000 * politenessMs),
      };
    } finally {
      crawl.kills();
    }
  } finally {
    await web.close();
  }
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
    else if (event === 'stop') await crawl.stop(node, () => { site.open(Infinity); });
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
  folder: string, { log }: Loopback, { answered }: GatedSite, isOwn: (url: string) => boolean,
): Promise<UnderWay> {
  const stored = new Set(await fetchedUrls(folder));
  const unstored = (urls: readonly string[]): Set<string> =>
    new Set(urls.filter((url) => isOwn(url) && !stored.has(url)));
  return { heard: unstored(log.filter(isPage).map(urlOf)), begun: unstored(answered) };
}

async function judged(
  crawl: SupervisedNodes, web: Loopback, nodes: number, alone: string, { events: happened, underWay }: Happened,
): Promise<Omit<KilledNodes, 'breaches'>> {
  const folders = Array.from({ length: nodes }, (_, node) => crawl.folderOf(node));
  const repeated = [...repeatedFetches(web.log)];
  const faults = [...crawl.faults];
  // What a node that failed has left says nothing more.
  const archives = await Promise.all((faults.length > 0 ? [] : folders).map(async (folder) =>
    readArchives(join(folder, 'warc'), new Set(await fetchedUrls(folder)))));
  const isSameOrder = faults.length === 0 && isDeepStrictEqual(await ordersOfAll(folders), await ordersOf(alone));
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
