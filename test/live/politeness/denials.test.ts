import { describe, expect, test } from 'vitest';
import { WorldError } from '../../../src/base/index.ts';
import {
  LiveClock, UrlTable, type CrawlLog, type LogLine, type StoredOutcome,
} from '../../../src/core/live/index.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { Denials } from '../../../src/core/live/politeness/denials.ts';
import { RobotsCache } from '../../../src/core/live/politeness/robots-cache.ts';
import { Replay } from '../../../src/core/live/store/replay.ts';
import { robotsTxt } from '../../../src/base/web/index.ts';

// Goal: a page is denied when its rules are known and say so, without a request and as the rules themselves decide;
// a replay denies what was denied then; and a hostile robots.txt does not stop the crawl with questions.

const HOUR_MS = 3_600_000;
const settings = { agent: 'orbweaver', robotsTxt: 'obey' } as const;
const asking = { processor: 0, nowUs: 100 };

class StandingClock extends LiveClock {
  passedUs = 0;
  override get nowUs(): number { return this.passedUs; }
  override get wallMs(): number { return this.passedUs / 1000; }
}

interface Made {
  readonly denials: Denials;
  readonly robots: RobotsCache;
  readonly store: MemoryStore;
  readonly clock: StandingClock;
  readonly lines: LogLine[];
  readonly open: { isOver: boolean; readonly pages: Set<number>; has(page: number): boolean };
}

async function made(urls: readonly string[], outcomes: readonly StoredOutcome[] = [], barrierUs = 0): Promise<Made> {
  const table = new UrlTable();
  for (const url of urls) table.add(url, 0, 0);
  const store = new MemoryStore({});
  await store.note({ firstPage: 0, pages: urls.map((url) => ({ url, depth: 0, redirects: 0 })) });
  for (const outcome of outcomes) await store.note({ firstPage: urls.length, pages: [], outcome });
  const replay = new Replay(store, barrierUs, (page) => table.hostOf(page));
  const [clock, robots, lines] = [new StandingClock(), new RobotsCache(settings), [] as LogLine[]];
  const open = { isOver: false, pages: new Set<number>(), has(page: number) { return this.pages.has(page); } };
  const log = { add: (line: LogLine) => { lines.push(line); } } as unknown as CrawlLog;
  return {
    denials: new Denials({ clock, robots, urls: table, store, log, open, replay: () => replay }),
    robots, store, clock, lines, open,
  };
}

const knows = ({ robots }: Made, origin: string, text: string, forMs = HOUR_MS): void => {
  robots.take({ origin, status: 200, fetchedAtMs: 0, expiresAtMs: forMs, body: Buffer.from(text) });
};
const denying = 'user-agent: *\ncrawl-delay: 2\ndisallow: /no\ndisallow: /*?q=\n';

describe('rules that are known', () => {
  test('deny as they judge, whatever the URL is made of', async () => {
    const urls = [
      'http://a.test/', 'http://a.test/no', 'http://a.test/yes?q=1', 'http://a.test/yes?r=/no', 'http://a.test:81/no',
      'https://a.test/no', 'http://a.test/%6Eo/x?y', 'http://a.test/robots.txt', 'http://[::1]:8080/no?',
      'http://xn--bcher-kva.test/no?a=b/c', 'http://a.test/no?q=http://b.test/',
    ].map((url) => new URL(url).href);
    const all = await made(urls);
    for (const url of urls) if (!url.startsWith('https:')) knows(all, new URL(url).origin, denying);
    const rules = robotsTxt(Buffer.from(denying), settings.agent);
    const expected = urls.map((url) => !url.startsWith('https:') && rules.judge(new URL(url)).refusal !== undefined);
    expect(urls.map((_, page) => all.denials.denies(page, asking))).toEqual(expected);
    expect(expected).toContain(false);
    expect(new Set(expected).size).toBe(2);
  });

  test('deny a page once it is asked for: an outcome, a line in the log, and nothing else', async () => {
    const one = await made(['http://a.test/no', 'http://a.test/yes']);
    expect(one.denials.deny(0, asking)).toBeUndefined();
    knows(one, 'http://a.test', denying);
    expect(one.denials.deny(1, asking)).toBeUndefined();
    await one.denials.deny(0, asking);
    await one.denials.stored;
    expect([...one.store.outcomes()]).toEqual([
      { processor: 0, page: 0, kind: 'robotsDenied', bytes: 0, waitUs: 0, startedAtUs: 100, finishedAtUs: 100 },
    ]);
    expect(one.lines).toMatchObject([
      { url: 'http://a.test/no', kind: 'robotsDenied', reason: 'denied by robots.txt' },
    ]);
    expect([...one.store.visits(), ...one.store.rests()]).toEqual([]);
  });

  test('decide about a page that is requested all the same, once they have expired', async () => {
    const one = await made(['http://a.test/no']);
    knows(one, 'http://a.test', denying, 1);
    one.clock.passedUs = 5e6;
    expect(one.denials.denies(0, asking)).toBe(true);
    expect(one.robots.rulesOf('http://a.test', one.clock.wallMs)).toBeDefined();
    // Now they have, and must be fetched again.
    expect(one.denials.denies(0, asking)).toBe(false);
    expect(one.denials.deny(0, asking)).toBeUndefined();
  });

  test('deny no page that is under way, that was visited, or after the crawl has ended', async () => {
    const one = await made(['http://a.test/no', 'http://a.test/no2']);
    knows(one, 'http://a.test', denying);
    one.open.pages.add(0);
    expect(one.denials.denies(0, asking)).toBe(false);
    await one.store.note({
      firstPage: 2, pages: [], visit: {
        page: 1, kind: 'fetched', bytes: 0, waitUs: 0, finishedAtUs: 1, links: new Uint32Array(0), digest: '',
        warc: undefined,
      },
    });
    expect(one.denials.denies(1, asking)).toBe(false);
    one.open.isOver = true;
    expect(() => one.denials.deny(0, asking)).toThrow(WorldError);
  });
});

