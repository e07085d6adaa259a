import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { networkSchema, type ExperimentInput } from '../../src/core/settings/index.ts';
import {
  CrawlLog, Fetcher, LiveClock, liveSchema, LiveWeb, LiveWorld, pageReaders, UrlTable, WarcWriter,
  type HostRest, type LiveInput, type PageReaders,
} from '../../src/core/live/index.ts';
import { MemoryStore } from './store/memory-store.ts';
import { GraphSite, WebServer, type LoggedRequest } from '../../src/views/service/index.ts';
import { WorldError } from '../../src/base/index.ts';
import type { Outcome, World } from '../../src/core/world/index.ts';
import { describeWorld, type WorldUnderTest } from '../conformance/world.ts';
import { readArchives } from '../crawl/archives.ts';
import { calm, six } from '../simulation/six-pages.ts';
import { sampled } from '../sweep.ts';

// Goal: the live World keeps the contract that the simulated one keeps. Method: the same suite, over HTTP on loopback,
// on the same six pages; what the network does is done by the server.

const politenessUs = 5000;
/** For each failure in a row; the suite of every World waits for it, round after round. */
const backoffUs = 100_000;
const root = mkdtempSync(join(tmpdir(), 'orbweaver-world-'));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => { for (const close of closing.splice(0).reverse()) await close(); });
afterAll(() => { rmSync(root, { recursive: true }); });

let logs = 0;

/** A World over a web of its own, whose store knows all pages. */
async function liveWorld(
  network: NonNullable<ExperimentInput['network']> = {}, live: Partial<LiveInput> = {}, clock = new LiveClock(),
  rests: readonly HostRest[] = [],
): Promise<
  WorldUnderTest & {
    world: LiveWorld; web: LiveWeb; log: LoggedRequest[]; store: MemoryStore; readers: PageReaders; archive: string;
    urlOf: (page: number) => string;
  }
> {
  const site = new GraphSite(six, {
    network: networkSchema.parse({ ...calm, latencyMs: 1, bandwidthBytesPerSecond: 0, ...network }), seed: 1,
  });
  const log: LoggedRequest[] = [];
  const server = await WebServer.listen(site, { onRequest: (request) => { log.push(request); } });
  const settings = liveSchema.parse({
    contact: 'test@localhost', allowNetworks: ['127.0.0.1/32'],
    resolve: [{ host: '*', address: '127.0.0.1', port: server.port }], downloadTimeoutMs: 60, readerThreads: 0, ...live,
  });
  const urls = new UrlTable();
  const pages = Array.from({ length: 6 }, (_, page) => urls.add(site.urls.urlOf(page), 0, 0));
  const store = new MemoryStore(settings);
  await store.note({ firstPage: 0, pages: pages.map((page) => ({ url: urls.urlOf(page), depth: 0, redirects: 0 })) });
  for (const rest of rests) await store.note({ firstPage: 6, pages: [], rest });
  const fetcher = await Fetcher.open(settings);
  const readers = pageReaders(settings);
  const crawlLog = await CrawlLog.open(join(root, `${logs++}.log`));
  const archive = join(root, `warc-${logs}`);
  const warc = await WarcWriter.open(archive, settings, { software: 'test' });
  closing.push(() => warc.close());
  closing.push(() => server.close(), () => readers.close(), () => crawlLog.close(), () => fetcher.close());
  const web = new LiveWeb({
    settings, clock, politenessUs, backoffUs: (failures) => backoffUs * failures, hasPatience: false, urls, store,
    fetcher, readers, log: crawlLog, warc,
  });
  const world = new LiveWorld({ web, processor: 0, politenessUs, nowUs: 0 });
  return { world, web, pages, politenessUs, log, store, readers, archive, urlOf: (page) => urls.urlOf(page) };
}

