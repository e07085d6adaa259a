import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openGraph } from '../../src/graphs/catalogue/index.ts';
import { openLmdbStore } from '../../src/core/live/index.ts';
import { readRunEvents, readRunJson } from '../../src/core/measure/record/read/read-run.ts';
import { replayedStatistics } from '../../src/core/statistics/index.ts';
import type { LiveExperiment } from '../../src/machines/crawl/index.ts';
import type { LoggedRequest } from '../../src/views/service/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { mainFile, printedBy } from '../cli/command.ts';
import { politenessOf, type Breach } from '../service/politeness.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from '../crawl/loopback.ts';
import { FaultySite } from '../crawl/faulty-site.ts';
import { readArchives, type ReadArchives } from '../crawl/archives.ts';
import { reachOf, scopeFlags, TaggedSite } from '../live/urls/scoped-web.ts';

export interface KillingOptions {
  readonly pages: number;
  /** Of the web; as the generator draws them unless it is set. */
  readonly hosts?: number | undefined;
  /** Ends before the last: about half are kills, the others are asked for (SIGINT, SIGTERM, a time limit). */
  readonly kills: number;
  readonly seed: number;
  /**
   * Puts the store back to how it was at the first end after a page was noted, at the end of this number or the first
   * after it by which more was noted: nothing of ours may ever do this.
   */
  readonly forgetsAt?: number | undefined;
  /** The crawl has a scope with links beyond it, and drops query parameters that each link has. */
  readonly scope?: boolean | undefined;
}

/** How a session ended. */
export type End = 'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'time limit' | 'frontier dry';

export interface Killing {
  readonly ends: readonly End[];
  /** Kills that met requests under way. */
  readonly killsUnderWay: number;
  readonly undisturbed: readonly string[];
  readonly final: readonly string[];
  /** Of the web, whether a crawl may fetch them or not. */
  readonly pagesOfWeb: number;
  /** Pages that one of the two crawls has nearer than the other, by links or by hops beyond the scope, or alone. */
  readonly otherReach: readonly string[];
  /** Pages beyond the scope, by their hops, that the crawl has fetched. */
  readonly beyondScope: number;
  /**
   * Fetches of a page beyond the first, and those of them that no end explains: the page was not under way at so many.
   */
  readonly repeats: number;
  readonly unexplained: readonly string[];
  /** Pages under way at an end, the most. */
  readonly maxInFlight: number;
  readonly robots: number;
  /** Politeness, Crawl-delay, Retry-After and back-off, by the server's log, across all ends. */
  readonly breaches: readonly Breach[];
  /** Rests of which an end fell into. */
  readonly restsAcrossEnds: number;
  /** What is wrong with the records that sessions left which ended by themselves. */
  readonly recordFaults: readonly string[];
  /** From a signal that asked for an end to that end, the longest, milliseconds. */
  readonly longestEndMs: number;
  readonly archive: ReadArchives;
  /** Folder of the crawl, as long as `whenDone` runs. */
  readonly folder: string;
}

const politenessMs = 4;
const backoffMs = 60;
const maxBackoffMs = 500;
const [processors, robots] = [3, 4];

/**
 * Crawls a synthetic graph on loopback by the command, ends it at drawn moments and in drawn ways and resumes it, until
 * it ends by itself; beside it the same crawl undisturbed. The server's own log shows what was requested, the store at
 * each end what had been noted.
 */
