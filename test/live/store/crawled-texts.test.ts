import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crawlLive, resumeCrawl } from '../../../src/machines/crawl/index.ts';
import { openLmdbStore, type LiveInput } from '../../../src/core/live/index.ts';
import { unpackText } from '../../../src/base/web/index.ts';
import { loopback } from '../../crawl/loopback.ts';
import { WrittenSite, type Written } from '../../crawl/written-site.ts';

// Goal: each page that was fetched has its text in the store, once, whether the crawl is interrupted or not.

const web: Readonly<Record<string, Written>> = {
  'a.test/': { body: '<title>Root</title><a href=/1>One</a><a href=/2>Two</a><a href=/3>3</a><a href=/4>4</a>' },
  'a.test/1': { body: '<h1>Same</h1>' },
  'a.test/2': { body: '<h1>Same</h1>' },
  'a.test/3': { body: '<meta name=robots content=noindex>secret' },
  'a.test/4': { headers: ['Content-Type', 'image/png'], body: '<p>no page' },
};

/** The texts in the store of a crawl, by URL. */
async function textsOf(folder: string): Promise<Record<string, string>> {
  const store = await openLmdbStore(join(folder, 'store'));
  try {
    return Object.fromEntries([...store.pages()].flatMap(({ url }, page) => {
      const text = store.text(page);
      return text === undefined ? [] : [[url, unpackText(text)!.runs.map((run) => run.text).join('|')]];
    }));
  } finally {
    await store.close();
  }
}

async function crawled(live: Partial<LiveInput>, limit?: number): Promise<Record<string, string>> {
  const served = await loopback(new WrittenSite((url) => web[url]));
  try {
    const folder = served.folder();
    const experiment = { politenessMs: 0, processors: 1, robots: 1, policy: 'breadth-first', maxPages: limit };
    await crawlLive(folder, { experiment, live: { ...served.live, warc: false, ...live }, seeds: ['http://a.test/'] });
    if (limit !== undefined) await resumeCrawl(folder, { maxPages: 100 });
    return await textsOf(folder);
  } finally {
    await served.close();
  }
}

const all = { 'http://a.test/': 'Root|OneTwo34', 'http://a.test/1': 'Same', 'http://a.test/2': 'Same' };

test.each<[string, Partial<LiveInput>]>([
  ['on threads', { readerThreads: 1 }], ['on one thread', { readerThreads: 0 }],
  ['where bodies that were seen before count as such', { contentSeen: true }],
])('texts are stored: %s', async (_, live) => {
  expect(await crawled({ text: true, ...live })).toEqual(all);
});

test('a crawl that is resumed has the texts of both sessions', async () => {
  expect(await crawled({ text: true }, 2)).toEqual(all);
});

test('without the setting there are none', async () => {
  expect(await crawled({})).toEqual({});
});
