import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bestOf, bootstrap, differenceOf, intervalOf, Judge, judgedShares, prefixesOf, valueOf, type JudgedPolicy,
  type Measure,
} from '../../../src/search/judge/index.ts';
import { tries } from '../../sweep.ts';
import { anyWeb, byAll, byText, smallIndex, type SmallPage } from './small-web.ts';

// Goal: measures are what their definitions say, and intervals what is known of them in closed form.

const one = { words: ['ant'], targets: [3], gains: [1] };

describe('measures of a query', () => {
  test('by the rank of its target', () => {
    const at = (rank: number): number[] => (['reciprocalRank', 'successAt1', 'successAt10', 'ndcgAt10'] as Measure[])
      .map((measure) => valueOf(measure, one, Uint32Array.of(rank)));
    expect(at(0)).toEqual([0, 0, 0, 0]);
    expect(at(1)).toEqual([1, 1, 1, 1]);
    expect(at(3)).toEqual([1 / 3, 0, 1, 0.5]);
    expect(at(10)).toEqual([0.1, 0, 1, 1 / Math.log2(11)]);
    expect(at(11)).toEqual([0, 0, 0, 0]);
  });

  test('by the gains of its targets, relative to the best order of all', () => {
    const gains = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 14 });
    fc.assert(fc.property(gains.chain((all) => fc.tuple(
      fc.constant(all.map((gain) => gain / all.reduce((sum, other) => sum + other, 0))),
      fc.shuffledSubarray(Array.from({ length: 20 }, (_, i) => i), { minLength: all.length, maxLength: all.length }),
    )), ([weights, ranks]) => {
      const query = { words: [], targets: ranks, gains: weights };
      // A result page, place by place.
      const page = Array.from({ length: 10 }, (_, i) => (ranks.includes(i + 1) ? weights[ranks.indexOf(i + 1)] : 0));
      const best = [...weights].sort((a, b) => b - a).slice(0, 10);
      const dcg = (all: readonly number[]): number => all.reduce((sum, gain, i) => sum + gain / Math.log2(i + 2), 0);
      expect(valueOf('ndcgAt10', query, Uint32Array.from(ranks))).toBeCloseTo(dcg(page) / dcg(best), 12);
    }), { numRuns: tries(400) });
  });
});

const options = { seed: 7, resamples: 2000 };

describe('the bootstrap', () => {
  test('of equal values has no width; of equal policies no difference', () => {
    const [a, b] = bootstrap([[new Float64Array(50).fill(0.25)], [new Float64Array(50).fill(0.25)]], options);
    expect(intervalOf(a)).toEqual({ mean: 0.25, low: 0.25, high: 0.25 });
    expect(differenceOf(a, b)).toEqual({ mean: 0, low: 0, high: 0 });
  });

  test('is as wide as the standard error says, and differences are paired', () => {
    const values = Float64Array.from({ length: 400 }, (_, i) => Number(i % 4 === 0));
    const better = values.map((value) => 0.1 + 0.8 * value);
    const [base, other] = bootstrap([[values], [better]], options);
    const { mean, low, high } = intervalOf(base);
    const standardError = Math.sqrt(0.25 * 0.75 / 400);
    expect(mean).toBe(0.25);
    expect((high - low) / (2 * 1.96 * standardError)).toBeGreaterThan(0.92);
    expect((high - low) / (2 * 1.96 * standardError)).toBeLessThan(1.08);
    // other - base = 0.1 - 0.2 value: a fifth as wide, for the same queries were drawn for both.
    const difference = differenceOf(base, other);
    expect(difference.mean).toBeCloseTo(0.05, 12);
    expect((difference.high - difference.low) / (high - low)).toBeCloseTo(0.2, 2);
  });

  test('draws seeds too: what differs between them alone widens it', () => {
    const seeds = [0, 0.2, 0.4, 0.6, 0.8].map((value) => new Float64Array(30).fill(value));
    const { mean, low, high } = intervalOf(bootstrap([seeds], options)[0]);
    expect(mean).toBeCloseTo(0.4, 12);
    // The mean of five draws has a standard deviation of 0.2828 / sqrt 5 = 0.126.
    expect(high - low).toBeGreaterThan(0.36);
    expect(high - low).toBeLessThan(0.6);
  });

  test('names the best, and those whose lead over it chance may have made', () => {
    const values = Float64Array.from({ length: 400 }, (_, i) => Number(i % 4 === 0));
    const [alike, worse, equal] = [
      Float64Array.from(values, (_, i) => Number(i % 4 === 1 && i > 8)), values.map((value) => 0.9 * value), values,
    ];
    const resampled = bootstrap([[worse], [values], [alike], [equal]], options);
    expect(bestOf(resampled, [0, 1, 2, 3])).toEqual({ best: 1, rivals: [2, 3] });
    expect(bestOf(resampled, [0, 2])).toEqual({ best: 2, rivals: [0] });
    expect(bestOf(resampled, [0, 3])).toEqual({ best: 3, rivals: [] });
    expect(bestOf(resampled, [2])).toEqual({ best: 2, rivals: [] });
  });

  test('of no query is 0', () => {
    expect(intervalOf(bootstrap([[new Float64Array(0)]], options)[0])).toEqual({ mean: 0, low: 0, high: 0 });
  });
});