const configurations: [string, NonNullable<ExperimentInput['network']>, Partial<LiveInput>?][] = [
  ['without faults', {}],
  ['robots.txt ignored', {}, { robotsTxt: 'ignore' }],
  ['pages read on a thread', {}, { readerThreads: 1 }],
  [
    'all of it',
    {
      notFoundShare: 0.1, serverErrorShare: 0.2, timeoutShare: 0.1, hangSeconds: 100, refusedShare: 0.2, downShare: 0.1,
      downSeconds: 0.05, robotsTxtShare: 0.7, crawlDelayShare: 0.5, crawlDelaySeconds: 0.01, deniedShare: 0.3,
    },
  ],
  ['an address for all, which has its delay', {}, { addressDelayMs: 3 }],
  ['pages missing', { notFoundShare: 0.5 }],
  ['server errors', { serverErrorShare: 0.5 }],
  ['time-outs', { timeoutShare: 0.5, timeoutMs: 1000, hangSeconds: 100 }],
  ['connections refused', { refusedShare: 0.5 }],
  ['hosts that go down', { downShare: 0.5, downSeconds: 0.05 }],
  ['robots.txt', { robotsTxtShare: 0.7, crawlDelayShare: 0.7, crawlDelaySeconds: 0.02, deniedShare: 0.5 }],
];

for (const [name, network, live] of sampled(configurations, 3)) {
  describeWorld(
    `LiveWorld, ${name},`, () => liveWorld(network, live), Object.keys(network).length === 0, name === 'robots.txt',
  );
}

async function nextOf(world: World): Promise<Outcome> {
  const outcome = await world.next(Infinity);
  if (outcome === undefined) throw new Error('an outcome is lacking');
  return outcome;
}

