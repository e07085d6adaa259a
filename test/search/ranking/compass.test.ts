import { describe, expect, test } from 'vitest';
import { log } from '../../../src/base/index.ts';
import { compass, type Corpus, type ScoredDocuments } from '../../../src/search/index.ts';
import { anyPages, pageText, plainPages } from '../any-pages.ts';
import { MemoryCorpus } from '../memory-corpus.ts';

// Goal: Compass's order, as its report prints it, exact where its weights fit in no double.


const e = (l: number): number => Math.exp(l ** l);

function scoreOf(corpus: Corpus, words: string[], document = 0): number {
  const { documents, scores } = compass.rank(corpus, words);
  return scores[documents.indexOf(document)];
}

/** Documents, best first. */
function orderOf({ documents, scores }: ScoredDocuments): number[] {
  return [...documents.keys()].sort((a, b) => scores[b] - scores[a] || a - b).map((i) => documents[i]);
}

describe('closed forms', () => {
  test('one word: a run for each occurrence, its tags times the words of the document', () => {
    const corpus = new MemoryCorpus([{
      url: 'http://h/',
      text: pageText(['title', 'web web'], ['h1', 'web'], ['h3', 'search web'], ['description', 'web web']),
    }]);
    const tf = (2 * 0.3 + 0.1 + 0.066) * 5;
    expect(scoreOf(corpus, ['web'])).toBeCloseTo(0.45 * 4 * e(1) + 0.35 * tf, 12);
    expect(compass.explain(corpus, ['web'], 0).score).toBe(scoreOf(corpus, ['web']));
  });

  test.each([
    ['macbook pro', 'macbook pro and macbook air pro', [2, 1]],
    ['macbook pro', 'pro macbook', [2]],
    ['a b c', 'a b a b c b c', [0, 2, 1]],
    ['new york new york', 'new york new york', [0, 0, 0, 1]],
    ['new york new york', 'new york new', [0, 0, 1]],
    // The word that no document has takes its place.
    ['king of spain', 'king the spain', [0, 1]],
    ['king of spain', 'king spain', [2]],
    ['of spain', 'spain', [1]],
  ])('runs of %j in %j', (query, text, runs) => {
    const corpus = new MemoryCorpus(plainPages(text));
    const { parts } = compass.explain(corpus, query.split(' '), 0);
    const found = parts.filter(({ name }) => name.startsWith('runs')).map(({ name, value }) => [name, value]);
    const expected = runs.map((value, i) => [`runs of ${i + 1}`, value]).filter(([, value]) => value !== 0);
    expect(found).toEqual(expected);
  });

  test('a run does not cross from one block to the next', () => {
    const corpus = new MemoryCorpus([{ url: 'http://h/', text: pageText(['h1', 'web'], ['other', 'search']) }]);
    const { parts } = compass.explain(corpus, ['web', 'search'], 0);
    expect(parts[0]).toEqual({ name: 'runs of 1', value: 2 });
  });

  test('PageRank counts by its natural logarithm, on the scale of mean 1', () => {
    const pages = plainPages('web one', 'web two');
    const text = { ...pages[0].text, anchors: [{ url: 'http://h/1', text: '' }] };
    const corpus = new MemoryCorpus([{ ...pages[0], text }, pages[1]]);
    const { documents, scores } = compass.rank(corpus, ['web']);
    expect([...documents]).toEqual([0, 1]);
    const [low, high] = corpus.pageranks;
    expect(low + high).toBeCloseTo(2, 8);
    expect(scores[1] - scores[0]).toBeCloseTo(0.2 * (log(high) - log(low)), 12);
  });
});

/** e, and its powers, as fixed-point numbers of this many bits. */
const BITS = 8000n;

function powers(longest: number): bigint[] {
  let [sum, term] = [0n, 1n << BITS];
  for (let n = 1n; term > 0n; n++) {
    sum += term;
    term /= n;
  }
  const power = (exponent: number): bigint => {
    if (exponent === 1) return sum;
    const half = power(exponent >> 1);
    const square = half * half >> BITS;
    return exponent % 2 === 0 ? square : square * sum >> BITS;
  };
  return Array.from({ length: longest + 1 }, (_, l) => l === 0 ? 0n : power(l ** l));
}

