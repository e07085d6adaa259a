import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { WARCParser } from 'warcio';
import { openLmdbStore } from '../../src/live/index.ts';
import { base32 } from '../../src/live/out/base32.ts';
import { DrawStream } from '../../src/std/index.ts';
import { politenessOf, type Breach } from '../service/politeness.ts';
import { graphWeb, loopback, syntheticWeb, urlsOf } from './loopback.ts';

const command = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface KillingOptions {
  readonly pages: number;
  readonly kills: number;
  readonly seed: number;
  /** Puts the store back to how it was at the first kill after a page was noted, at the kill of this number: nothing of ours may ever do this. */
  readonly forgetsAt?: number | undefined;
}

export interface Killing {
  readonly kills: number;
  /** Those of them that met requests under way. */
  readonly killsUnderWay: number;
  readonly undisturbed: readonly string[];
  readonly final: readonly string[];
  /** Fetches of a page beyond the first, and those of them that no kill explains: the page was not under way at so many. */
  readonly repeats: number;
  readonly unexplained: readonly string[];
  /** Pages under way at a kill, the most. */
  readonly underWayMost: number;
  readonly robots: number;
  readonly breaches: readonly Breach[];
  /** What warcio reads of the archives: records, those that it cannot read or whose digest is wrong, and pages fetched without a response. */
  readonly archive: { readonly records: number; readonly faults: readonly string[]; readonly missing: readonly string[] };
  /** Folder of the crawl, as long as `whenDone` runs. */
  readonly folder: string;
}

/**
 * Crawls a synthetic graph on loopback by the command, kills it (SIGKILL) at drawn moments and resumes it, until it ends; beside it the same crawl
 * undisturbed. The server's own log tells what was asked for, the store at each kill what had been noted.
 */
export async function killedCrawl({ pages, kills, seed, forgetsAt }: KillingOptions, whenDone: (killing: Killing) => Promise<void> | void): Promise<void> {
  const site = graphWeb(syntheticWeb(pages, seed), { latencyMs: 2, latencySigma: 0.5, robotsTxtShare: 0.5 }, seed);
  const web = await loopback(site);
  const draws = new DrawStream(seed, 'kills');
  const politenessMs = 4;
  const [processors, robots] = [3, 4];
  try {
    const seeds = urlsOf(site, site.seedPages);
    const flags = [
      ...seeds, '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve', `*=127.0.0.1:${web.port}`,
      '--politeness-ms', String(politenessMs), '--superstep-ms', '150', '--processors', String(processors), '--robots', String(robots), '--reader-threads', '0',
    ];
    const undisturbed = web.folder();
    await ended(crawler([...flags, '--out', undisturbed]));
    // Shorter than would let the crawl end before its last kill.
    const longestMs = (1.5 * (web.log[web.log.length - 1].endedAtUs - web.log[0].startedAtUs)) / 1000 / kills;
    web.log.length = 0;

    const folder = web.folder();
    const underWay: Set<string>[] = [];
    let backup: string | undefined;
    for (let kill = 0; ; kill++) {
      const logged = web.log.length;
      const isStored = existsSync(join(folder, 'store', 'data.mdb'));
      if (!isStored) rmSync(folder, { recursive: true, force: true });
      const child = crawler(isStored ? ['--resume', folder] : [...flags, '--out', folder]);
      if (kill >= kills) {
        await ended(child);
        break;
      }
      // One in five at any moment from its start on, the others when there are requests under way.
      const atOnce = draws.uniform(kill, 0) < 0.2;
      const isOver = await endedWithin(child, longestMs * draws.uniform(kill, 1), () => atOnce || web.log.length > logged);
      if (isOver) break;
      const noted = await visitedUrls(folder);
      underWay.push(new Set(web.log.slice(logged).filter(({ status, path }) => status === 200 && path !== '/robots.txt').map(urlOf).filter((url) => !noted.has(url))));
      if (forgetsAt !== undefined && backup === undefined && noted.size > 0) cpSync(join(folder, 'store'), (backup = web.folder()), { recursive: true });
      if (kill === forgetsAt && backup !== undefined) {
        rmSync(join(folder, 'store'), { recursive: true });
        cpSync(backup, join(folder, 'store'), { recursive: true });
      }
    }
    const fetches = new Map<string, number>();
    for (const request of web.log) {
      if (request.status === 200 && request.path !== '/robots.txt') fetches.set(urlOf(request), (fetches.get(urlOf(request)) ?? 0) + 1);
    }
    const repeated = [...fetches].filter(([, count]) => count > 1);
    const final = await visitedUrls(folder);
    await whenDone({
      kills: underWay.length,
      killsUnderWay: underWay.filter((set) => set.size > 0).length,
      undisturbed: [...(await visitedUrls(undisturbed))].sort(),
      final: [...final].sort(),
      repeats: repeated.reduce((sum, [, count]) => sum + count - 1, 0),
      unexplained: repeated.filter(([url, count]) => count - 1 > underWay.filter((set) => set.has(url)).length).map(([url]) => url),
      underWayMost: Math.max(0, ...underWay.map((set) => set.size)),
      robots: processors * robots,
      breaches: politenessOf(web.log, 1000 * politenessMs),
      archive: await readArchives(join(folder, 'warc'), final),
      folder,
    });
  } finally {
    await web.close();
  }
}