const few = { ...options, resamples: 40, half: 'judge', hasOwnRanks: false } as const;
const policy = (name: string, pages: readonly number[], rankAfter: (pages: number) => number): JudgedPolicy =>
  ({
    name, orders: [{
      pages: Uint32Array.from(pages), cumulativeRank: Float64Array.from(pages, (_, i) => rankAfter(i + 1)),
    }],
  });

/** 100 pages of a word each, whose titles are found at the first place as soon as they are fetched. */
const hundred: SmallPage[] = Array.from({ length: 100 }, (_, i) => ({
  url: `http://a.example/${i}`, title: `w${i}`, text: `w${i}`, links: [],
}));

describe('effectiveness of orders', () => {
  test('is judged after 1 to 100 % of the pages', () => {
    expect(judgedShares).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]);
    expect(prefixesOf(1000)).toEqual([10, 20, 50, 100, 200, 500, 1000]);
    expect(prefixesOf(3)).toEqual([1, 1, 1, 1, 1, 2, 3]);
  });

  test('of a perfect order is perfect, of the opposite nothing until the targets come, and both are equal at the end', () => {
    const pages = smallIndex(hundred);
    const judge = new Judge(pages, { seed: 3, maxQueries: 20 });
    const targets = judge.drawn.sets.titles.judge.map((query) => query.targets[0]);
    const others = [...hundred.keys()].filter((page) => !targets.includes(page));
    const found = judge.effectiveness(byText, [
      policy('perfect', [...targets, ...others], () => 1),
      policy('worst', [...others, ...targets], (pages) => Number(pages === 100)),
    ], few);
    const set = found.sets.find((one) => one.set === 'titles' && one.measure === 'successAt1')!;
    const [perfect, worst] = set.policies.map(({ points }) => points.map(({ mean }) => mean));
    expect(perfect.map((mean) => Math.round(mean * targets.length)))
      .toEqual([1, 2, 5, 10, 20, 50, 100].map((prefix) => Math.min(prefix, targets.length)));
    expect(worst).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(set.means).toEqual([[perfect], [worst]]);
    expect(set.differences).toHaveLength(1);
    expect(set.best[3]).toEqual({ policy: 'perfect', rivals: [] });
    expect(set.best[6]).toEqual({ policy: 'perfect', rivals: ['worst'] });
    const { sets: [without] } = judge.effectiveness(byText, [
      policy('perfect', [...targets, ...others], () => 1), policy('worst', [...others, ...targets], () => 1),
    ], { ...few, oracles: ['perfect'] });
    expect(without.best[3]).toEqual({ policy: 'worst', rivals: [] });
    expect(set.differences[0].points[6]).toEqual({ mean: 0, low: 0, high: 0 });
    expect(set.agreement.map((at) => at?.mean)).toEqual([1, 1, 1, 1, 1, 1, undefined]);
    expect(found.horizonPages).toBe(100);
  });

  test('at the end all orders have the same figures, and no policy changes the queries', () => {
    fc.assert(fc.property(anyWeb.chain((web) => fc.tuple(fc.constant(web), fc.nat(),
      fc.shuffledSubarray([...web.keys()], { minLength: web.length }))), ([web, seed, order]) => {
      const judge = new Judge(smallIndex(web), { seed, maxQueries: 5 });
      const drawn = structuredClone(judge.drawn);
      const { sets } = judge.effectiveness(byAll, [
        policy('one', [...web.keys()], () => 1), policy('other', order, () => 1),
      ], few);
      for (const { policies: [{ points: first }, { points: second }] } of sets)
        expect(second.at(-1)).toEqual(first.at(-1));
      expect(judge.drawn).toEqual(drawn);
    }), { numRuns: tries(100) });
  });

  test('is judged over as many pages as the shortest order has, and averages seeds', () => {
    const judge = new Judge(smallIndex(hundred), { seed: 3, maxQueries: 200 });
    const order = (from: number, count: number): JudgedPolicy['orders'][number] => ({
      pages: Uint32Array.from({ length: count }, (_, i) => (from + i) % 100), cumulativeRank: new Float64Array(count),
    });
    const { sets, horizonPages } = judge.effectiveness(byText, [
      { name: 'two seeds', orders: [order(0, 50), order(50, 60)] }, { name: 'all', orders: [order(0, 100)] },
    ], few);
    expect(horizonPages).toBe(50);
    const set = sets.find((one) => one.set === 'titles' && one.measure === 'reciprocalRank')!;
    // Together the two seeds fetch each page once in their first 50.
    expect(set.policies[0].points[6].mean).toBeCloseTo(0.5, 12);
    expect(set.agreement.every((at) => at === null)).toBe(true);
  });
});