describe('in a replay', () => {
  const outcome = (
    page: number, kind: StoredOutcome['kind'], startedAtUs: number, finishedAtUs: number,
  ): StoredOutcome => ({ processor: 0, page, kind, bytes: 0, waitUs: 0, startedAtUs, finishedAtUs });

  test('what was denied then is, once the rules were read then; all else is as it was', async () => {
    const urls = ['/yes', '/no', '/no2', '/no3'].map((path) => `http://a.test${path}`);
    const one = await made(urls, [
      outcome(0, 'robotsFetched', 10, 40), outcome(1, 'robotsDenied', 40, 40), outcome(2, 'fetched', 50, 60),
    ]);
    knows(one, 'http://a.test', denying);
    const at = (nowUs: number): boolean[] => urls.map((_, page) => one.denials.denies(page, { processor: 0, nowUs }));
    expect(at(39)).toEqual([false, false, false, false]);
    // Page 2 was fetched then, whatever the rules say now; of page 3 nothing is known but what they say.
    expect(at(40)).toEqual([false, true, false, true]);
    await one.denials.deny(1, { processor: 0, nowUs: 40 });
    expect([...one.store.outcomes()], 'nothing is noted twice').toHaveLength(3);
    expect(one.lines).toEqual([]);
    expect(one.denials.deny(2, { processor: 0, nowUs: 40 })).toBeUndefined();
  });

  test('what was denied before the rules were fetched anew was denied', async () => {
    const one = await made(
      ['http://a.test/no', 'http://a.test/'], [outcome(0, 'robotsDenied', 5, 5), outcome(1, 'robotsFetched', 10, 40)],
    );
    expect(one.denials.denies(0, { processor: 0, nowUs: 4 })).toBe(false);
    expect(one.denials.denies(0, { processor: 0, nowUs: 5 })).toBe(true);
  });
});

/** Rules that ask for more letters than a path has: each is searched to its end, until that takes too long. */
const costly = `user-agent: *\n${Array.from({ length: 100 }, (_, i) => `disallow: /${'*a'.repeat(1600 + i)}`).join('\n')}`;

test('a robots.txt that takes long to match gets a tenth of the time for questions about links', async () => {
  const urls = Array.from({ length: 2000 }, (_, i) => `http://hostile.test/${'a'.repeat(1500)}${i}`);
  const one = await made([...urls, 'http://plain.test/no']);
  knows(one, 'http://hostile.test', costly);
  knows(one, 'http://plain.test', denying);
  const denied = (): number => urls.filter((_, page) => one.denials.denies(page, asking)).length;
  const { steps } = robotsTxt(Buffer.from(costly), settings.agent).judge(new URL(urls[0]));
  expect(steps).toBeGreaterThan(100_000);
  const first = denied();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(8_000_000 / steps + 1);
  expect(one.denials.denies(urls.length, asking), 'meanwhile nobody asks').toBe(false);
  one.clock.passedUs += 100_000;
  expect(one.denials.denies(urls.length, asking)).toBe(true);
});
