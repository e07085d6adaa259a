import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLmdbStoreToRead } from '../../../src/core/live/index.ts';
import { openIndex } from '../../../src/search/index.ts';
import { newFolder, orbweaver, start } from '../../cli/command.ts';
import { loopback } from '../../crawl/loopback.ts';
import { WrittenSite } from '../../crawl/written-site.ts';

// Goal: a crawl that goes on is indexed as far as it has come, and later the rest of it; the crawl notices nothing.

const pages = 300;

/** Texts that are committed; 0 while there is no crawl. */
async function committedTexts(store: string): Promise<number> {
  const opened = await openLmdbStoreToRead(store).catch(() => undefined);
  if (opened === undefined) return 0;
  try {
    return [...opened.visits()].filter(({ page }) => opened.text(page) !== undefined).length;
  } finally {
    await opened.close();
  }
}

async function urlsOf(path: string): Promise<string[]> {
  const index = await openIndex(path);
  try {
    return Array.from({ length: index.pages }, (_, page) => index.url(page));
  } finally {
    index.close();
  }
}

test('an index has what a running crawl has committed, and after it the rest', async () => {
  const folder = newFolder();
  const served = await loopback(new WrittenSite((url) => {
    const page = Number(/^a\.test\/(\d+)$/.exec(url)?.[1] ?? NaN);
    if (!(page < pages)) return undefined;
    return { body: `<title>Page ${page}</title><a href="/${page + 1}">next</a> ${'text '.repeat(page)}` };
  }));
  try {
    const crawl = start([
      'crawl', 'http://a.test/0', '--contact', 'test@localhost', '--allow-network', '127.0.0.0/8', '--resolve',
      `*=127.0.0.1:${served.port}`, '--out', 'crawl', '--text', '--politeness-ms', '5', '--robots', '1',
    ], folder);
    const ended = once(crawl, 'exit');
    const store = join(folder, 'crawl', 'store');
    while (crawl.exitCode === null && await committedTexts(store) < 20) await setTimeout(10);
    // So that it cannot end before it is indexed; whatever it was about to do.
    crawl.kill('SIGSTOP');
    const committed = await committedTexts(store);
    const during = await orbweaver(['index', 'crawl', '--out', 'crawl.index', '--json'], folder);
    crawl.kill('SIGCONT');
    expect(during).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(during.stdout)).toMatchObject({ addedPages: committed });
    expect(committed).toBeGreaterThanOrEqual(20);
    expect(committed).toBeLessThan(pages);
    // And while it goes on.
    expect(await orbweaver(['index', 'crawl', '--out', 'crawl.index'], folder)).toMatchObject({ code: 0, stderr: '' });
    expect((await ended as [number])[0]).toBe(0);
    expect((await orbweaver(['index', 'crawl', '--out', 'crawl.index'], folder)).code).toBe(0);
    await orbweaver(['index', 'crawl', '--out', 'whole.index'], folder);
    const urls = await urlsOf(join(folder, 'crawl.index'));
    expect(urls).toEqual(Array.from({ length: pages }, (_, page) => `http://a.test/${page}`));
    expect(urls).toEqual(await urlsOf(join(folder, 'whole.index')));
  } finally {
    await served.close();
  }
});
