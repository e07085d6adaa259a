import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, mkdir, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { machine, spread, type Spread } from '../../../src/questions/bench/index.ts';
import { runSession } from '../../../src/machines/crawl/session/session.ts';
import { parseLiveCrawl } from '../../../src/core/policy/index.ts';
import {
  Fetcher, liveSchema, openLmdbStore, pageReaders, type Answer, type LiveInput, type LiveSettings,
} from '../../../src/core/live/index.ts';
import { MemoryStore } from '../../live/store/memory-store.ts';
import { crawleeSides } from './crawlee.ts';
import type { BenchWeb, BenchWebServed } from './site.ts';

/** What every side is given. */
export interface CrawlTask {
  readonly port: number;
  /** Requests under way at once, on as many connections or more. */
  readonly connections: number;
  /** Pages to fetch for sides that follow no links: those that the first crawl took, in its order. */
  readonly urls: readonly string[];
  readonly seeds: readonly string[];
}

/** One way to have the pages. */
export interface CrawlSide {
  readonly name: string;
  /**
   * `end`: called, once or oftener, when all is fetched and stored; what follows does not count. By default that is
   * when `run` is over.
   */
  run(end: () => void): Promise<{ readonly pages: number; readonly note?: string | undefined }>;
}

export interface CrawlCase {
  readonly name: string;
  /** Of all threads of this process; the server is another one. */
  readonly cpuUsPerPage: Spread;
  /** Of this thread alone, which is the crawl's; NaN where the system does not say (other than Linux). */
  readonly threadUsPerPage: Spread;
  readonly pagesPerSecond: Spread;
  /** Speed against bare undici, round by round: by CPU time, and by the clock. */
  readonly byCpu: Spread;
  readonly byClock: Spread;
  /** The same against the crawl by default, of what adds to it. */
  readonly ofDefault?: { readonly byCpu: Spread; readonly byClock: Spread } | undefined;
  readonly pages: number;
  readonly note: string;
}

export interface CrawlBenchOptions extends BenchWeb {
  readonly rounds: number;
  readonly pages: number;
  readonly connections: number;
  /** Sides to run besides bare undici: those whose name contains it. */
  readonly only?: string | undefined;
  /** Where Crawlee is installed. */
  readonly crawlee?: string | undefined;
  /** The compiled script of the server; its TypeScript where it is left out. */
  readonly server?: string;
}

export interface CrawlReport {
  readonly machine: string;
  readonly options: CrawlBenchOptions;
  /** Load of the machine over the last minute, at the end. */
  readonly load: number;
  readonly cases: readonly CrawlCase[];
}

/**
 * The live crawl beside bare undici and Crawlee, over a web served on loopback by another process. Sides take
 * turns in this process, after a round that is not counted. Of a crawl everything counts from its start to its last
 * barrier: what it opens, robots.txt, the queue, the log; not the measures that it ends with.
 */
export async function benchCrawl(options: CrawlBenchOptions): Promise<CrawlReport> {
  const { connections, pages, rounds, only = '', crawlee } = options;
  const root = await mkdtemp(join(tmpdir(), 'orbweaver-bench-crawl-'));
  const { child, port, seeds } = await serve(options, options.server);
  try {
    const crawls = new Crawls(root, { port, connections, pages, seeds });
    const urls = await crawls.urlsTaken();
    const sides = [...bareSides({ port, connections, urls, seeds }, crawls.live), ...crawls.sides()];
    if (crawlee !== undefined)
      sides.push(...crawleeSides(crawlee, { port, connections, urls: urls.slice(0, maxCrawleePages), seeds }));
    const taken = sides.filter(({ name }, i) => i === 0 || name.includes(only));
    return { machine: machine(), options, cases: await alternated(taken, rounds), load: loadavg()[0] };
  } finally {
    child.disconnect();
    await rm(root, { recursive: true, force: true });
  }
}

async function serve(
  { graph, hosts, folders }: BenchWeb, script = join(import.meta.dirname, 'server.ts'),
): Promise<BenchWebServed & { readonly child: ChildProcess }> {
  const child = fork(script, [JSON.stringify({ graph, hosts, folders } satisfies BenchWeb)], {
    execArgv: script.endsWith('.ts') ? ['--import', import.meta.resolve('tsx')] : [],
  });
  const gone = once(child, 'exit').then(() => { throw new Error('the server of the bench ended'); });
  const [served] = await Promise.race([once(child, 'message'), gone]) as [BenchWebServed];
  gone.catch(() => undefined);
  return { child, ...served };
}

interface Round {
  readonly cpuUsPerPage: number;
  readonly threadUsPerPage: number;
  readonly pagesPerSecond: number;
}

interface Taken {
  readonly ms: number;
  readonly cpuUs: number;
  readonly threadUs: number;
}

