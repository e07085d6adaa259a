import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ranking } from '../../../src/search/index.ts';
import {
  FetchedSoFar, linkTable, NOT_INDEXED, orderRanks, rankOf, type JudgedQuery, type RanksInput,
} from '../../../src/search/judge/index.ts';
import { tries } from '../../sweep.ts';
import { allPages, anyWeb, byAll, byText, smallIndex, type SmallPage } from './small-web.ts';
import { plainOrderRanks } from './plain-order-ranks.ts';

// Goal: the ranks of targets after part of an order are those of a search in that part, however they are computed.

function inputOf(
  web: readonly SmallPage[], ranking: Ranking, queries: readonly JudgedQuery[],
  orders: readonly (readonly number[])[], prefixes: readonly number[], hasOwnRanks = false,
): RanksInput {
  const pages = smallIndex(web);
  return {
    corpus: pages, ranking, queries, prefixes, documentOfPage: pages.documentOfPage,
    fetched: new FetchedSoFar(pages, linkTable(pages), new Uint32Array(), hasOwnRanks),
    orders: orders.map((order) => Uint32Array.from(order)),
  };
}

const known = (words: string, ...targets: number[]): JudgedQuery =>
  ({ words: words.split(' '), targets, gains: targets.map(() => 1 / targets.length) });

const anyQueries = (documents: number): fc.Arbitrary<JudgedQuery[]> => fc.array(
  fc.tuple(
    fc.array(fc.constantFrom('ant', 'bee', 'cat', 'dog', 'gnu'), { minLength: 1, maxLength: 3 }),
    fc.uniqueArray(fc.nat({ max: documents - 1 }), { minLength: 1, maxLength: 3 }),
  ).map(([words, targets]) => known(words.join(' '), ...targets.sort((a, b) => a - b))),
  { maxLength: 5 },
);

/** Ten pages of the same word, each better than the next. */
const ladder: SmallPage[] = Array.from({ length: 10 }, (_, page) => ({
  url: `http://a.example/${page}`, title: '', links: [],
  text: [`p${page}`, ...Array<string>(10 - page).fill('ant')].join(' '),
}));

describe('ranks after a part of an order', () => {
  test('are those of the plain way, for rankings that look at links and those that do not', () => {
    const anyCase = anyWeb.chain((web) => {
      const pages = allPages(smallIndex(web));
      return fc.record({
        web: fc.constant(web), queries: anyQueries(smallIndex(web).documents),
        orders: fc.array(fc.shuffledSubarray(pages, { minLength: pages.length }), { minLength: 1, maxLength: 3 }),
        gaps: fc.array(fc.nat({ max: pages.length })),
        prefixes: fc.uniqueArray(fc.nat({ max: pages.length }), { minLength: 1, maxLength: 4 }),
        ranking: fc.constantFrom(byText, byAll), hasOwnRanks: fc.boolean(),
      });
    });
    fc.assert(fc.property(anyCase, ({ web, queries, orders, gaps, prefixes, ranking, hasOwnRanks }) => {
      const withGaps = orders.map((order) => order.map((page, place) => (gaps.includes(place) ? NOT_INDEXED : page)));
      const input = inputOf(web, ranking, queries, withGaps, prefixes.sort((a, b) => a - b), hasOwnRanks);
      const shares: number[] = [];
      expect(orderRanks({ ...input, onProgress: (share) => shares.push(share) })).toEqual(plainOrderRanks(input));
      // The progress that it shows meanwhile.
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      expect(shares.at(-1)).toBe(queries.length === 0 ? undefined : 1);
    }), { numRuns: tries(1500) });
  });

  test('of all pages, all orders agree', () => {
    fc.assert(fc.property(anyWeb.chain((web) => fc.tuple(fc.constant(web), anyQueries(smallIndex(web).documents),
      fc.shuffledSubarray([...web.keys()], { minLength: web.length }))), ([web, queries, order]) => {
      for (const ranking of [byText, byAll]) {
        const [first, second] = orderRanks(inputOf(web, ranking, queries, [[...web.keys()], order], [web.length]));
        expect(first).toEqual(second);
        // They are what a search of the index itself gives.
        const corpus = smallIndex(web);
        const whole = queries.flatMap(({ words, targets }) =>
          targets.map((target) => rankOf(ranking.rank(corpus, words), target)));
        expect([...first.ranks[0]]).toEqual(whole);
      }
    }), { numRuns: tries(200) });
  });

  test('no target is found before it was fetched, and each rank is 1 + the better ones that were', () => {
    const [{ ranks }] = orderRanks(
      inputOf(ladder, byText, [known('ant', 0), known('ant', 4), known('gnu', 0)], [[9, 4, 3, 8, 0, 1, 2, 5, 6, 7]],
        [0, 1, 2, 3, 5, 10]));
    expect(ranks.map((at) => [...at])).toEqual([[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 3, 0], [1, 5, 0]]);
  });

  test('links help when the page that has them was fetched, not before', () => {
    const web: SmallPage[] = [
      { url: 'http://a.example/', title: '', text: 'ant ant ant', links: [] },
      { url: 'http://a.example/1', title: '', text: 'ant', links: [] },
      { url: 'http://b.example/', title: '', text: 'cat', links: [[1, 'ant'], [1, 'ant']] },
    ];
    const [{ ranks }] = orderRanks(inputOf(web, byAll, [known('ant', 1)], [[0, 1, 2]], [2, 3]));
    expect(ranks.map((at) => [...at])).toEqual([[2], [1]]);
  });

  test('equal scores rank the smaller document first', () => {
    const scored = {
      documents: Uint32Array.of(2, 5, 7, 9), scores: Float64Array.of(1, 3, 1, 3), matched: new Uint8Array(4),
    };
    expect([2, 5, 7, 9, 1, 6].map((document) => rankOf(scored, document))).toEqual([3, 1, 4, 2, 0, 0]);
  });

  test('a document is there with the first of its pages', () => {
    const twice = [...ladder, { ...ladder[4], url: 'http://b.example/' }];
    const [{ ranks }] = orderRanks(inputOf(twice, byText, [known('ant', 4)], [[10, 0, 1, 2, 3, 4]], [1, 2, 6]));
    expect(ranks.map((at) => [...at])).toEqual([[1], [2], [5]]);
  });
});
