import { describe, expect, test } from 'vitest';
import {
  bm25, bm25f, bm25fDefaults, compass, type Corpus, type Explanation,
} from '../../../src/search/index.ts';
import { indexFields } from '../../../src/search/corpus.ts';
import { anyPages, pageText, plainPages } from '../any-pages.ts';
import { MemoryCorpus } from '../memory-corpus.ts';

// Goal: BM25 and BM25F are their formulas, and what a ranking says of a score is how the score is made.

const rankings = [compass, bm25(), bm25f()];

describe('closed forms', () => {
  const corpus = new MemoryCorpus(plainPages('web search web', 'search', 'orb weaver spider web'));
  const idf = (n: number): number => Math.log(1 + (3 - n + 0.5) / (n + 0.5));

  test('BM25', () => {
    const { documents, scores, matched } = bm25().rank(corpus, ['web', 'search']);
    const mean = (3 + 1 + 4) / 3;
    const tf = (count: number, length: number): number => count / (count + 1.2 * (0.25 + 0.75 * length / mean));
    expect([...documents]).toEqual([0, 1, 2]);
    expect([...matched]).toEqual([2, 1, 1]);
    expect(scores[0]).toBeCloseTo(idf(2) * (tf(2, 3) + tf(1, 3)), 12);
    expect(scores[1]).toBeCloseTo(idf(2) * tf(1, 1), 12);
    expect(scores[2]).toBeCloseTo(idf(2) * tf(1, 4), 12);
  });

  test('BM25F of one plain field without a prior is BM25', () => {
    const plain = bm25f({
      ...bm25fDefaults, b: { ...bm25fDefaults.b, other: 0.75 }, prior: { ...bm25fDefaults.prior, weight: 0 },
    });
    const [ours, theirs] = [plain, bm25()].map((ranking) => ranking.rank(corpus, ['web', 'search', 'web']).scores);
    for (const [i, score] of ours.entries()) expect(score).toBeCloseTo(theirs[i], 12);
  });

  test('BM25F sums the fields before it saturates, links among them, and adds the prior', () => {
    const pages = new MemoryCorpus([
      { url: 'http://h/0', text: pageText(['title', 'web'], ['other', 'a web page']) },
      { url: 'http://h/1', text: { ...pageText(['other', 'spider']), anchors: [
        { url: 'http://h/0', text: 'the web' }, { url: 'http://h/0', text: 'web' }, { url: 'http://h/1', text: 'web' },
      ] } },
    ]);
    const options = { ...bm25fDefaults, k1: 2, prior: { weight: 3, halfway: 0.5, exponent: 1 } };
    const { weights, b } = options;
    // Means: title 0.5, other 2, links 1.5.
    const tf = weights.title / (1 - b.title + b.title * 2) + weights.other / (1 - b.other + b.other * 1.5) +
      2 * weights.anchor / (1 - b.anchor + b.anchor * 2);
    const rank = pages.pageranks[0];
    const expected = Math.log(1 + 1.5 / 1.5) * tf / (2 + tf) + 3 * rank / (0.5 + rank);
    expect(bm25f(options).rank(pages, ['web']).scores[0]).toBeCloseTo(expected, 12);
  });

  test('a document that only links name is found by BM25F', () => {
    const pages = plainPages('web', 'spider');
    const linked = new MemoryCorpus([
      { ...pages[0], text: { ...pages[0].text, anchors: [{ url: 'http://h/1', text: 'arachnid' }] } }, pages[1],
    ]);
    const { documents, matched } = bm25f().rank(linked, ['arachnid']);
    expect([...documents, ...matched]).toEqual([1, 1]);
    expect(linked.frequency('arachnid')).toEqual({ text: 0, textOrAnchor: 1 });
    expect([...bm25().rank(linked, ['arachnid']).scores]).toEqual([0]);
  });
});

/** The score that an explanation of BM25 or BM25F makes of its parts. */
function evaluated({ formula, parts }: Explanation): number {
  const k1 = Number(/\(([\d.]+) \+ tf\)/.exec(formula)![1]);
  const value = (name: string): number => parts.find((part) => part.name === name)?.value ?? 0;
  const words = parts.flatMap(({ name }) => name.startsWith('idf of ') ? [name.slice(7)] : []);
  return words.reduce((sum, word) => {
    const tf = value(`tf of ${word}`);
    return sum + value(`idf of ${word}`) * tf / (k1 + tf);
  }, value('prior'));
}

describe.each(rankings)('$name', (ranking) => {
  const queries = [['a'], ['a', 'b'], ['c', 'a', 'c'], ['zz', 'd'], ['zz'], []];

  test.each([1, 2, 3])('scores every document with a word, and explains each score (%i)', (seed) => {
    const corpus = new MemoryCorpus(anyPages(seed, 40));
    for (const words of queries) {
      const { documents, scores, matched } = ranking.rank(corpus, words);
      const has = (word: string): number[] => [...corpus.postings(word).documents, ...corpus.anchors(word).documents];
      expect([...documents]).toEqual([...new Set(words.flatMap(has))].sort((a, b) => a - b));
      for (const [i, document] of documents.entries()) {
        expect(matched[i]).toBe(new Set(words.filter((word) => has(word).includes(document))).size);
        const why = ranking.explain(corpus, words, document);
        if (Math.abs(scores[i]) < 1e11) expect(why.score).toBe(scores[i]);
        if (ranking !== compass) expect(evaluated(why)).toBeCloseTo(scores[i], 10);
      }
    }
  });

  test('a document without the words changes scores by statistics of the corpus alone', () => {
    const pages = anyPages(4, 30);
    const [corpus, larger] = [pages, [...pages, ...plainPages('unrelated text')]].map((all) => new MemoryCorpus(all));
    // The statistics of the smaller one.
    const view: Corpus = {
      documents: corpus.documents, meanLengths: corpus.meanLengths, frequency: (word) => corpus.frequency(word),
      lengths: larger.lengths, pageranks: Float64Array.of(...corpus.pageranks, 1),
      postings: (word) => larger.postings(word), anchors: (word) => larger.anchors(word),
    };
    for (const words of queries) expect(ranking.rank(view, words)).toEqual(ranking.rank(corpus, words));
  });
});

test('an index of no documents finds nothing', () => {
  const corpus = new MemoryCorpus([]);
  expect(corpus.lengths).toHaveLength(indexFields.length);
  for (const ranking of rankings) expect(ranking.rank(corpus, ['a']).documents).toHaveLength(0);
});