export async function killedCrawl(
  { pages, hosts, kills, seed, forgetsAt, scope = false }: KillingOptions,
  whenDone: (killing: Killing) => Promise<void> | void,
): Promise<void> {
  const drawn = syntheticWeb(pages, seed, hosts);
  const graph = graphWeb(drawn, { latencyMs: 2, latencySigma: 0.5, robotsTxtShare: 0.5 }, seed);
  const site = new FaultySite(graph, pages, { crawlDelayMs: 300, pauseShare: 0.01, resetShare: 0.04 }, seed);
  const web = await loopback(scope ? new TaggedSite(site) : site);
  const draws = new DrawStream(seed, 'kills');
  try {
    const seeds = urlsOf(graph, graph.seedPages);
    const flags = [
      ...seeds,
      '--contact',
      'test@localhost',
      '--allow-network',
      '127.0.0.0/8',
      '--resolve',
      `*=127.0.0.1:${web.port}`,
      '--politeness-ms',
      String(politenessMs),
      '--backoff-ms',
      String(backoffMs),
      '--max-backoff-ms',
      String(maxBackoffMs),
      '--retries',
      '20',
      '--superstep-ms',
      '150',
      '--processors',
      String(processors),
      '--robots',
      String(robots),
      '--reader-threads',
      '0',
    ];
    const undisturbed = web.folder();
    if (scope) flags.push(...scopeFlags(seeds, urlsOf(graph, Array(pages).keys()), join(undisturbed, '..')));
    await printedBy(['crawl', ...flags, '--out', undisturbed], tmpdir());
    // Shorter than would let the crawl end before its last kill.
    const longestMs = (1.5 * (web.log[web.log.length - 1].endedAtUs - web.log[0].startedAtUs)) / 1000 / kills;
    web.log.length = 0;

    const folder = web.folder();
    const ends: End[] = [];
    const endedAtUs: number[] = [];
    const killedAtUs: number[] = [];
    const underWay: Set<string>[] = [];
    const recordFaults: string[] = [];
    let longestEndMs = 0;
    // Whether all that is stored was in the last record: after a kill a session may end before it has lived all of it
    // again.
    let wasWhole = true;
    let backup: { readonly folder: string; readonly pages: number } | undefined;
    let mustForget = forgetsAt !== undefined;
    let isOver = false;
    for (let end = 0; !isOver; end++) {
      const logged = web.log.length;
      const isStored = await hasSettings(folder);
      if (!isStored) rmSync(folder, { recursive: true, force: true });
      const start = isStored ? ['--resume', folder] : [...flags, '--out', folder];
      const forgets = forgetsAt !== undefined;
      const way = end >= kills ? undefined : forgets ? 'SIGKILL' : wayOf(draws.uniform(end, 2));
      const ms = forgets ? 0 : longestMs * draws.uniform(end, 1);
      // A limit stays until another is set.
      const limitSeconds = way === 'time limit' ? (await secondsSpent(folder)) + (100 + ms) / 1000 : 1e9;
      const limit = ['--max-seconds', String(limitSeconds)];
      // One in five at any moment from its start on, the others when there are requests under way.
      const atOnce = draws.uniform(end, 0) < 0.2;
      // A robot asks for a second page when its first is noted: there is something new to forget.
      const hasNoted = (): boolean => web.log.slice(logged).filter(isPage).length > processors * robots;
      const session = await endedBy(
        crawler([...start, ...limit]), way, ms,
        forgets ? hasNoted : () => atOnce || web.log.length > logged,
      );
      endedAtUs.push(site.nowUs);
      if (session.wasKilled) {
        // Before it has asked for anything it may not have come to listen to signals.
        if (way !== 'SIGKILL' && web.log.length > logged)
          recordFaults.push(`end ${end}: ${String(way)} was not answered`);
        ends.push('SIGKILL');
        wasWhole = false;
        killedAtUs.push(site.nowUs);
      } else {
        longestEndMs = Math.max(longestEndMs, session.endMs);
        const { ended: how, faults, isWhole } = await readRecord(folder, wasWhole);
        wasWhole = isWhole;
        recordFaults.push(...faults.map((fault) => `end ${end} (${session.way}): ${fault}`));
        ends.push(how === 'interrupted' ? session.way : how);
      }
      const noted = await visitedUrls(folder);
      underWay.push(new Set(web.log.slice(logged).filter(isPage).map(urlOf).filter((url) => !noted.has(url))));
      isOver = ends.at(-1) === 'frontier dry';
      if (forgetsAt === undefined || !mustForget) continue;
      if (backup === undefined && noted.size > 0) {
        backup = { folder: web.folder(), pages: noted.size };
        cpSync(join(folder, 'store'), backup.folder, { recursive: true });
      }
      if (end < forgetsAt || backup === undefined || noted.size === backup.pages) continue;
      mustForget = false;
      rmSync(join(folder, 'store'), { recursive: true });
      cpSync(backup.folder, join(folder, 'store'), { recursive: true });
      isOver = false;
    }
    const fetches = new Map<string, number>();
    for (const request of web.log)
      if (isPage(request)) fetches.set(urlOf(request), (fetches.get(urlOf(request)) ?? 0) + 1);
    const repeated = [...fetches].filter(([, count]) => count > 1);
    const final = await visitedUrls(folder);
    const [reach, undisturbedReach] = [await reachOf(folder), await reachOf(undisturbed)];
    // That a connection ended reaches the server later than the client, and what a killed process heard last it may not
    // have noted.
    const delays = {
      politenessUs: 1000 * politenessMs, backoffUs: 1000 * backoffMs, maxBackoffUs: 1000 * maxBackoffMs,
      graceUs: 200_000,
    };
    const rests = site.restsUs(web.log, killedAtUs, delays);
    await whenDone({
      ends,
      killsUnderWay: underWay.filter((set, i) => ends[i] === 'SIGKILL' && set.size > 0).length,
      undisturbed: [...(await visitedUrls(undisturbed))].sort(),
      final: [...final].sort(),
      pagesOfWeb: pages,
      otherReach: differences(reach, undisturbedReach),
      beyondScope: reach.filter((page) => final.has(page.split(' ')[0]) && !page.endsWith(' 0')).length,
      repeats: repeated.reduce((sum, [, count]) => sum + count - 1, 0),
      unexplained: repeated
        .filter(([url, count]) => count - 1 > underWay.filter((set) => set.has(url)).length)
        .map(([url]) => url),
      maxInFlight: Math.max(0, ...underWay.map((set) => set.size)),
      robots: processors * robots,
      breaches: politenessOf(web.log, (_host, earlier) => rests.get(earlier) ?? 0),
      restsAcrossEnds: [...rests].filter(
        ([request, restUs]) =>
          restUs > delays.politenessUs &&
          endedAtUs.some((atUs) => atUs > request.endedAtUs && atUs < request.endedAtUs + restUs),
      ).length,
      recordFaults,
      longestEndMs,
      archive: await readArchives(join(folder, 'warc'), final),
      folder,
    });
  } finally {
    await web.close();
  }
}

