import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { simulate, trueRanks } from '../../src/core/engine/index.ts';
import { prepare } from '../../src/graphs/graph/index.ts';
import {
  machineHours, makePlan, parseGoal, PlanInterrupted, type Plan, type PlanRequest, type TrialsOptions,
} from '../../src/questions/plan/index.ts';
import { shippedPolicies } from '../../src/core/policy/index.ts';
import { syntheticWeb } from '../crawl/loopback.ts';
import { inputErrorOf, temporaryFolder } from '../temporary-folder.ts';

// Goal: each figure of a plan is that of a run that anyone can make again; a plan that was interrupted goes on; nothing
// depends on threads or on the cache.

const { folder } = temporaryFolder();

/** Of 2,000 pages: answers/plans.test.ts plans for a whole graph. */
const web = prepare(syntheticWeb(2000, 1));
const ranks = trueRanks(web);

const small: PlanRequest = {
  goals: [parseGoal('50% of rank')], withinSeconds: Infinity, machines: 2, robots: 8, prices: machineHours, base: {},
  values: { policy: ['opic', 'round-robin', 'random'], superstepLimit: [undefined, 100], pending: [undefined] },
};
let folders = 0;
async function plan(request: Partial<PlanRequest> = {}, options: Partial<TrialsOptions> = {}): Promise<Plan> {
  return makePlan(web, { ...small, ...request }, shippedPolicies, {
    cache: join(folder, `cache-${folders++}`), workers: 1, ...options,
  });
}
const whole = await plan();

describe('a plan', () => {
  test('its best set-up has figures from seeds that had no part in choosing it', () => {
    const { best, runs } = whole;
    const finals = runs.filter(({ id }) => best.runs.includes(id));
    expect(finals).toHaveLength(3);
    const searched = runs.filter(({ phase }) => phase !== 'finalists' && phase !== 'what if');
    const seeds = new Set(searched.map(({ seed }) => seed));
    expect(finals.some(({ seed }) => seeds.has(seed))).toBe(false);
    expect(best.seconds.mean).toBeCloseTo(finals.reduce((sum, { seconds }) => sum + seconds, 0) / 3, 9);
    expect(best.cost.mean).toBeCloseTo((best.setUp.processors * best.seconds.mean) / 3600, 12);
    expect(best.probability).toBe(0.8);
    expect(best.limits).toContain('This crawl is limited by');
  });

  test('each run can be made again by simulate', async () => {
    const { best, runs } = whole;
    const { setUp, seed, replayHash, seconds } = runs.find(({ id }) => id === best.runs[0])!;
    const goal = { ...setUp, seed };
    const again = await simulate(web, { ...goal, maxSeconds: seconds }, { ranks: ranks });
    expect(again.run.summary.rankGathered.ofReachable).toBeGreaterThanOrEqual(0.5 - 1e-9);
    const sooner = await simulate(web, { ...goal, maxSeconds: seconds - 0.01 }, { ranks: ranks });
    expect(sooner.run.summary.rankGathered.ofReachable).toBeLessThan(0.5);
    const unfinished = runs.find(({ ended, phase }) => ended === 'time limit' && phase.startsWith('race'))!;
    const { setUp: raced, seed: racedSeed, maxSeconds } = unfinished;
    const hashed = await simulate(
      web, { ...raced, seed: racedSeed, maxSeconds }, { ranks: ranks },
    );
    expect(hashed.run.replayHash).toBe(unfinished.replayHash);
    expect(replayHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('is the same on two threads', async () => {
    expect(await plan({}, { workers: 2 })).toEqual(whole);
  });

  test('what it asks for is reached by every set-up that it counts as met', () => {
    for (const { isReached, progress, curve, rank } of whole.runs) {
      expect(isReached).toBe(progress >= 1);
      expect(curve[curve.length - 1]).toBe(progress);
      if (isReached) expect(rank).toBeGreaterThanOrEqual(0.5 - 1e-9);
    }
  });

  test('no set-up that was tried whole is cheaper under the seed of the search, but for ties', () => {
    const met = whole.runs.filter(({ isReached, phase, seed }) =>
      isReached && seed === 1 && !phase.startsWith('race, round'));
    const cost = ({ setUp, seconds }: (typeof met)[number]): number => (setUp.processors * seconds) / 3600;
    const least = Math.min(...met.map(cost));
    const chosen = met.filter(({ setUp }) => JSON.stringify(setUp) === JSON.stringify(whole.best.setUp));
    expect(Math.min(...chosen.map(cost))).toBeLessThanOrEqual(1.05 * least);
  });
});

describe('interrupted', () => {
  test('it goes on where it stopped', async () => {
    const cache = join(folder, 'resumed');
    const controller = new AbortController();
    let before = 0;
    const stopped = plan({}, {
      cache, signal: controller.signal,
      onTrial: ({ phase, done, newPages }) => {
        if (phase !== 'race, whole runs' || done === 0) return;
        before = newPages;
        controller.abort();
      },
    });
    await expect(stopped).rejects.toThrow(PlanInterrupted);
    let after = 0;
    const resumed = await plan({}, { cache, onTrial: ({ newPages }) => { after = newPages; } });
    expect(resumed).toEqual(whole);
    expect(before).toBeGreaterThan(0);
    expect(before + after).toBeLessThanOrEqual(whole.simulatedPages);
    let third = 0;
    expect(await plan({}, { cache, onTrial: ({ newPages }) => { third = newPages; } })).toEqual(whole);
    expect(third).toBe(0);
  });

  test('a cache that cannot be written is one clear message', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await inputErrorOf(plan({}, { cache: join(file, 'cache') }))).toContain('--cache');
    rmSync(file);
  });
});

describe('goals', () => {
  test('several must all hold', async () => {
    const goals = ['30% of rank', '900 pages', '40% of hosts'].map(parseGoal);
    const { runs, best } = await plan({ goals });
    for (const { pages } of runs.filter(({ id }) => best.runs.includes(id))) expect(pages).toBeGreaterThanOrEqual(900);
  });

  test('what cannot be met: the nearest, and what would', async () => {
    const { feasible, best, whatIf } = await plan({ withinSeconds: whole.best.seconds.mean / 3 });
    expect(feasible).toBe(false);
    expect(best.progress).toBeLessThan(1);
    expect(best.probability).toBeLessThan(0.5);
    expect(whatIf.find(({ name }) => name === 'moreTime')).toMatchObject({ isReached: true, isMet: false });
  });

  test('a time alone asks for the most rank', async () => {
    const { best, feasible, objective, runs } = await plan({ goals: [], withinSeconds: whole.best.seconds.mean });
    expect(objective.kind).toBe('rank');
    expect(feasible).toBe(true);
    expect(best.probability).toBeNull();
    const searched = runs.filter(({ phase }) => phase !== 'what if' && phase !== 'finalists');
    const most = Math.max(...searched.map(({ rank }) => rank));
    expect(best.rank.mean).toBeGreaterThan(0.97 * most);
  });

  test('more than there is', async () => {
    expect(await inputErrorOf(plan({ goals: [parseGoal('1M pages')] }))).toContain('within reach of the seed pages');
  });
});
