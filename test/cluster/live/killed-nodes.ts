import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { mainFile } from '../../cli/command.ts';
import { readArchives, type ReadArchives } from '../../crawl/archives.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf, type Loopback } from '../../crawl/loopback.ts';
import { politenessOf, type Breach } from '../../service/politeness.ts';
import { RedisServer } from '../redis-server.ts';

export interface KilledNodesOptions {
  readonly nodes: number;
  readonly pages: number;
  /** Events before the crawl ends by itself. */
  readonly kills: number;
  readonly seed: number;
  /** One robot a processor, no delay, supersteps by count: then the order is that of one machine. */
  readonly isTimeless: boolean;
  readonly policy?: Experiment['policy'] | undefined;
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
const leaseMs = 2000;

/** A crawl on several nodes, by the command, each restarted when it was killed, over a Redis server of its own. */
class Nodes {
  readonly ended: Promise<unknown>;
  readonly faults: string[] = [];
  readonly folder: string;
  readonly #args: readonly string[];
  readonly #processes: (ChildProcess | undefined)[] = [];
  /** Looks at the folder of a node whose process has ended, before another one begins. */
  readonly #look: (node: number) => Promise<void>;

  constructor(folder: string, nodes: number, args: readonly string[], look: (node: number) => Promise<void>) {
    this.folder = folder;
    this.#look = look;
    this.#args = args;
    this.ended = Promise.all(Array.from({ length: nodes }, async (_, node) => this.#supervise(node)));
  }

  folderOf(node: number): string {
    return join(this.folder, `node-${node}`);
  }

  /** Kills a node, which is then started again. */
  async kill(node: number): Promise<void> {
    const child = this.#processes[node];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  async pause(node: number, ms: number): Promise<void> {
    const child = this.#processes[node];
    child?.kill('SIGSTOP');
    await sleep(ms);
    child?.kill('SIGCONT');
  }

  /** Another process for a node: in the same folder, or in one of its own. @returns how it ended. */
  async twice(node: number, folder: string): Promise<{ readonly code: number | null; readonly said: string }> {
    const child = this.#start(node, folder);
    const said = textOf(child);
    // The place is free once the node has ended: in a new folder the process then waits for a new crawl.
    void this.ended.then(() => { child.kill('SIGKILL'); });
    const [code] = await once(child, 'close') as [number | null];
    return { code, said: said() };
  }

  kills(): void {
    for (const child of this.#processes) child?.kill('SIGKILL');
  }

  async #supervise(node: number): Promise<void> {
    for (;;) {
      const child = this.#processes[node] = this.#start(node, this.folder);
      const said = textOf(child);
      const [code, signal] = await once(child, 'close') as [number | null, string | null];
      if (signal === 'SIGKILL' || code === 75) {
        await this.#look(node);
        continue;
      }
      // A second process was there first, and is the node as long as it runs.
      const isBusy = code === 2 && said().includes('is being written by process');
      // Whoever supervises nodes tries again while Redis is away.
      if (isBusy || (code === 3 && said().includes('cannot be reached within'))) {
        await sleep(200);
        continue;
      }
      if (code !== 0) this.faults.push(`node ${node} ended with ${code ?? signal}: ${said()}`);
      if (code === 0 || this.faults.length > 0) return;
    }
  }

  #start(node: number, folder: string): ChildProcess {
    return spawn(process.execPath, [
      mainFile, 'crawl', ...this.#args, '--node', String(node), '--out', folder, '--or-resume',
    ], { stdio: ['ignore', 'ignore', 'pipe'] });
  }
}

function textOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (more: string) => { text = (text + more).slice(-4000); });
  return () => text;
}

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
  const web = await loopback(site);
  await using redis = await RedisServer.start();
  const politenessMs = isTimeless ? 0 : 10;
  const robots = isTimeless ? 1 : 3;
  const flags = [
    ...urlsOf(site, site.seedPages), '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8',
    '--resolve', `*=127.0.0.1:${web.port}`, '--processors', String(processors), '--robots', String(robots),
    '--politeness-ms', String(politenessMs), '--reader-threads', '0', '--policy', policy, '--backoff-ms', '50',
    ...(isTimeless ? ['--superstep-ms', '0', '--superstep-limit', '6'] : ['--superstep-ms', '250']),
    ...optionsOf(policy),
  ];
  try {
    if (policy === 'scores' || policy === 'pagerank') {
      const file = `${web.folder()}.tsv`;
      const lines = Array.from(trueRanks(prepare(graph)), (rank, page) => `${site.urls.urlOf(page)}\t${rank}\n`);
      writeFileSync(file, lines.join(''));
      flags.push('--scores', file);
    }
    const alone = web.folder();
    const child = spawn(process.execPath, [mainFile, 'crawl', ...flags, '--out', alone], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = textOf(child);
    const [code] = await once(child, 'close') as [number | null];
    if (code !== 0) throw new Error(`the crawl on one machine ended with ${code}: ${said()}`);
    web.log.length = 0;

    const underWay: Set<string>[] = [];
    const crawl = new Nodes(web.folder(), nodes, [
      ...flags, '--cluster', redis.url, '--nodes', String(nodes), '--lease-seconds', String(leaseMs / 1000),
    ], async (node) => { underWay.push(await inFlight(crawl.folderOf(node), web, node, nodes)); });
    try {
      const happened = await disturbed(crawl, redis, web, options);
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
  readonly underWay: readonly ReadonlySet<string>[];
}

/** Lets things happen, each when so many more pages have been asked for, until all have or the crawl has ended. */
async function disturbed(
  crawl: Nodes, redis: RedisServer, web: Loopback, { nodes, pages, kills, seed }: KilledNodesOptions,
): Promise<Event[]> {
  const draws = new DrawStream(seed, 'kills of nodes');
  const happened: Event[] = [];
  let hasEnded = false;
  void crawl.ended.then(() => { hasEnded = true; });
  for (let i = 0; i < kills; i++) {
    const until = web.log.filter(isPage).length + 1 + Math.floor(draws.uniform(i, 0) * pages / (2 * kills));
    while (!isOver() && web.log.filter(isPage).length < until) await sleep(5);
    if (isOver()) break;
    // Every other is a kill; the others in turn.
    const event = i % 2 === 0 ? 'kill' : events[1 + Math.floor(i / 2) % (events.length - 1)];
    const node = Math.floor(draws.uniform(i, 1) * nodes);
    happened.push(event);
    if (event === 'kill') await crawl.kill(node);
    else if (event === 'redis') await redis.restart();
    else if (event === 'flush') await flushed(redis);
    else if (event === 'pause') await crawl.pause(node, 1.6 * leaseMs);
    else await twice(crawl, node, web);
  }
  return happened;

  function isOver(): boolean {
    return hasEnded || crawl.faults.length > 0;
  }
}

async function flushed(redis: RedisServer): Promise<void> {
  const client = await openRedis(redis.url);
  await client.flushall();
  client.disconnect();
}

/** A second process for a node that runs is refused, in its folder as in another. */
async function twice(crawl: Nodes, node: number, web: Loopback): Promise<void> {
  for (const folder of [crawl.folder, web.folder()]) {
    const { code, said } = await crawl.twice(node, folder);
    // Killed, or without a fault, where the crawl had ended.
    if (code !== 2 && code !== 0 && code !== null)
      crawl.faults.push(`a second process for node ${node} ended with ${code}: ${said}`);
  }
}

/** Pages of a node that were asked for, and are not stored. */
async function inFlight(folder: string, web: Loopback, node: number, nodes: number): Promise<Set<string>> {
  const stored = new Set(await fetchedUrls(folder));
  const asked = web.log.filter(isPage).filter(({ host }) => hostHash(host, processors) % nodes === node).map(urlOf);
  return new Set(asked.filter((url) => !stored.has(url)));
}

async function judged(
  crawl: Nodes, web: Loopback, nodes: number, alone: string, { events: happened, underWay }: Happened,
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
    unexplained: repeated.filter(([url, count]) => count - 1 > underWay.filter((set) => set.has(url)).length)
      .map(([url]) => url),
    maxInFlight: Math.max(0, ...underWay.map(({ size }) => size)),
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
