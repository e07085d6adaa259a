import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  IndexWriter, MAX_QUERY_WORDS, openIndex, rankings, searchIndex, wordsOf,
  type Hit, type IndexedPage, type IndexReader, type RankingName, type SearchOptions, type StopWords,
} from '../../../src/search/index.ts';
import { snippet } from '../../../src/search/query/snippet.ts';
import { betterSpelled } from '../../../src/search/query/spelling.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { anyPages, pageText } from '../any-pages.ts';

// Goal: what people search for is found, and what they exclude is not; each result says where the words are.

const { folder } = temporaryFolder();
let files = 0;

async function indexOf(pages: readonly IndexedPage[], stopWords: StopWords = 'none'): Promise<IndexReader> {
  const path = join(folder, `${files++}.index`);
  const writer = await IndexWriter.open(path, { stopWords });
  for (const page of pages) writer.add(page);
  writer.finish();
  writer.close();
  return openIndex(path);
}

const rankingNames = Object.keys(rankings) as RankingName[];
const bm25f: SearchOptions = { ranking: rankings.bm25f };

function urls(index: IndexReader, query: string, options = bm25f): string[] {
  return searchIndex(index, query, options).hits.map(({ url }) => url);
}

const page = (url: string, title: string, text: string): IndexedPage =>
  ({ url, text: pageText(['title', title], ['other', text]) });

describe('operators', () => {
  let index: IndexReader;
  const [a, b, c, d] = ['http://a.example/', 'http://www.b.example/', 'http://b.example/c', 'http://ab.example/d'];
  beforeAll(async () => {
    index = await indexOf([
      page(a, 'Orb weaver', 'the orb weaver spins an orb web'),
      page(b, 'Spiders', 'an orb web is spun by the weaver of orb webs'),
      ...[c, d].map((url) => page(url, 'Web search', 'orb and weaver, a search engine')),
    ]);
  });

  test.each([
    ['weaver', [a, b, c]], ['"orb weaver"', [a]], ['"orb web"', [a, b]], ['"weaver orb"', []],
    ['title:weaver', [a]], ['title:"web search"', [c]], ['title:"weaver spins" orb', []], ['weaver -spins', [b, c]],
    ['weaver -"orb web"', [c]], ['orb -title:spiders -title:web', [a]], ['orb site:b.example', [b, c]],
    ['orb site:www.b.example', [b]], ['orb -site:b.example', [a, d]], ['orb -site:b.example -site:ab.example', [a]],
    ['orb site:ab.example', [d]], ['orb site:no.example', []], ['weaver "no such phrase"', []],
  ])('%s', (query, expected) => {
    expect(urls(index, query).sort()).toEqual([...expected].sort());
  });

  test('equal texts are one hit, with their other URLs', () => {
    const { hits: [hit], total, hosts } = searchIndex(index, 'engine', bm25f);
    expect([total, hit.url, hit.others, hit.host, hit.title]).toEqual([1, c, [d], 'b.example', 'Web search']);
    expect(hosts).toEqual([{ host: 'b.example', count: 1 }]);
  });

  test('with few documents that have all words, those with some follow', () => {
    const { hits, isAnyWord, total } = searchIndex(index, 'spins engine weaver', bm25f);
    expect([total, isAnyWord, hits.map(({ hasAllWords }) => hasAllWords)]).toEqual([3, true, [false, false, false]]);
    const some = searchIndex(index, 'orb spins', bm25f);
    expect(some.hits.map(({ url, hasAllWords }) => [url, hasAllWords])[0]).toEqual([a, true]);
    expect(searchIndex(index, 'orb weaver', bm25f).isAnyWord).toBe(false);
  });

  test('each score is explained on demand', () => {
    for (const name of rankingNames) {
      const { hits } = searchIndex(index, 'orb web', { ranking: rankings[name], explain: true });
      for (const { score, why } of hits) expect(why?.score).toBe(score);
    }
    expect(searchIndex(index, 'orb', bm25f).hits[0].why).toBe(undefined);
  });

  test('words that are not indexed are not asked for', async () => {
    const some = await indexOf([page(a, 'king of spain', 'king of spain'), page(b, 'king', 'king spain')], 'english');
    expect(urls(some, 'the king of spain')).toHaveLength(2);
    expect(searchIndex(some, 'the king of spain', bm25f).isAnyWord).toBe(false);
    expect(urls(some, '"king of spain"')).toEqual([a]);
    expect(urls(some, '"of the" king')).toHaveLength(2);
    expect(searchIndex(some, 'of the', bm25f)).toMatchObject({ total: 0, hits: [], suggestion: undefined });
  });
});

