import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawlLive } from '../../../src/machines/crawl/index.ts';
import type { LiveCrawlInput } from '../../../src/core/settings/index.ts';
import { robotsTxt } from '../../../src/base/web/robots/robots-txt.ts';
import { hostileFiles, hostilePaths } from '../../web/robots/hostile-files.ts';
import { loopback } from '../../crawl/loopback.ts';
import { linking, WrittenSite, type Written } from '../../crawl/written-site.ts';

const plain = 'user-agent: *\nallow: /\n';

export interface HostileRobotsOptions {
  readonly hostileHosts: number;
  readonly goodHosts: number;
  /** Pages of each host, besides its first. */
  readonly pages: number;
  readonly experiment: LiveCrawlInput;
  /** Whether the hostile hosts' robots.txt are that, and not plain ones. */
  readonly isHostile: boolean;
}

export interface HostileRobotsCrawl {
  /** Pages that the good hosts were asked for. */
  readonly goodPages: number;
  /** How the tries of pages of hostile hosts ended, in `crawl.log`: kind and reason, and how often. */
  readonly ends: ReadonlyMap<string, number>;
  /** CPU of the process, the server's part included. */
  readonly cpuSeconds: number;
}

/** What a hostile host has. */
export interface HostileHost {
  readonly text: string;
  /** Those of which the question is dearest, no two alike. */
  readonly paths: readonly string[];
}

const files = Object.values(hostileFiles());
/** What to find costs seconds. */
const dearestPaths = new Map<string, readonly string[]>();

export function hostileHost(index: number, pages: number): HostileHost {
  const text = files[index % files.length];
  const dearest = dearestPaths.get(text) ?? dearestPathsOf(text);
  dearestPaths.set(text, dearest);
  return { text, paths: Array.from({ length: pages }, (_, i) => `${dearest[i % dearest.length]}${i}`) };
}

function dearestPathsOf(text: string): string[] {
  const rules = robotsTxt(Buffer.from(text), 'orbweaver');
  const stepsOf = (path: string): number => rules.judge(new URL(path, 'http://bad.test')).steps;
  // What is encoded, or would be, makes a URL longer than is taken.
  const asked = hostilePaths.filter((path) => !/[%|]/.test(path)).map((path) => ({ path, steps: stepsOf(path) }));
  return asked.sort((a, b) => b.steps - a.steps).slice(0, 2).map(({ path }) => path);
}

/** A crawl of hosts with the dearest robots.txt and paths that the tests know, beside hosts that are well. */
export async function hostileRobotsCrawl(options: HostileRobotsOptions): Promise<HostileRobotsCrawl> {
  const { hostileHosts, goodHosts, pages, experiment, isHostile } = options;
  const bad = Array.from({ length: hostileHosts }, (_, i) => hostileHost(i, pages));
  const good = linking(...Array.from({ length: pages }, (_, i) => `/${i}`));
  const links = new Map<string, Written>([
    ...bad.map(({ paths }, i) => [`bad${i}.test`, linking(...paths)] as const),
    ...Array.from({ length: goodHosts }, (_, i) => [`good${i}.test`, good] as const),
  ]);
  const texts = new Map(isHostile ? bad.map(({ text }, i) => [`bad${i}.test`, text]) : []);
  const web = await loopback(new WrittenSite((url) => {
    const [host, path] = [url.slice(0, url.indexOf('/')), url.slice(url.indexOf('/'))];
    if (path === '/robots.txt') return { headers: ['Content-Type', 'text/plain'], body: texts.get(host) ?? plain };
    return path === '/' ? links.get(host) : linking('/');
  }));
  try {
    const folder = web.folder();
    const before = process.cpuUsage();
    const seeds = Array.from(links.keys(), (host) => `http://${host}/`);
    await crawlLive(folder, { experiment, live: { ...web.live, warc: false }, seeds });
    const { user, system } = process.cpuUsage(before);
    const ends = new Map<string, number>();
    for (const line of readFileSync(join(folder, 'crawl.log'), 'latin1').trimEnd().split('\n')) {
      const [, , , kind, , url, , , reason] = line.split(/ +/);
      if (!url.startsWith('http://bad')) continue;
      const end = `${kind}: ${decodeURIComponent(reason)}`;
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    const good = web.log.filter(({ host, path }) => host.startsWith('good') && path !== '/robots.txt');
    return { goodPages: good.length, ends, cpuSeconds: (user + system) / 1e6 };
  } finally {
    await web.close();
  }
}
