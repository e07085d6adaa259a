import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { IndexSearcher, IndexWriter, type IndexedPage } from '../../../src/search/index.ts';
import { SearchServer } from '../../../src/views/service/search/index.ts';
import { pageText } from '../../search/any-pages.ts';

export interface ServedIndex {
  /** With the token. */
  readonly url: string;
  readonly origin: string;
  /** Asks with the token. */
  ask(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

/** Pages about wolves on two hosts, one of which has a script for a title; the last has no title. */
export const wolves: readonly IndexedPage[] = [
  ...Array.from({ length: 24 }, (_, i) => ({
    url: `http://${i % 3 === 0 ? 'a' : 'b'}.example/wolf-${i}`,
    text: pageText(['title', `Wolf ${i}`], ['other', `The grey wolf number ${i} runs in the forest of winter ${i}.`]),
  })),
  { url: 'http://b.example/copy', text: pageText(['title', 'Wolf 1'],
    ['other', 'The grey wolf number 1 runs in the forest of winter 1.']) },
  {
    url: 'http://a.example/script?a=1&b="2"',
    text: pageText(
      ['title', '<script>alert(1)</script> & "wolf"'], ['other', 'A hostile </p><img src=x onerror=alert(2)>'],
    ),
  },
  { url: 'http://a.example/deep/lair/', text: pageText(['other', 'A lair without a title.']) },
];

/** For the tests of one file: an index of these pages, served. */
export function servedIndex(folder: string, pages: readonly IndexedPage[] = wolves): ServedIndex {
  let server: SearchServer;
  let searcher: IndexSearcher;
  beforeAll(async () => {
    const path = join(folder, 'wolves.index');
    const writer = await IndexWriter.open(path);
    for (const page of pages) writer.add(page);
    writer.finish();
    writer.close();
    searcher = new IndexSearcher(path, 2);
    server = await SearchServer.listen({ searcher, name: 'wolves <b>' });
  });
  afterAll(async () => {
    await server.close();
    await searcher.close();
  });
  return {
    get url() { return server.url; },
    get origin() { return new URL(server.url).origin; },
    ask(path, headers) {
      const token = new URL(server.url).searchParams.get('token') ?? '';
      return fetch(new URL(path, server.url), { headers: { Authorization: `Bearer ${token}`, ...headers } });
    },
  };
}