describe.each(rankingNames)('results of %s', (name) => {
  test('come in pages that neither overlap nor leave any out, in the order of all', async () => {
    const index = await indexOf(anyPages(1, 200));
    const options = { ranking: rankings[name] };
    const all = searchIndex(index, 'a b', { ...options, maxHits: 1000 });
    expect([all.hits.length, all.next]).toEqual([all.total, undefined]);
    const { documents, scores, matched } = rankings[name].rank(index, ['a', 'b']);
    const whole = [...documents.keys()].filter((row) => matched[row] === 2)
      .sort((x, y) => scores[y] - scores[x] || x - y).map((row) => documents[row]);
    expect(all.hits.map(({ document }) => document)).toEqual(whole);
    const paged: Hit[] = [];
    for (let after: string | undefined = '0'; after !== undefined;) {
      const { hits, next, total } = searchIndex(index, 'a b', { ...options, maxHits: 7, after });
      expect(total).toBe(all.total);
      paged.push(...hits);
      after = next;
    }
    expect(paged).toEqual(all.hits);
    expect(searchIndex(index, 'a b', { ...options, after: '999999' })).toMatchObject({ hits: [], next: undefined });
    expect(() => searchIndex(index, 'a', { ...options, after: '-1' })).toThrow('expected the "next" of');
  });
});

test('a query of the most words, all in one document', async () => {
  const words = Array.from({ length: MAX_QUERY_WORDS }, (_, i) => `w${i}`).join(' ');
  const index = await indexOf([page('http://a/', '', words)]);
  for (const name of rankingNames)
    expect(searchIndex(index, words, { ranking: rankings[name] }).hits[0].hasAllWords).toBe(true);
});

describe('snippets', () => {
  const shown = (text: string, ...words: string[]): string =>
    snippet([{ field: 'other', text }], new Set(words))
      .map((part) => (part.isMatch ? `[${part.text}]` : part.text)).join('');
  const filler = 'lorem ipsum dolor sit amet '.repeat(40);

  test('mark the words as they are spelled, where most of them are together', () => {
    expect(shown('Größe und GRÖSSE', 'grosse', 'und')).toBe('[Größe] [und] GRÖSSE');
    const text = `web ${filler}search web engine ${filler}web search ${filler}`;
    const found = shown(text, 'web', 'search', 'engine');
    expect(found).toContain('[search] [web] [engine]');
    expect(found).toMatch(/^\.\.\. .* \.\.\.$/);
    expect(found.length).toBeLessThan(300);
  });

  test('show the description or the beginning where no word is, and nothing of an empty text', () => {
    expect(shown(filler, 'web')).toBe(`${filler.slice(0, 220).replace(/ \S*$/, '')} ...`);
    const runs = pageText(['title', 'web'], ['other', 'text'], ['description', 'what it is']).runs;
    expect(snippet(runs, new Set(['web']))).toEqual([{ text: 'what it is', isMatch: false }]);
    expect(snippet([], new Set(['web']))).toEqual([]);
  });

  test('are pieces of the text, whatever it is', () => {
    for (const { text: { runs } } of anyPages(5, 100)) {
      for (const { text } of runs) {
        const parts = snippet([{ field: 'other', text }], new Set(['a', 'c']));
        expect(text).toContain(parts.map((part) => part.text).join('').replace(/^\.\.\. | \.\.\.$/g, ''));
        for (const part of parts) if (part.isMatch) expect(['a', 'c']).toContain(wordsOf(part.text)[0]);
      }
    }
  });
});

test.each([
  ['serach engine', 'search engine'], ['Search', undefined], ['weavr "orb wep"', 'weaver "orb wep"'],
  ['title:serach -site:serach.example', 'title:search -site:serach.example'], ['xyzzy', undefined],
  ['weaverr', 'weaver'], ['rare', undefined], ['enginee', 'engine'],
])('%j is suggested to be %j', (query, expected) => {
  const vocabulary = new Map([['search', 500], ['engine', 300], ['weaver', 60], ['orb', 60], ['rate', 40]]);
  const frequency = (word: string): number => vocabulary.get(word) ?? (word === 'rare' ? 1 : 0);
  expect(betterSpelled(query, () => vocabulary, frequency)).toBe(expected);
});
