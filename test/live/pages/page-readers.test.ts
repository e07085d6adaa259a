import { afterEach, describe, expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import type { PageReaders } from '../../../src/core/live/pages/page.ts';
import { pageReaders } from '../../../src/core/live/pages/page-readers.ts';
import { readPage } from '../../../src/core/live/pages/read-page.ts';
import { builtScripts } from '../../built-scripts.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { html, settingsOf } from './pages.ts';

// Goal: pages are read on threads as in this one, and a thread that dies costs a page and not the crawl.

let readers: PageReaders | undefined;
afterEach(() => readers?.close());

const { folder } = temporaryFolder();
const scriptOf = await builtScripts(folder, new URL('./dying-worker.ts', import.meta.url));
const dyingWorker = scriptOf('dying-worker');

describe('threads', () => {
  test('read what this thread reads, and leave the body whole', async () => {
    const settings = settingsOf({ readerThreads: 2, contentSeen: true, text: true, denyDomains: ['no.org'] });
    readers = pageReaders(settings);
    const pages = Array.from({ length: 40 }, (_, i) =>
      html(
        gzipSync(
          `<base href="/${i % 3}/"><a href=x${i}><a href=y><a href="//no.org/"><a href="mailto:a@b"><link rel=canonical href="z">`,
        ),
        ['content-encoding', 'gzip', ...(i % 7 === 0 ? ['X-Robots-Tag', 'none'] : [])],
      ),
    );
    pages.push(html('x', ['Content-Encoding', 'zstd']), html(''));
    const before = pages.map(({ body }) => Buffer.from(body).toString('hex'));
    const all = await Promise.all(pages.map((page) => readers!.read(page)));
    expect(all).toEqual(pages.map((page) => readPage(page, settings)));
    expect(all[1].links).toEqual(['http://a.org/1/x1', 'http://a.org/1/y']);
    expect(pages.map(({ body }) => Buffer.from(body).toString('hex'))).toEqual(before);
  });

  test('a page that ends or holds up its reader costs itself alone', async () => {
    readers = pageReaders(settingsOf({ readerThreads: 2 }), { worker: dyingWorker, timeoutMs: 1000 });
    const texts = ['a', 'exit', 'b', 'throw', 'hang', 'c', 'later', 'd'];
    const all = await Promise.all(texts.map((text) => readers!.read(html(text))));
    expect(all.map(({ fault, links }) => fault ?? links.join())).toEqual(
      ['a', 'reader died', 'b', 'reader died', 'reading time-out', 'c', 'reader died', 'd']);
  });

  test('threads that do not start end the crawl, and nothing waits for ever', async () => {
    readers = pageReaders(settingsOf({ readerThreads: 1 }), {
      worker: scriptOf('no-such-worker'),
    });
    const all = await Promise.allSettled([html('a'), html('b')].map((page) => readers!.read(page)));
    for (const end of all)
      expect(String((end as PromiseRejectedResult).reason)).toMatch(
        /WorldError: the page readers do not start \(.*no-such-worker/,
      );
  });

  test('once closed, reads are rejected', async () => {
    readers = pageReaders(settingsOf({ readerThreads: 1 }), { worker: dyingWorker });
    await readers.read(html('a'));
    const ends = Promise.allSettled([readers.read(html('hang')), readers.read(html('b'))]);
    await readers.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(readers.read(html('c'))).rejects.toThrow('closed');
  });
});
