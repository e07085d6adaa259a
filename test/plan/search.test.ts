import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Ladders } from '../../src/questions/plan/index.ts';
import { bestOf, type Objective } from '../../src/questions/plan/objective.ts';
import { search } from '../../src/questions/plan/search.ts';
import type { SetUp } from '../../src/questions/plan/trials/trials.ts';
import { isFullSweep } from '../sweep.ts';
import { constructedTrials, costWhole, prices, type Course } from './constructed.ts';

// Goal: the search finds what trying everything finds, with a small part of the work, and no early leader misleads it.

const ladders: Ladders = {
  policy: ['opic', 'breadth-first', 'round-robin', 'larger-sites-first', 'random', 'compass'],
  processors: [1, 2, 4, 8, 16], robots: [1, 2, 4, 8, 16, 32], superstepLimit: [undefined, 100, 1000, 10_000],
  pending: [undefined, 400], partition: ['host-hash', 'domain'], exchange: ['bulk', 'batch'],
};
const cheapest: Objective = { kind: 'cost', withinSeconds: Infinity, prices };

function everySetUp(): SetUp[] {
  const { policy, processors, robots, superstepLimit, pending, partition, exchange } = ladders;
  return policy.flatMap((a) => processors.flatMap((b) => robots.flatMap((c) => superstepLimit.flatMap((d) =>
    pending.flatMap((e) => partition.flatMap((f) => exchange.map((g): SetUp => ({
      policy: a, processors: b, robots: c, superstepLimit: d, pending: e, partition: f, exchange: g,
    }))))))));
}

test('an early leader does not throw out a late winner', async () => {
  // Breadth-first has half of the goal at once, and then almost stops; larger sites first needs twenty minutes for all.
  const course: Course = ({ policy, processors, robots }, seconds) => {
    const speed = Math.min(processors * robots, 32) / 32;
    const time = seconds * speed;
    if (policy === 'breadth-first') return Math.min(1, 0.55 * Math.min(1, time / 60) + time / 6000);
    if (policy === 'larger-sites-first') return Math.min(1, (time / 1200) ** 1.3);
    return Math.min(1, time / 2200);
  };
  const lab = constructedTrials(course);
  const { best } = await search(lab.run, ladders, cheapest, 1);
  const early = lab.all.filter(({ phase }) => phase === 'race, round 1 of 3');
  const leader = early.reduce((most, one) => (one.progress > most.progress ? one : most));
  expect(leader.setUp.policy).toBe('breadth-first');
  expect(best.setUp.policy).toBe('larger-sites-first');
});

describe('beside an exhaustive search', () => {
  /** Factors for each value of each setting, drawn by fast-check; machines and robots obey the law of their numbers. */
  const factors = (count: number) =>
    fc.array(fc.double({ min: 1, max: 2, noNaN: true }), { minLength: count, maxLength: count });
  const model = fc.record({
    policy: factors(6), limit: factors(4), pending: factors(2), partition: factors(2), exchange: factors(2),
    /** Robots that the hosts can feed, and how much of the machines' work cannot be divided. */
    enough: fc.integer({ min: 1, max: 600 }), serial: fc.double({ min: 0, max: 1, noNaN: true }),
    /** How crawls slow down: progress = (t / T)^bend. */
    bends: fc.array(fc.double({ min: 0.4, max: 1.5, noNaN: true }), { minLength: 6, maxLength: 6 }),
  });

  test('within 3 % of the best cost, with a tenth of the time simulated', async () => {
    await fc.assert(fc.asyncProperty(model, async (drawn) => {
      const seconds = ({ policy, processors, robots, superstepLimit, pending, partition, exchange }: SetUp): number => {
        const divided = processors === 1 ? 1
          : drawn.partition[ladders.partition.indexOf(partition)] * drawn.exchange[ladders.exchange.indexOf(exchange)];
        const work = 20_000 * drawn.policy[ladders.policy.indexOf(policy)] *
          drawn.limit[ladders.superstepLimit.indexOf(superstepLimit)] * drawn.pending[ladders.pending.indexOf(pending)];
        const speed = Math.min(drawn.enough, processors * robots);
        return (work * divided * (drawn.serial + (1 - drawn.serial) * 32 / speed)) / 4;
      };
      const course: Course = (setUp, now) =>
        Math.min(1, (now / seconds(setUp)) ** drawn.bends[ladders.policy.indexOf(setUp.policy)]);
      const lab = constructedTrials(course);
      const { best } = await search(lab.run, ladders, cheapest, 1);
      const all = everySetUp();
      const least = all.reduce((cost, setUp) => Math.min(cost, costWhole(course, setUp)), Infinity);
      expect(costWhole(course, best.setUp)).toBeLessThanOrEqual(1.03 * least);
      expect(lab.seconds()).toBeLessThan(0.1 * all.reduce((sum, setUp) => sum + seconds(setUp), 0));
    }), { numRuns: isFullSweep ? 30 : 8, endOnFailure: true });
  });
});

test('a limit of time asks for more machines, and no more than that', async () => {
  const course: Course = ({ processors, robots }, seconds) => Math.min(1, (seconds * processors * robots) / 32 / 4000);
  for (const [withinSeconds, machines] of [[5000, 1], [2100, 2], [1001, 4], [260, 16]] as const) {
    const { best } = await search(constructedTrials(course).run, ladders, { ...cheapest, withinSeconds }, 1);
    expect(best.setUp.processors * best.setUp.robots * withinSeconds).toBeGreaterThanOrEqual(32 * 4000);
    expect(best.setUp.processors, `within ${withinSeconds} s`).toBe(machines);
  }
});

test('what cannot be met ends with the nearest', async () => {
  const course: Course = ({ processors, robots }, seconds) => Math.min(1, (seconds * processors * robots) / 32 / 4000);
  const { best } = await search(constructedTrials(course).run, ladders, { ...cheapest, withinSeconds: 100 }, 1);
  expect(best.isReached).toBe(false);
  expect(best.setUp).toMatchObject({ processors: 16, robots: 32 });
});

test('robots that bring nothing are left out', async () => {
  const course: Course = ({ processors, robots }, seconds) =>
    Math.min(1, (seconds * Math.min(4, processors * robots)) / 4 / 4000);
  const { best } = await search(constructedTrials(course).run, ladders, cheapest, 1);
  expect(best.setUp).toMatchObject({ processors: 1, robots: 4 });
});

test('of equal costs the fewest robots, then the fewest machines', () => {
  const lab = constructedTrials((_, seconds) => Math.min(1, seconds / 100));
  void lab.run('', [[2, 4], [1, 4], [1, 2], [4, 1]].map(([processors, robots]) => ({
    setUp: { ...everySetUp()[0], processors, robots }, seed: 1, maxSeconds: Infinity,
  })));
  expect(bestOf({ ...cheapest, prices: { ...prices, machineHour: 0, gigabyte: 1 } }, lab.all).setUp)
    .toMatchObject({ processors: 1, robots: 2 });
});
