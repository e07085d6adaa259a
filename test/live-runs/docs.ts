import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveExperiment } from '../../src/machines/crawl/index.ts';
import { openLmdbStore } from '../../src/core/live/index.ts';
import type { RunJson } from '../../src/core/measure/index.ts';
import { FolderSite, WebServer } from '../../src/views/service/index.ts';
import { orbweaver } from '../cli/command.ts';
import { checkLinks, type CheckedWeb } from './link-checker.ts';

/**
 * How a crawl and a link checker's walk of the same web differ: URLs, or arcs as `from -> to`. Nothing in it: they
 * agree.
 */
export interface Differences {
  readonly pagesMissed: readonly string[];
  readonly pagesBeyond: readonly string[];
  /** Between pages that both found. */
  readonly arcsMissed: readonly string[];
  readonly arcsBeyond: readonly string[];
  /** Given up by the crawl, and there for the checker. */
  readonly brokenBeyond: readonly string[];
}

/**
 * What a crawl left in its folder: pages fetched, with their links, and URLs given up. Redirects are pages with one
 * link.
 */
export interface CrawledWeb {
  readonly pages: ReadonlyMap<string, readonly string[]>;
  readonly notFound: readonly string[];
}

export async function crawledWeb(folder: string): Promise<CrawledWeb> {
  const store = await openLmdbStore(join(folder, 'store'));
  try {
    const urls = Array.from(store.pages(), ({ url }) => url);
    const pages = new Map<string, string[]>();
    const notFound: string[] = [];
    for (const { page, kind, links } of store.visits()) {
      if (kind === 'fetched') pages.set(urls[page], Array.from(links, (link) => urls[link]));
      else if (kind === 'notFound') notFound.push(urls[page]);
    }
    return { pages, notFound };
  } finally {
    await store.close();
  }
}

export function differences(crawled: CrawledWeb, checked: CheckedWeb): Differences {
  const expected = new Map(checked.pages);
  for (const [from, to] of checked.redirects) expected.set(from, [to]);
  const arcs = (web: ReadonlyMap<string, readonly string[]>): Set<string> => {
    const set = new Set<string>();
    for (const [from, links] of web) {
      if (!expected.has(from) || !crawled.pages.has(from)) continue;
      for (const to of links) if (expected.has(to) && crawled.pages.has(to)) set.add(`${from} -> ${to}`);
    }
    return set;
  };
  const [arcsExpected, arcsCrawled] = [arcs(expected), arcs(crawled.pages)];
  return {
    pagesMissed: missing(expected.keys(), crawled.pages),
    pagesBeyond: missing(crawled.pages.keys(), expected),
    arcsMissed: missing(arcsExpected, arcsCrawled),
    arcsBeyond: missing(arcsCrawled, arcsExpected),
    brokenBeyond: missing(crawled.notFound, checked.broken),
  };
}

/** Those of the first that the second has not. */
function missing(urls: Iterable<string>, others: { has(url: string): boolean }): string[] {
  return [...urls].filter((url) => !others.has(url)).sort();
}

export const none: Differences = { pagesMissed: [], pagesBeyond: [], arcsMissed: [], arcsBeyond: [], brokenBeyond: [] };

/**
 * Where Debian's packages have their pages, below the folder that they are unpacked in (`dpkg-deb -x PACKAGE.deb
 * FOLDER`), and their hosts.
 */
const packages: readonly (readonly [name: string, host: string, folder: string])[] = [
  ['openjdk-17-doc', 'openjdk.localhost', 'usr/share/doc/openjdk-17-jre-headless'],
  ['cppreference-doc-en-html', 'cppreference.localhost', 'usr/share/cppreference/doc/html/en'],
  ['postgresql-doc-15', 'postgresql.localhost', 'usr/share/doc/postgresql-doc-15/html'],
];

/** Those of the packages that are not unpacked below a folder. */
export function packagesAbsent(root: string): string[] {
  return packages.filter(([, , folder]) => !existsSync(join(root, folder, 'index.html'))).map(([name]) => name);
}

/**
 * Serves the packages unpacked below `root`, crawls them by the command, holds the crawl against the link checker, and
 * then against a simulation from its own graph. Leaves `live/`, which can be indexed, `simulated/` and `compared/` in
 * `out`.
 *
 * @returns whether the crawl found what the checker did.
 */
export async function crawlDocs(root: string, out: string, report: (text: string) => void): Promise<boolean> {
  const [live, simulated, compared] = ['live', 'simulated', 'compared'].map((name) => join(out, name));
  const site = await FolderSite.open(packages.map(([, host, folder]) => ({ host, folder: join(root, folder) })));
  const server = await WebServer.listen(site);
  try {
    const seeds = site.hosts.map((host) => `http://${host}/`);
    await command([
      'crawl',
      ...seeds,
      ...site.hosts.flatMap((host) => ['--allow-domain', host]),
      ...settings,
      '--contact',
      'test@localhost',
      '--resolve',
      `*=127.0.0.1:${server.port}`,
      '--allow-network',
      '127.0.0.0/8',
      '--text',
      '--out',
      live,
    ]);
    const { dataset, summary, experiment: { robots, processors } } = runOf(live);
    report(
      `crawled ${summary.pagesFetched} pages, ${dataset.arcs} arcs, ${Math.round(summary.bytes / 1e6)} MB in ${summary.virtualSeconds.toFixed(1)} s: ` +
        `${(summary.pagesFetched / summary.virtualSeconds).toFixed(0)} pages a second; ${summary.pagesFailed} given up`,
    );

    const checked = await checkLinks(seeds, server.port);
    report(
      `checked ${checked.pages.size} pages and ${checked.redirects.size} redirects; ${checked.broken.size} links are broken, ${checked.others.size} lead to no HTML`,
    );
    const found = Object.entries(differences(await crawledWeb(live), checked)) as [string, readonly string[]][];
    for (const [name, differing] of found.filter(([, some]) => some.length > 0))
      report([`${name}: ${differing.length}`, ...differing.slice(0, 10)].join('\n  '));

    // All takes as long as it took on average: what is predicted is what follows from it.
    const downloads =
      summary.pagesFetched + Object.values(summary.failuresByKind).reduce((sum, count) => sum + count, 0);
    const latencyMs = 1000 * summary.robots.busy * robots * processors * summary.virtualSeconds / downloads;
    await command([
      'simulate', join(live, 'graph.owg'), ...settings, '--latency-ms', String(latencyMs), '--latency-sigma', '0',
      '--bandwidth-bytes-per-second', '0', '--processor-bandwidth-bytes-per-second', '0', '--robots-txt-share', '1',
      '--robots-txt-bytes', '0', '--out', simulated,
    ]);
    report(await command(['compare', simulated, live, '--out', compared]));
    return found.every(([, some]) => some.length === 0);
  } finally {
    await server.close();
  }
}

/** What the crawl and its simulation share. */
const settings = ['--politeness-ms', '0', '--robots', '4'];

async function command(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await orbweaver(args, '.');
  if (code !== 0) throw new Error(`orbweaver ${args[0]} ended with ${String(code)}: ${stderr}`);
  return stdout;
}

function runOf(folder: string): RunJson<LiveExperiment> {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')) as RunJson<LiveExperiment>;
}
