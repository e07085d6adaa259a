import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openIndex } from '../../../src/search/index.ts';
import { gzipped, response } from '../../formats/warc/warc-archive.ts';
import { newFolder, orbweaver, start } from '../../cli/command.ts';

// Goal: an index has the pages of its sources in their order, whether it was made in one go or not; a command that
// fails leaves none.

const folder = newFolder();
const at = (name: string): string => join(folder, name);
const pages = Array.from({ length: 300 }, (_, i) => (
  response(
    `http://a.test/${i}`,
    `<title>Page ${i}</title><a href="/${(i * 7) % 300}">to ${i % 50}</a> ${'word '.repeat(i)}`,
  )
));
writeFileSync(at('all.warc.gz'), gzipped(pages));
writeFileSync(at('some.warc.gz'), gzipped(pages.slice(0, 100)));

/** URLs, documents and PageRank of an index. */
async function contentOf(name: string): Promise<unknown> {
  const index = await openIndex(at(name));
  try {
    return {
      urls: Array.from({ length: index.pages }, (_, page) => index.url(page)),
      documents: [...index.documentOfPage], ranks: [...index.pageranks], word: index.frequency('word'),
      places: [...index.postings('50').places],
    };
  } finally {
    index.close();
  }
}

test('an index of archives has their pages; made in two goes, or interrupted, it is the same', async () => {
  const whole = await orbweaver(['index', 'all.warc.gz', '--out', 'whole.index', '--json'], folder);
  expect(whole.code).toBe(0);
  expect(JSON.parse(whole.stdout)).toMatchObject({
    pages: 300, addedPages: 300, documents: 300, leftOut: { noindex: 0, damaged: 0 },
  });
  await orbweaver(['index', 'some.warc.gz', '--out', 'parts.index'], folder);
  const rest = await orbweaver(['index', 'some.warc.gz', 'all.warc.gz', '--out', 'parts.index', '--json'], folder);
  expect(JSON.parse(rest.stdout)).toMatchObject({ pages: 300, addedPages: 200 });
  expect(await contentOf('parts.index')).toEqual(await contentOf('whole.index'));
  const again = await orbweaver(['index', 'all.warc.gz', '--out', 'whole.index', '--json'], folder);
  expect(JSON.parse(again.stdout)).toMatchObject({ pages: 300, addedPages: 0 });
});

test.each(['SIGINT', 'SIGKILL'] as const)('after %s the same command goes on', async (signal) => {
  const child = start(['index', 'all.warc.gz', '--out', `${signal}.index`], folder);
  const ended = once(child, 'exit');
  // From the moment when its file is there.
  while (!existsSync(at(`${signal}.index`)) && child.exitCode === null) await new Promise(setImmediate);
  child.kill(signal);
  await ended;
  const finished = await orbweaver(['index', 'all.warc.gz', '--out', `${signal}.index`], folder);
  expect(finished.code).toBe(0);
  expect(await contentOf(`${signal}.index`)).toEqual(await contentOf('whole.index'));
});

test('a source without pages leaves no index', async () => {
  writeFileSync(at('none.warc'), response('http://a.test/', '<meta name=robots content=noindex>'));
  const { code, stderr } = await orbweaver(['index', 'none.warc', '--out', 'none.index'], folder);
  expect([code, stderr]).toEqual([
    2, 'none.warc: a WARC archive: no page that can be indexed; left out: 1 page with noindex\n',
  ]);
  expect(['', '-wal', '-shm'].filter((ending) => existsSync(at(`none.index${ending}`)))).toEqual([]);
});
