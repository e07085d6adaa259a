import { ClientError, Status } from 'nice-grpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linksName } from '../../../src/views/service/frontier/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { all, discovered, each, known, OneCrawl, ours, theirs, type At } from './at.ts';
import { referenceKinds, startReference, type Reference } from './reference.ts';

// Goal: the differences from the reference service that the README lists are those that there are. The reference is
// asked where it has been built: URL_FRONTIER=PATH npx vitest run test/service/frontier/differences.test.ts

const checkout = process.env['URL_FRONTIER'];
const { folder } = temporaryFolder();

/** A difference: what a server answers, and what ours, the reference in memory and the reference on RocksDB do. */
interface Difference {
  readonly name: string;
  readonly ask: (crawl: OneCrawl) => Promise<unknown>;
  readonly ours: unknown;
  readonly reference: unknown;
  /** Where its two kinds differ. */
  readonly rocksDb?: unknown;
}

/** Lets time pass until so many milliseconds of a second have. */
async function untilMsOfSecond({ at }: OneCrawl, ms: number): Promise<void> {
  await at.advance((1000 - (Math.floor(at.nowMs()) % 1000)) + ms);
}

const codeOf = async (call: Promise<unknown>): Promise<string | undefined> =>
  call.then(() => 'OK', (error: unknown) => (error instanceof ClientError ? Status[error.code] : String(error)));

const listed = async (crawl: OneCrawl): Promise<string[][]> => (await crawl.list()).map(({ item }) => {
  const { metadata } = (item?.$case === 'known' ? item.known.info : undefined)!;
  return Object.keys(metadata).sort();
});

const differences: readonly Difference[] = [
  {
    name: 'order: by URL, or by discovery',
    async ask(crawl) {
      await untilMsOfSecond(crawl, 50);
      await crawl.put(...['b', 'c', 'a'].map((name) => discovered(crawl.info(`http://a.example/${name}`))));
      return (await crawl.get({ maxUrlsPerQueue: 3 })).map((url) => url.at(-1)).join('');
    },
    ours: 'bca', reference: 'abc',
  },
  {
    name: 'leases that a queue below its maximum hands out',
    async ask(crawl) {
      await crawl.discover('a.example', 9);
      const [first] = await crawl.get({ maxUrlsPerQueue: 3 });
      await crawl.put(known(crawl.info(first), 0));
      await crawl.at.advance(3000);
      return (await crawl.get({ maxUrlsPerQueue: 3 })).length;
    },
    ours: 1, reference: 3,
  },
  {
    name: 'URLs a second and a half after a hand-out, by a delay of 1 s',
    async ask(crawl) {
      await crawl.discover('a.example', 2);
      await crawl.calls.setDelay({ key: 'a.example', crawlID: crawl.id, delayRequestable: 1 });
      await untilMsOfSecond(crawl, 100);
      await crawl.get();
      await crawl.at.advance(1500);
      return (await crawl.get({ maxUrlsPerQueue: 2 })).length;
    },
    ours: 1, reference: 0,
  },
  {
    name: 'URLs in the second at which a block ends',
    async ask(crawl) {
      await crawl.discover('a.example', 1);
      const time = BigInt(crawl.seconds + 2);
      await crawl.calls.blockQueueUntil({ key: 'a.example', crawlID: crawl.id, time });
      await crawl.at.advance(1000 * Number(time) + 300 - crawl.at.nowMs());
      return (await crawl.get()).length;
    },
    ours: 1, reference: 0,
  },
  {
    name: 'URLs of the default crawl by the crawl id ""',
    async ask(crawl) {
      await all(crawl.calls.putURLs(each([discovered({ url: 'http://default.example/' })])));
      const urls = await all(crawl.calls.getURLs({ item: { $case: 'crawlID', crawlID: '' } }));
      await crawl.calls.deleteCrawl({ value: 'DEFAULT' });
      return urls.length;
    },
    ours: 1, reference: 0,
  },
  {
    name: 'URLs of a key without a crawl id',
    async ask(crawl) {
      await crawl.discover('key.example', 1);
      return (await all(crawl.calls.getURLs({ key: 'key.example' }))).length;
    },
    ours: 1, reference: 0,
  },
  {
    name: 'a limit of a queue that is not there',
    ask: (crawl) => codeOf(crawl.calls.setCrawlLimit({ key: 'nowhere.example', crawlID: crawl.id, limit: 1 })),
    ours: 'NOT_FOUND', reference: 'UNKNOWN',
  },
  {
    name: 'deleting a queue that is not there',
    ask: async (crawl) => (await crawl.calls.deleteQueue({ key: 'nowhere.example', crawlID: crawl.id })).value,
    ours: 0n, reference: 2n ** 64n - 1n, rocksDb: 0n,
  },
  {
    name: 'the total of ListQueues',
    async ask(crawl) {
      await crawl.discover('a.example', 1);
      return (await crawl.calls.listQueues({ crawlID: crawl.id })).total;
    },
    ours: 1n, reference: 0n,
  },
  {
    name: 'links among the metadata',
    async ask(crawl) {
      const metadata = { x: ['y'], [linksName]: ['http://a.example/2'] };
      await crawl.put(known(crawl.info('http://a.example/1', '', metadata), crawl.seconds + 1000));
      return listed(crawl);
    },
    ours: [['x']], reference: [[linksName, 'x'].sort()],
  },
  {
    name: 'metadata of a URL that is done',
    async ask(crawl) {
      await crawl.put(known(crawl.info('http://a.example/1', '', { x: ['y'] }), 0));
      return listed(crawl);
    },
    ours: [['x']], reference: [[]],
  },
  {
    name: 'a URL of 40,000 characters',
    ask: (crawl) => crawl.put(discovered(crawl.info(`http://a.example/${'x'.repeat(40_000)}`))),
    ours: [1], reference: [0],
  },
  {
    name: 'queues whose URLs were all purged',
    async ask(crawl) {
      await crawl.discover('a.example', 1);
      await crawl.at.advance(1500);
      await crawl.calls.purgeURLs({ crawlID: crawl.id, days: 0 });
      return (await crawl.calls.listQueues({ crawlID: crawl.id, includeInactive: true })).values;
    },
    ours: [], reference: ['a.example'],
  },
];

describe('ours', () => {
  let at: At;
  beforeAll(async () => { at = await ours(); });
  afterAll(() => at.close());
  test.each(differences)('$name', async ({ name, ask, ours: expected }) => {
    expect(await ask(new OneCrawl(at, name, 1))).toEqual(expected);
  });
});

const skipped = checkout === undefined ? ': skipped, URL_FRONTIER names no checkout' : '';
describe.skipIf(checkout === undefined).each(
  Object.keys(referenceKinds) as (keyof typeof referenceKinds)[],
)(`the reference, %s${skipped}`, (kind) => {
  let reference: Reference;
  let at: At;
  beforeAll(async () => {
    reference = await startReference(checkout!, kind, folder);
    at = await theirs(`127.0.0.1:${reference.port}`);
  });
  afterAll(async () => {
    await at.close();
    await reference.end();
  });
  test.each(differences)('$name', async ({ name, ask, reference: inMemory, rocksDb = inMemory }) => {
    expect(await ask(new OneCrawl(at, name, 1))).toEqual(kind === 'RocksDB' ? rocksDb : inMemory);
  });
});
