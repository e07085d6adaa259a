import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrawStream } from '../../src/base/index.ts';
import { crawlLive, type LiveResult } from '../../src/machines/crawl/index.ts';
import { OutageWeb, type Outage, type OutageKind } from '../live/politeness/outage-web.ts';

/** The clock of a crawl is so many times as fast as the clock of the machine. */
const speed = 300;
export const patienceSeconds = 900;

/** A web of a seed, crawled while its hosts are out at times. */
export interface CrawledOutages {
  readonly seed: number;
  readonly hosts: number;
  readonly pages: number;
  readonly outages: readonly Outage[];
  /** What does not hold; nothing if all does. */
  readonly faults: readonly string[];
  /** Of the crawl's clock. */
  readonly seconds: number;
}

class Draws {
  readonly #stream: DrawStream;
  #count = 0;

  constructor(seed: number, name: string) {
    this.#stream = new DrawStream(seed, name);
  }

  /** An integer from `least` to `most`. */
  int(least: number, most: number): number {
    return least + Math.floor(this.#stream.uniform(this.#count++) * (most - least + 1));
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.int(0, choices.length - 1)];
  }
}

function drawnHosts(draws: Draws): Map<string, number> {
  return new Map(Array.from({ length: draws.int(2, 8) }, (_, i) => [`h${i}.test`, draws.int(2, 20)]));
}

/** Names fail by SERVFAIL and time-out alone: of one that does not exist the crawl expects nothing. */
const ofNetwork: readonly OutageKind[] = ['connections refused', 'names unknown for now', 'names hang'];
const ofHosts: readonly OutageKind[] = ['robots.txt by 503', ...ofNetwork];

/** They last 1 s to 10 minutes, most of them less than one minute; a host answers for a while between two of them. */
function drawnOutages(draws: Draws, hosts: ReadonlyMap<string, number>): Outage[] {
  return [...hosts.keys(), 'all'].flatMap((host) => {
    let fromSeconds = draws.of([0, 0, 3, 20]);
    return Array.from({ length: host === 'all' ? draws.int(0, 1) : draws.int(0, 2) }, () => {
      const seconds = Math.round(600 ** (draws.int(0, 100) / 100));
      const outage = { host, kind: draws.of(host === 'all' ? ofNetwork : ofHosts), fromSeconds, seconds };
      fromSeconds += seconds + draws.int(60, 300);
      return outage;
    });
  });
}

async function crawled(web: OutageWeb, seed: string): Promise<LiveResult> {
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-outages-'));
  await web.listen();
  try {
    return await crawlLive(join(root, 'crawl'), {
      experiment: { politenessMs: 1000, hostPatienceMs: 1000 * patienceSeconds, processors: 2, robots: 4 },
      live: { contact: 'test@localhost', allowNetworks: ['127.0.0.0/8'], readerThreads: 0, warc: false },
      seeds: [web.urlOf(seed)],
    }, { clockSpeed: speed, lookup: web.lookup });
  } finally {
    await web.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/**
 * Crawls the web of a seed. Each page must be fetched when its host is back, each once, and none may be denied: no rule
 * was ever read.
 */
export async function crawlOutages(seed: number): Promise<CrawledOutages> {
  const draws = new Draws(seed, 'outages');
  const hosts = drawnHosts(draws);
  const outages = drawnOutages(draws, hosts);
  const web = new OutageWeb({ hosts, outages, speed });
  const { run: { summary }, events, hostsGivenUp = [] } = await crawled(web, 'h0.test');
  const faults: string[] = [];
  const { pagesFetched, pagesFailed, failuresByKind } = summary;
  if (summary.ended !== 'frontier dry') faults.push(`it ended: ${summary.ended}`);
  if (pagesFetched !== web.pages) faults.push(`${pagesFetched} of ${web.pages} pages were fetched`);
  if (new Set(events.order).size !== events.order.length) faults.push('a page was fetched twice');
  if (pagesFailed > 0) faults.push(`${pagesFailed} pages failed`);
  if ('robotsDenied' in failuresByKind) faults.push(`${failuresByKind['robotsDenied']} pages were denied`);
  for (const { name, reason } of hostsGivenUp) faults.push(`${name} was given up: ${reason}`);
  return { seed, hosts: hosts.size, pages: web.pages, outages, faults, seconds: summary.virtualSeconds };
}

/** How long a crawl takes with a fifth of its hosts dead, and without these. */
export interface DeadHosts {
  readonly seconds: number;
  readonly secondsWithout: number;
  readonly faults: readonly string[];
}

/** The same web with dead hosts: the crawl ends within its patience and a tenth of its time without them. */
export async function crawlDeadHosts(seed: number): Promise<DeadHosts> {
  const draws = new Draws(seed, 'dead hosts');
  const alive = new Map(Array.from({ length: 16 }, (_, i) => [`h${i}.test`, draws.int(10, 40)]));
  const dead = new Map(Array.from({ length: 4 }, (_, i) => [`dead${i}.test`, 5]));
  const outages = [...dead.keys()].map((host, i): Outage =>
    ({ host, kind: ofHosts[i % ofHosts.length], fromSeconds: 0, seconds: Infinity }));
  const without = new OutageWeb({ hosts: alive, outages: [], speed });
  const { run: { summary: { virtualSeconds: secondsWithout } } } = await crawled(without, 'h0.test');
  const web = new OutageWeb({ hosts: new Map([...alive, ...dead]), outages, speed });
  const { run: { summary }, hostsGivenUp = [] } = await crawled(web, 'h0.test');
  const faults: string[] = [];
  if (summary.pagesFetched !== without.pages)
    faults.push(`${summary.pagesFetched} of ${without.pages} pages were fetched`);
  if (hostsGivenUp.length !== dead.size) faults.push(`${hostsGivenUp.length} of ${dead.size} dead hosts were given up`);
  const limitSeconds = patienceSeconds + 1.1 * secondsWithout;
  if (summary.virtualSeconds > limitSeconds)
    faults.push(`it took ${summary.virtualSeconds.toFixed(0)} s, and may take ${limitSeconds.toFixed(0)} s`);
  return { seconds: summary.virtualSeconds, secondsWithout, faults };
}
