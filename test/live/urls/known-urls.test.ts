import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  MemoryStore, NodeUrls, openLmdbStore, UrlTable, type CrawlStore, type KnownUrls,
} from '../../../src/live/index.ts';
import { describeKnownUrls, type NotedUrls } from '../../conformance/known-urls.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: what one machine of several knows is what a table of all would know, though most of it is in the store.

const { folder } = temporaryFolder();
let stores = 0;

/** What a store has, as a process that begins reads it. */
function readAgain(store: CrawlStore, urls: KnownUrls): KnownUrls {
  for (const { url, depth, redirects } of store.pages()) urls.add(url, depth, redirects);
  return urls;
}

async function noted(
  store: CrawlStore, isOwn: (host: string) => boolean, make: (store: CrawlStore) => KnownUrls,
  reopen: (store: CrawlStore) => Promise<CrawlStore>,
): Promise<NotedUrls> {
  let open = store;
  let urls = make(open);
  let count = 0;
  return Promise.resolve({
    urls: () => urls, isOwn,
    note: async (pages) => {
      const firstPage = count;
      count += pages.length;
      await open.note({ firstPage, pages });
    },
    again: async () => {
      open = await reopen(open);
      urls = readAgain(open, make(open));
    },
    close: async () => open.close(),
  });
}

const isOwn = (host: string): boolean => host.startsWith('a');
const same = async (store: CrawlStore): Promise<CrawlStore> => Promise.resolve(store);
for (const maxRecent of [1, 3, 1000]) {
  const makeUrls = (store: CrawlStore): KnownUrls => new NodeUrls({ store, isOwn, maxRecent });
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
  name: 'UrlTable', make: async () => noted(new MemoryStore({}), () => true, () => new UrlTable(), same),
});

test('a page of another machine takes four bytes, whatever its URL', async () => {
  const store = new MemoryStore({});
  const urls = new NodeUrls({ store, isOwn });
  const pages = Array.from({ length: 100_000 }, (_, i) => (
    { url: `https://b/${'long/'.repeat(20)}${i}`, depth: 1, redirects: 0, isElsewhere: true }
  ));
  await store.note({ firstPage: 0, pages });
  // With the first one comes room for the names of many hosts.
  const [first, ...others] = pages;
  urls.add(first.url, 1, 0);
  const before = urls.bytes;
  for (const { url } of others) urls.add(url, 1, 0);
  // Arrays grow by an eighth.
  expect((urls.bytes - before) / others.length).toBeLessThan(4 * 1.125 + 0.1);
  expect(urls.find(others[76].url)).toBe(77);
});
