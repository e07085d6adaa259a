import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  IndexSearcher, IndexWriter, openIndex, rankings, searchIndex, type RankingName,
} from '../../../src/search/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { anyPages } from '../any-pages.ts';

// Goal: searches on threads are those of one reader, at the same time, and of the index as it is finished.

const { folder } = temporaryFolder();

async function addPages(path: string, from: number, to: number): Promise<void> {
  const writer = await IndexWriter.open(path);
  for (const page of anyPages(1, to).slice(from)) writer.add(page);
  writer.finish();
  writer.close();
}

test('many searches at once on two threads, before and after more pages', async () => {
  const path = join(folder, 'web.index');
  const searcher = new IndexSearcher(path, 2);
  try {
    await expect(searcher.facts()).rejects.toThrow('no such index');
    for (const pages of [50, 120]) {
      await addPages(path, pages === 50 ? 0 : 50, pages);
      const reader = await openIndex(path);
      expect(await searcher.facts()).toEqual({ documents: reader.documents, pages });
      const requests = ['a', 'b c', '"a b"', 'a -c', 'h site:1.example'].flatMap((query) =>
        (['bm25f', 'compass', 'bm25'] as const).map((ranking) => ({ query, ranking, explains: true, maxHits: 5 })));
      const results = await Promise.all(requests.map((request) => searcher.search(request)));
      expect(results).toEqual(requests.map(({ query, ranking, maxHits }) =>
        searchIndex(reader, query, { ranking: rankings[ranking], maxHits, explain: true })));
      reader.close();
    }
    await expect(searcher.search({ query: '-', ranking: 'bm25' })).rejects.toThrow('has no word to look for');
    await expect(searcher.search({ query: 'a', ranking: 'toString' as RankingName })).rejects
      .toThrow('ranking: "toString"; expected one of bm25f, compass, bm25');
  } finally {
    await searcher.close();
  }
});