/** What this thread has computed so far, microseconds: the first figure of Linux's schedstat, nanoseconds. */
function threadCpuUs(): number {
  const path = `/proc/self/task/${process.pid}/schedstat`;
  return existsSync(path) ? Number(readFileSync(path, 'latin1').split(' ')[0]) / 1000 : NaN;
}

function takenSoFar(): Taken {
  const { user, system } = process.cpuUsage();
  return { ms: performance.now(), cpuUs: user + system, threadUs: threadCpuUs() };
}

async function alternated(sides: readonly CrawlSide[], rounds: number): Promise<CrawlCase[]> {
  const all = sides.map((): Round[] => []);
  const reported = sides.map(() => ({ pages: 0, note: '' }));
  for (let round = -1; round < rounds; round++) {
    for (const [i, side] of sides.entries()) {
      const began = takenSoFar();
      let ended: Taken | undefined;
      const { pages, note = '' } = await side.run(() => { ended = takenSoFar(); });
      const { ms, cpuUs, threadUs } = ended ?? takenSoFar();
      reported[i] = { pages, note };
      if (round < 0) continue;
      all[i].push({
        cpuUsPerPage: (cpuUs - began.cpuUs) / pages, threadUsPerPage: (threadUs - began.threadUs) / pages,
        pagesPerSecond: (1000 * pages) / (ms - began.ms),
      });
    }
  }
  const speeds = (rounds: readonly Round[], base: readonly Round[]): { byCpu: Spread; byClock: Spread } => ({
    byCpu: spread(rounds.map((round, j) => base[j].cpuUsPerPage / round.cpuUsPerPage)),
    byClock: spread(rounds.map((round, j) => round.pagesPerSecond / base[j].pagesPerSecond)),
  });
  const byDefault = all[sides.findIndex(({ name }) => name === DEFAULT)] as Round[] | undefined;
  return sides.map(({ name }, i) => ({
    name,
    ...reported[i],
    cpuUsPerPage: spread(all[i].map((round) => round.cpuUsPerPage)),
    threadUsPerPage: spread(all[i].map((round) => round.threadUsPerPage)),
    pagesPerSecond: spread(all[i].map((round) => round.pagesPerSecond)),
    ...speeds(all[i], all[0]),
    ofDefault: byDefault && name.startsWith(`${DEFAULT}, `) ? speeds(all[i], byDefault) : undefined,
  }));
}

/** Crawlee takes milliseconds a page. */
const maxCrawleePages = 1000;

/**
 * The pages had by their URLs: as bare as undici does it, body read whole; by the crawler's own fetcher, with all that
 * it watches; and read.
 */
function bareSides({ port, connections, urls }: CrawlTask, live: LiveSettings): CrawlSide[] {
  // A host has one request at a time, so that each is one lane's alone.
  const lanes = Array.from({ length: connections }, (): URL[] => []);
  const laneOfHost = new Map<string, number>();
  for (const text of urls) {
    const url = new URL(text);
    if (!laneOfHost.has(url.host)) laneOfHost.set(url.host, laneOfHost.size % connections);
    lanes[laneOfHost.get(url.host)!].push(url);
  }
  const inLanes = async (fetchOne: (url: URL) => Promise<number>): Promise<{ pages: number }> => {
    await Promise.all(lanes.map(async (lane) => {
      for (const url of lane) if (await fetchOne(url) === 0) throw new Error(`${url.href}: came without its body`);
    }));
    return { pages: urls.length };
  };
  const byFetcher = async (then: (answer: Answer) => Promise<unknown>): Promise<{ pages: number }> => {
    const fetcher = await Fetcher.open(live);
    return inLanes(async ({ href }) => {
      const end = await fetcher.fetch(href, () => 'body');
      if ('reason' in end) throw new Error(`${href}: ${end.reason}`);
      await then(end);
      fetcher.release(end);
      return end.body.length;
    }).finally(() => fetcher.close());
  };
  return [
    {
      name: 'bare undici Pool.request',
      run: async () => {
        const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 });
        return inLanes(async ({ pathname, search, host }) => {
          const { body } = await pool.request({ method: 'GET', path: pathname + search, headers: { host } });
          return (await body.arrayBuffer()).byteLength;
        }).finally(() => pool.close());
      },
    },
    { name: 'Fetcher alone', run: () => byFetcher(() => Promise.resolve()) },
    {
      name: 'Fetcher, and links read',
      run: () => {
        const readers = pageReaders(live);
        return byFetcher(({ url, rawHeaders, body }) => readers.read({ url, rawHeaders, body }));
      },
    },
  ];
}

interface Way {
  readonly name: string;
  readonly live: Partial<LiveInput>;
  readonly isStored: boolean;
  /** Off in all others. */
  readonly statistics?: 'auto';
}