describe('LiveWorld', () => {
  test('on the wire is what it reports: robots.txt, then the page, no sooner than the delay, and no page twice', async () => {
    const { world, pages, log } = await liveWorld();
    const kinds: string[] = [];
    let sequence = 0;
    for (let visit = 0; visit < 3; visit++) {
      world.start({ page: pages[0], sequence: sequence++, attempt: 0 });
      const { kind, links, startedAtUs, finishedAtUs } = await nextOf(world);
      kinds.push(kind);
      if (kind === 'fetched') expect([...links]).toEqual([1, 2, 3, 4, 5]);
      expect(finishedAtUs).toBeGreaterThan(startedAtUs);
      await world.next(finishedAtUs + politenessUs);
    }
    expect(kinds).toEqual(['robotsFetched', 'fetched', 'fetched']);
    expect(log.map(({ path }) => path)).toEqual(['/robots.txt', '/']);
    expect(log[1].startedAtUs).toBeGreaterThanOrEqual(log[0].endedAtUs + politenessUs);
  });

  test('what ends together is reported in one order, each later than the one before', async () => {
    const { world, pages } = await liveWorld({ latencyMs: 0 }, { robotsTxt: 'ignore' });
    pages.slice(0, 3).forEach((page, sequence) => { world.start({ page, sequence, attempt: 0 }); });
    const ends = [await nextOf(world), await nextOf(world), await nextOf(world)].map(
      ({ finishedAtUs }) => finishedAtUs,
    );
    expect(new Set(ends).size).toBe(3);
    expect([...ends].sort((a, b) => a - b)).toEqual(ends);
  });

  test('a disk that fails ends the run, whether it is waited for or not', async () => {
    for (const waits of [true, false]) {
      const { world, pages, store } = await liveWorld();
      store.note = () => Promise.reject(new WorldError('the disk is full'));
      world.start({ page: pages[0], sequence: 0, attempt: 0 });
      if (!waits) await setTimeout(50);
      await expect((async () => world.next(Infinity))()).rejects.toThrow('the disk is full');
      await expect((async () => world.next(0))(), 'and is not forgotten').rejects.toThrow('the disk is full');
    }
  });

  test('whatever is let go, the archive has each page once up to any that is noted', async () => {
    const { world, web, pages, log, store, archive, urlOf } = await liveWorld({}, { robotsTxt: 'ignore' });
    const other = pages.find((page) => six.hosts.ofPage[page] !== six.hosts.ofPage[0])!;
    world.start({ page: pages[0], sequence: 0, attempt: 0 });
    await web.letGo();
    // Its answer comes, and nobody waits for it.
    while (log.length === 0) await setTimeout(5);
    await setTimeout(50);
    web.goOnAt(world.nowUs);
    const next = new LiveWorld({ web, processor: 0, politenessUs, nowUs: world.nowUs });
    next.start({ page: other, sequence: 0, attempt: 0 });
    expect(await nextOf(next)).toMatchObject({ page: other, kind: 'fetched' });
    // Killed now, it would be cut to this place, and page 0 fetched again.
    const last = [...store.visits()].map(({ warc }) => warc!.end).at(-1)!;
    const cut = mkdtempSync(join(root, 'cut-'));
    const name = 'crawl-00000.warc.gz';
    writeFileSync(join(cut, name), readFileSync(join(archive, name)).subarray(0, last));
    const urls = [pages[0], other].map(urlOf);
    expect((await readArchives(cut, new Set(urls))).missing).toEqual([urls[0]]);
    // Whoever asks for it has it without another request.
    next.start({ page: pages[0], sequence: 1, attempt: 0 });
    expect(await nextOf(next)).toMatchObject({ page: pages[0], kind: 'fetched' });
    expect(log).toHaveLength(2);
    expect(await readArchives(archive, new Set(urls))).toMatchObject({ faults: [], missing: [] });
  });

  test('a denial is noted before time goes on, and a disk that fails ends the run', async () => {
    for (const fails of [false, true]) {
      const { world, pages, store } = await liveWorld({ robotsTxtShare: 1, deniedShare: 1 });
      world.start({ page: pages[0], sequence: 0, attempt: 0 });
      expect(await nextOf(world)).toMatchObject({ kind: 'robotsFetched' });
      let isNoted = false;
      const note = store.note.bind(store);
      store.note = async (one) => {
        await setTimeout(30);
        if (fails) throw new WorldError('the disk is full');
        await note(one);
        isNoted = true;
      };
      expect(world.deny({ page: pages[3], sequence: 1, attempt: 0 })).toMatchObject({ kind: 'robotsDenied' });
      const past = (async () => world.next(world.nowUs))();
      if (fails) await expect(past).rejects.toThrow('the disk is full');
      else {
        expect(await past).toBeUndefined();
        expect(isNoted).toBe(true);
        expect([...store.outcomes()].map(({ kind }) => kind)).toEqual(['robotsFetched', 'robotsDenied']);
      }
    }
  });

  test('a robots.txt that expires before the delay that it asks for has passed decides about a page all the same', async () => {
    /** Two days pass between any two looks at the calendar. */
    class HastyClock extends LiveClock {
      #looks = 0;
      override get wallMs(): number {
        return super.wallMs + 2 * 86_400_000 * this.#looks++;
      }
    }
    const { world, pages, log } = await liveWorld(
      { robotsTxtShare: 1, crawlDelayShare: 1, crawlDelaySeconds: 0.02 }, {}, new HastyClock(),
    );
    const kinds: string[] = [];
    for (let sequence = 0; sequence < 4; sequence++) {
      world.start({ page: pages[sequence < 2 ? 0 : 3], sequence, attempt: 0 });
      const { kind, finishedAtUs, waitUs } = await nextOf(world);
      kinds.push(kind);
      await world.next(finishedAtUs + Math.max(politenessUs, waitUs));
    }
    expect(kinds).toEqual(['robotsFetched', 'fetched', 'robotsFetched', 'fetched']);
    expect(world.politenessBreaches).toBe(0);
    expect(log).toHaveLength(4);
  });

  test('a wait that is ended brings nothing, and the present', async () => {
    const { world, pages } = await liveWorld({ latencyMs: 40 }, { downloadTimeoutMs: 5000 });
    // An hour: whoever waited for it would wait longer than a test may take.
    const waiting = world.next(3600e6);
    await setTimeout(20);
    world.wake();
    expect(await waiting).toBeUndefined();
    expect(world.nowUs).toBeGreaterThanOrEqual(19_000);
    expect(world.nowUs).toBeLessThan(3600e6);
    // Where nobody waits nothing is ended, and a download goes on over it.
    world.wake();
    world.start({ page: pages[0], sequence: 0, attempt: 0 });
    expect((await nextOf(world)).kind).toBe('robotsFetched');
  });

  test('what is called off is never reported nor noted; what is being noted is', async () => {
    const { world, web, pages, store } = await liveWorld(
      { latencyMs: 5000, latencySigma: 0 }, { robotsTxt: 'ignore', downloadTimeoutMs: 60_000 },
    );
    world.start({ page: pages[0], sequence: 0, attempt: 0 });
    expect(await web.abandon()).toBe(1);
    expect(await world.next(world.nowUs + 50_000)).toBeUndefined();
    expect([...store.visits()]).toEqual([]);

    const quick = await liveWorld({ latencyMs: 1 }, { robotsTxt: 'ignore', downloadTimeoutMs: 5000 });
    const note = quick.store.note.bind(quick.store);
    const noting = new Promise<void>((begins) => {
      quick.store.note = async (one) => {
        begins();
        await setTimeout(50);
        await note(one);
      };
    });
    quick.world.start({ page: pages[0], sequence: 0, attempt: 0 });
    await noting;
    expect(await quick.web.abandon()).toBe(0);
    expect((await nextOf(quick.world)).kind).toBe('fetched');
    expect([...quick.store.visits()]).toHaveLength(1);
  });

  test('what is called off while it is being read is not noted when it has been', async () => {
    const { world, web, pages, store, readers } = await liveWorld(
      { latencyMs: 1 }, { robotsTxt: 'ignore', downloadTimeoutMs: 5000 },
    );
    const read = readers.read.bind(readers);
    let goOn = (): void => undefined;
    const reading = new Promise<void>((begins) => {
      readers.read = async (page) => {
        begins();
        await new Promise<void>((resolve) => { goOn = resolve; });
        return read(page);
      };
    });
    world.start({ page: pages[0], sequence: 0, attempt: 0 });
    await reading;
    expect(await web.abandon()).toBe(1);
    goOn();
    await setTimeout(20);
    expect([...store.visits()]).toEqual([]);
    expect(store.pageCount).toBe(6);
  });

  test('failures in a row, and how long the host is left alone for them, are noted before they are reported', async () => {
    // A busy machine may be late: its answers are no time-outs.
    const patient = { robotsTxt: 'ignore', downloadTimeoutMs: 10_000 } as const;
    const { world, pages, store } = await liveWorld({ serverErrorShare: 1 }, patient);
    for (const failures of [1, 2]) {
      world.start({ page: pages[0], sequence: failures - 1, attempt: failures - 1 });
      const { kind, finishedAtUs, waitUs } = await nextOf(world);
      const [rest, ...others] = [...store.rests()];
      expect(kind).toBe('serverError');
      expect(others).toEqual([]);
      expect(rest).toMatchObject({ failures, restMs: (backoffUs * failures) / 1000 });
      expect(waitUs).toBe(backoffUs * failures);
      await world.next(finishedAtUs + waitUs);
    }
  });

  test('what an earlier session noted of a host at rest holds for scheduler and gate', async () => {
    const site = new GraphSite(six, { network: networkSchema.parse(calm), seed: 1 });
    const { host } = new URL(site.urls.urlOf(0));
    const rest = { host, failures: 3, sinceMs: Date.now(), restMs: 400 };
    const { world, web, pages } = await liveWorld({}, { robotsTxt: 'ignore', downloadTimeoutMs: 60_000 }, undefined, [
      rest,
    ]);
    const known = web.rests().get(world.hostOf(pages[0]));
    expect(known?.failures).toBe(3);
    expect(known?.restUs).toBeGreaterThan(0);
    expect(known?.restUs).toBeLessThanOrEqual(400_000);
    world.start({ page: pages[0], sequence: 0, attempt: 0 });
    const { kind, finishedAtUs } = await nextOf(world);
    expect(kind).toBe('fetched');
    expect(finishedAtUs).toBeGreaterThanOrEqual(known!.restUs);
  });
});