/** What is in one list and not in the other. */
function differences(some: readonly string[], others: readonly string[]): string[] {
  const [ofSome, ofOthers] = [new Set(some), new Set(others)];
  return [...some.filter((one) => !ofOthers.has(one)), ...others.filter((one) => !ofSome.has(one))];
}

function wayOf(draw: number): 'SIGKILL' | 'SIGINT' | 'SIGTERM' | 'time limit' {
  return draw < 0.5 ? 'SIGKILL' : draw < 0.7 ? 'SIGINT' : draw < 0.85 ? 'SIGTERM' : 'time limit';
}

/** Whether a page came: not its robots.txt, and no request to come again. */
function isPage({ status, path }: LoggedRequest): boolean {
  return status === 200 && path !== '/robots.txt';
}

function urlOf({ host, path }: { readonly host: string; readonly path: string }): string {
  return `http://${host}${path}`;
}

function crawler(flags: readonly string[]): ChildProcess & { errors: string } {
  const child = Object.assign(
    spawn(process.execPath, [mainFile, 'crawl', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] }), { errors: '' },
  );
  child.stderr.setEncoding('utf8').on('data', (text: string) => { child.errors += text; });
  return child;
}

interface EndedSession {
  /** By a signal that it had no answer to: SIGKILL, or another one before it could. */
  readonly wasKilled: boolean;
  readonly way: 'SIGINT' | 'SIGTERM' | 'time limit';
  /** From the signal to the end. */
  readonly endMs: number;
}

/**
 * Ends a session so many milliseconds after `since` holds, unless it ends by itself, which it does at its time limit.
 */