const DEFAULT = 'crawl by default';
const inMemory = { warc: false, readerThreads: 0 };
const ways: readonly Way[] = [
  { name: 'crawl: links', live: { ...inMemory, robotsTxt: 'ignore' }, isStored: false },
  { name: 'crawl: robots.txt and links', live: inMemory, isStored: false },
  { name: 'crawl: robots.txt, links, store', live: inMemory, isStored: true },
  { name: 'crawl: robots.txt, links, store, WARC, no reader', live: { warc: true, readerThreads: 0 }, isStored: true },
  { name: DEFAULT, live: {}, isStored: true },
  { name: `${DEFAULT}, with text`, live: { text: true }, isStored: true },
  { name: `${DEFAULT}, with statistics`, live: {}, isStored: true, statistics: 'auto' },
];

type CrawlsTask = Omit<CrawlTask, 'urls'> & { readonly pages: number };

/** The live crawl in its ways, each run in a new folder. */
class Crawls {
  readonly live: LiveSettings;
  readonly #root: string;
  readonly #task: CrawlsTask;
  #count = 0;

  constructor(root: string, task: CrawlsTask) {
    this.#root = root;
    this.#task = task;
    this.live = this.#settings(inMemory);
  }

  #settings(way: Partial<LiveInput>): LiveSettings {
    return liveSchema.parse({
      contact: 'bench@localhost', allowNetworks: ['127.0.0.0/8'], allowDomains: ['bench.test'],
      resolve: [{ host: '*', address: '127.0.0.1', port: this.#task.port }],
      ...way,
    });
  }

  async urlsTaken(): Promise<string[]> {
    const { graph: { hosts, paths }, events: { order } } = await this.#crawl(ways[1], () => undefined);
    return Array.from(order, (page) => `http://${hosts.names.at(hosts.ofPage[page])}${paths?.at(page) ?? '/'}`);
  }

  sides(): CrawlSide[] {
    return ways.map((way) => ({
      name: way.name,
      run: async (end) => {
        const { run: { summary } } = await this.#crawl(way, end);
        return {
          pages: summary.pagesFetched,
          note: `${(summary.robots.busy * this.#task.connections).toFixed(0)} requests under way`,
        };
      },
    }));
  }

  async #crawl({ live, isStored, statistics }: Way, end: () => void): ReturnType<typeof runSession> {
    const { connections, pages, seeds } = this.#task;
    const folder = join(this.#root, String(this.#count++));
    await mkdir(folder);
    const stored = {
      experiment: parseLiveCrawl({
        processors: 1, robots: connections, superstepLimit: 1000, politenessMs: 0, maxPages: pages, statistics,
      }),
      live: this.#settings(live),
      seeds,
    };
    const store = isStored ? await openLmdbStore(join(folder, 'store'), stored) : new MemoryStore(stored);
    try {
      return await runSession(folder, store, stored, { sinks: [{ superstep: end }] });
    } finally {
      await store.close();
      await rm(folder, { recursive: true });
    }
  }
}

export function printCrawl({ machine: on, options, cases, load }: CrawlReport): void {
  const { graph, hosts, folders, connections, rounds, crawlee } = options;
  const web = folders === undefined ? `${graph} dealt out to ${hosts} hosts` : `${folders.join(', ')}, a host each`;
  console.log(`${on}; ${web}, ${connections} requests at once, ${rounds} rounds in turn; load ${load.toFixed(1)}`);
  console.log(
    'CPU of the crawling process, all its threads, and of its crawl\'s thread; speed: x bare undici (median, least to most of the rounds)',
  );
  console.log(`${'side'.padEnd(46)} pages CPU us/page    thread   pages/s   speed by CPU            by the clock`);
  const times = ({ median, min, max }: Spread): string =>
    `${median.toPrecision(3)} (${min.toPrecision(3)} to ${max.toPrecision(3)})`.padEnd(24);
  for (const { name, cpuUsPerPage, threadUsPerPage, pagesPerSecond, byCpu, byClock, pages, note } of cases) {
    console.log(
      `${name.padEnd(46)}${String(pages).padStart(6)}${cpuUsPerPage.median.toFixed(0).padStart(12)}${threadUsPerPage.median.toFixed(0).padStart(10)}${pagesPerSecond.median.toFixed(0).padStart(10)}   ${times(byCpu)}${times(byClock)}${note}`,
    );
  }
  for (const { name, ofDefault } of cases) {
    if (ofDefault === undefined) continue;
    const { byClock, byCpu } = ofDefault;
    console.log(`${name}: ${times(byClock).trim()} of the speed of the ${DEFAULT} by the clock, ${times(byCpu).trim()} by CPU`);
  }
  if (crawlee === undefined)
    console.log(
      'Crawlee: not measured; npm i @crawlee/http @crawlee/cheerio in a folder elsewhere, and --crawlee FOLDER',
    );
}
