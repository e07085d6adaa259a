import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AssertionError } from '../../../src/base/index.ts';
import {
  ELSEWHERE, NodeUrls, openLmdbStore, UrlTable, type CrawlStore, type KnownUrls,
} from '../../../src/core/live/index.ts';
import { MemoryStore } from '../store/memory-store.ts';
import { addedPages } from '../../../src/core/live/urls/link-numbers.ts';
import { describeKnownUrls, type NotedUrls } from '../../conformance/known-urls.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: what one machine of several knows is what a table of all would know, though most of it is in the store.

const { folder } = temporaryFolder();
let stores = 0;

/** What a store has, as a process that begins reads it. */
function pagesHere(store: CrawlStore): UrlTable {
  const here = new UrlTable();
  for (const { url, depth, redirects, hops } of store.pages()) here.add(url, depth, redirects, hops);
  return here;
}

async function noted(
  store: CrawlStore, isOwn: (host: string) => boolean, make: (store: CrawlStore) => KnownUrls,
  reopen: (store: CrawlStore) => Promise<CrawlStore>,
): Promise<NotedUrls> {
  let open = store;
  let urls = make(open);
  return Promise.resolve({
    urls: () => urls, isOwn,
    note: async (pages) => open.note(pages),
    again: async () => {
      open = await reopen(open);
      urls = make(open);
    },
    close: async () => open.close(),
  });
}

const isOwn = (host: string): boolean => host.startsWith('a');
const same = async (store: CrawlStore): Promise<CrawlStore> => Promise.resolve(store);
for (const maxRecent of [1, 3, 1000]) {
  const makeUrls = (store: CrawlStore): KnownUrls => new NodeUrls({ store, here: pagesHere(store), isOwn, maxRecent });
  describeKnownUrls({
    name: `NodeUrls, ${maxRecent} recent pages at most, over memory`,
    make: async () => noted(new MemoryStore({}), isOwn, makeUrls, same),
  });
  describeKnownUrls({
    name: `NodeUrls, ${maxRecent} recent pages at most, over lmdb`,
    make: async () => {
      const path = join(folder, `store ${stores++}`);
      return noted(await openLmdbStore(path, {}), isOwn, makeUrls, async (store) => {
        await store.close();
        return openLmdbStore(path);
      });
    },
  });
}
describeKnownUrls({
  name: 'UrlTable', make: async () => noted(new MemoryStore({}), () => true, pagesHere, same),
});

test('of pages of other machines a fixed number is in memory, however many there are', async () => {
  const store = new MemoryStore({});
  const urls = new NodeUrls({ store, here: new UrlTable(), isOwn, maxRecent: 100 });
  const before = urls.bytes;
  const urlOf = (i: number): string => `https://b${i % 300}/${i}`;
  for (let i = 0; i < 20_000; i++) {
    const added = addedPages(urls);
    urls.add(urlOf(i), 1, 0);
    await store.note({ ...added, elsewhere: [{ url: urlOf(i), depth: 1, redirects: 0 }] });
    expect(urls.recentCount).toBeLessThanOrEqual(100);
  }
  for (let i = 0; i < 20_000; i += 7) {
    expect([urls.find(urlOf(i)), urls.urlOf(ELSEWHERE + i)]).toEqual([ELSEWHERE + i, urlOf(i)]);
    expect(urls.recentCount).toBeLessThanOrEqual(100);
  }
  expect([urls.elsewhereCount, urls.count, urls.hostCount, urls.bytes]).toEqual([20_000, 0, 0, before]);
});

test('those that are not yet stored stay in memory, and go when they are', async () => {
  const store = new MemoryStore({});
  const urls = new NodeUrls({ store, here: new UrlTable(), isOwn, maxRecent: 10 });
  const added = addedPages(urls);
  const elsewhere = Array.from({ length: 500 }, (_, i) => ({ url: `https://b/${i}`, depth: 1, redirects: 0 }));
  for (const { url } of elsewhere) urls.add(url, 1, 0);
  expect(urls.recentCount).toBe(500);
  expect(urls.find(elsewhere[76].url)).toBe(ELSEWHERE + 76);
  await store.note({ ...added, elsewhere });
  for (let i = 0; i < 1000; i++) urls.add(`https://c/${i}`, 1, 0);
  expect(urls.find(elsewhere[76].url)).toBe(ELSEWHERE + 76);
  expect(urls.recentCount).toBeLessThan(500 + 1000);
});

test('seed pages of other machines have the ids of the seeds, and a foreign page has no host id', () => {
  const here = new UrlTable();
  here.add('https://b/seed', 0, 0);
  const urls = new NodeUrls({ store: new MemoryStore({}), here, isOwn });
  expect([urls.find('https://b/seed'), urls.add('https://b/other', 1, 0)]).toEqual([0, ELSEWHERE]);
  expect(() => urls.hostOf(ELSEWHERE)).toThrow(AssertionError);
});