async function endedBy(
  child: ReturnType<typeof crawler>, way: ReturnType<typeof wayOf> | undefined, ms: number, since: () => boolean,
): Promise<EndedSession> {
  const ending = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...end) => {
      resolve(end);
    }),
  );
  const isSignal = way !== undefined && way !== 'time limit';
  const timer = new AbortController();
  let sentAtMs = Infinity;
  if (isSignal) {
    while (child.exitCode === null && !since()) await setTimeout(5);
    setTimeout(ms, undefined, { signal: timer.signal }).then(() => {
      sentAtMs = performance.now();
      child.kill(way);
    }, () => undefined);
  }
  const [code, signal] = await ending;
  timer.abort();
  const expected = isSignal && way !== 'SIGKILL' ? [0, 130] : [0];
  if (signal === null && !expected.includes(code ?? -1))
    throw new Error(`the crawl ended with ${String(code)}: ${child.errors}`);
  return {
    wasKilled: signal !== null, way: way === 'SIGINT' || way === 'SIGTERM' ? way : 'time limit',
    endMs: Math.max(0, performance.now() - sentAtMs),
  };
}

/** Whether there is a crawl to go on with: it may have been killed before it had settings. */
async function hasSettings(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, 'store', 'data.mdb'))) return false;
  const store = await openLmdbStore(join(folder, 'store')).catch(() => undefined);
  await store?.close();
  return store !== undefined;
}

/** How long the crawl has run by its own clock, as far as its store shows. */
async function secondsSpent(folder: string): Promise<number> {
  if (!(await hasSettings(folder))) return 0;
  const store = await openLmdbStore(join(folder, 'store'));
  let spentUs = store.lastBarrierUs;
  for (const { finishedAtUs } of [...store.visits(), ...store.outcomes()]) spentUs = Math.max(spentUs, finishedAtUs);
  await store.close();
  return spentUs / 1e6;
}

interface ReadRecord {
  readonly ended: End | 'interrupted';
  readonly faults: readonly string[];
  /** Whether it has all pages that are stored. */
  readonly isWhole: boolean;
}

/** Reads the record of a session that ended by itself. @param wasWhole so was the one before: then it is whole too. */
async function readRecord(folder: string, wasWhole: boolean): Promise<ReadRecord> {
  const run = await readRunJson<LiveExperiment>(folder);
  const faults: string[] = [];
  let isWhole = false;
  try {
    const events = await readRunEvents(folder, run);
    const { order } = events;
    const graph = await openGraph(join(folder, 'graph.owg'));
    const maxPages = run.experiment.maxPages ?? Infinity;
    const { rows } = replayedStatistics(run.experiment, events, { graph, maxPages })!;
    const { superstep: atSuperstep, ...figures } = rows.findLast(({ corePages }) => corePages !== null) ?? rows[0];
    if (order.length > 0 && !isDeepStrictEqual(run.summary.statistics, { ...figures, atSuperstep }))
      faults.push(`statistics ${JSON.stringify(run.summary.statistics)}, those of the record ${JSON.stringify(figures)}`);
    const store = await openLmdbStore(join(folder, 'store'));
    const stored = new Set(Array.from(store.visits()).filter(({ kind }) => kind === 'fetched').map(({ page }) => page));
    if (store.pageCount !== graph.pages) faults.push(`graph of ${graph.pages} pages, ${store.pageCount} stored`);
    await store.close();
    const foreign = [...order].filter((page) => !stored.has(page)).length;
    if (foreign > 0) faults.push(`${foreign} pages in the record that are not stored`);
    isWhole = order.length === stored.size;
    if (wasWhole && !isWhole) faults.push(`${order.length} pages in the record, ${stored.size} stored`);
  } catch (error) {
    faults.push(String(error));
  }
  return { ended: run.summary.ended as End | 'interrupted', faults, isWhole };
}

/** URLs of the pages that the store of a crawl has noted as fetched; none where it was killed before it had a store. */
export async function visitedUrls(folder: string): Promise<Set<string>> {
  const store = await openLmdbStore(join(folder, 'store')).catch(() => undefined);
  if (store === undefined) return new Set();
  const urls = Array.from(store.pages(), ({ url }) => url);
  const visited = new Set(
    Array.from(store.visits())
      .filter(({ kind }) => kind === 'fetched')
      .map(({ page }) => urls[page]),
  );
  await store.close();
  return visited;
}