function urlOf({ host, path }: { readonly host: string; readonly path: string }): string {
  return `http://${host}${path}`;
}

function crawler(flags: readonly string[]): ChildProcess & { errors: string } {
  const child = Object.assign(spawn(process.execPath, [command, 'crawl', ...flags], { stdio: ['ignore', 'ignore', 'pipe'] }), { errors: '' });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { child.errors += text; });
  return child;
}

async function ended(child: ReturnType<typeof crawler>): Promise<void> {
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`the crawl ended with ${String(code)}: ${child.errors}`);
}

/** Whether it ended by itself; else it is killed so many milliseconds after `since` holds. */
async function endedWithin(child: ReturnType<typeof crawler>, ms: number, since: () => boolean): Promise<boolean> {
  const ending = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => child.once('close', (...end) => { resolve(end); }));
  while (child.exitCode === null && !since()) await setTimeout(5);
  const timer = new AbortController();
  setTimeout(ms, undefined, { signal: timer.signal }).then(() => child.kill('SIGKILL'), () => undefined);
  const [code, signal] = await ending;
  timer.abort();
  if (signal === null && code !== 0) throw new Error(`the crawl ended with ${String(code)}: ${child.errors}`);
  return signal === null;
}

/** URLs of the pages that the store of a crawl has noted as fetched; none where it was killed before it had a store. */
async function visitedUrls(folder: string): Promise<Set<string>> {
  const store = await openLmdbStore(join(folder, 'store')).catch(() => undefined);
  if (store === undefined) return new Set();
  const urls = Array.from(store.pages(), ({ url }) => url);
  const visited = new Set(Array.from(store.visits()).filter(({ kind }) => kind === 'fetched').map(({ page }) => urls[page]));
  await store.close();
  return visited;
}

async function readArchives(folder: string, pages: ReadonlySet<string>): Promise<Killing['archive']> {
  const faults: string[] = [];
  const responses = new Map<string, number>();
  let records = 0;
  for (const name of readdirSync(folder).sort()) {
    for await (const record of WARCParser.iterRecords([new Uint8Array(readFileSync(join(folder, name)))], { parseHttp: false })) {
      records++;
      const { warcType } = record;
      const block = Buffer.from(await record.readFully(false));
      const digest = `sha1:${base32(createHash('sha1').update(block).digest())}`;
      if (record.warcHeader('WARC-Block-Digest') !== digest) faults.push(`${name}: record ${records}`);
      const uri = String(record.warcTargetURI);
      if (warcType === 'response') responses.set(uri, (responses.get(uri) ?? 0) + 1);
    }
  }
  return { records, faults, missing: [...pages].filter((url) => responses.get(url) !== 1) };
}