describe('the order is exact', () => {
  const longest = 5;
  const e = powers(longest);

  /** The weight in 8,000 binary places, by another way of counting runs. */
  function weight(corpus: Corpus, words: string[], document: number): bigint {
    const wordAt = new Map<number, string>();
    let tf = 0;
    for (const word of new Set(words)) {
      const { documents, starts, places } = corpus.postings(word);
      const row = documents.indexOf(document);
      if (row < 0) continue;
      for (const place of places.subarray(starts[row], starts[row + 1])) {
        if (place % 8 === 7) continue;
        wordAt.set(place >>> 3, word);
        tf += [0.3, 0.1, 0.08, 0.066, 0.04, 0.033, 0.01][place % 8];
      }
    }
    let hit = 0n;
    for (let i = 0; i < words.length; i++) {
      for (const position of [...wordAt.keys()].sort((a, b) => a - b)) {
        let l = 0;
        while (i + l < words.length && wordAt.get(position + l) === words[i + l]) wordAt.delete(position + l++);
        hit += e[l];
      }
    }
    const length = corpus.lengths.slice(0, 7).reduce((sum, ofField) => sum + ofField[document], 0);
    const rest = 0.2 * Math.log(corpus.pageranks[document]) + 0.35 * tf * length;
    return hit * 45n / 100n + (BigInt(Math.round(rest * 2 ** 40)) << BITS - 40n);
  }

  test.each([1, 2, 3, 4, 5, 6])('as in exact arithmetic (%i)', (seed) => {
    const corpus = new MemoryCorpus(anyPages(seed, 60, ['a', 'b', 'c', 'd']));
    for (const query of ['a b c d a', 'a b a b', 'a a a a a', 'b a c', 'd c b a d']) {
      const words = query.split(' ');
      const order = orderOf(compass.rank(corpus, words));
      const weights = order.map((document) => weight(corpus, words, document));
      const wrong = weights.filter((value, i) => i > 0 && value > weights[i - 1] + (1n << BITS - 30n));
      expect(wrong, query).toEqual([]);
    }
  });

  test('among runs of five, a run of two decides, and then PageRank', () => {
    const run = 'a b c d e';
    const pages = plainPages(`${run} z`, `${run} x a b`, `${run} y a x`, `${run} x a x`);
    const text = { ...pages[1].text, anchors: [{ url: 'http://h/3', text: '' }] };
    const corpus = new MemoryCorpus([pages[0], { ...pages[1], text }, ...pages.slice(2)]);
    const ranked = compass.rank(corpus, run.split(' '));
    expect(orderOf(ranked)).toEqual([1, 3, 2, 0]);
    expect(new Set(ranked.scores).size).toBe(4);
  });

  test('equal weights have equal scores, long runs too', () => {
    const corpus = new MemoryCorpus(plainPages('a b c d e f x', 'a b c d e f y', 'a b c d e'));
    const { scores } = compass.rank(corpus, 'abcdef'.split(''));
    expect(scores[0]).toBe(scores[1]);
    expect(scores[2]).toBeLessThan(scores[1]);
  });

  test('scores are finite up to the longest query', () => {
    const words = Array.from({ length: 32 }, (_, i) => `w${i}`);
    const corpus = new MemoryCorpus(plainPages(words.join(' ')));
    const { score, formula } = compass.explain(corpus, words, 0);
    expect(Number.isFinite(score)).toBe(true);
    expect(score).toBe(scoreOf(corpus, words));
    expect(formula).toContain('ln(');
  });
});

test('a run of three outweighs all that a document can have without one', () => {
  // The most: every word in the title, in pairs.
  const corpus = new MemoryCorpus([
    { url: 'http://h/0', text: pageText(['title', 'a b c']) },
    { url: 'http://h/1', text: pageText(['title', 'a b '.repeat(1 << 18)]) },
  ]);
  const { scores } = compass.rank(corpus, ['a', 'b', 'c']);
  expect(scores[0]).toBeGreaterThan(scores[1]);
});
