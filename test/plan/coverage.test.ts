import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../src/base/random/draw.ts';
import { prepare, type WebGraph } from '../../src/graphs/graph/index.ts';
import { interval, studentQuantile } from '../../src/core/measure/index.ts';
import { differenceOf, onFreshSeeds, type Finalist } from '../../src/questions/plan/finals/finalists.ts';
import { looks, widening } from '../../src/questions/plan/finals/fresh-seeds.ts';
import { studentBelow } from '../../src/questions/plan/finals/odds.ts';
import { targetOf } from '../../src/questions/plan/goal.ts';
import {
  machineHours, parseGoal, Trials, type Objective, type SetUp, type Trial,
} from '../../src/questions/plan/index.ts';
import type { RunTrials } from '../../src/questions/plan/search.ts';
import { shippedPolicies } from '../../src/core/policy/index.ts';
import { syntheticWeb } from '../crawl/loopback.ts';
import { docsWeb } from '../docs-web.ts';
import { isFullSweep, replayCommand, tries } from '../sweep.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: the 95 % intervals of a plan cover the mean in at least 94 % of all draws, however far the limit is from the
// mean, although that distance decides how many seeds are drawn; and they are at most 1.3 times as wide as Student's
// of the same runs. The loop that draws the seeds is the plan's own, on times that are drawn again and again.

const { folder } = temporaryFolder();
const seed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);
const replay = replayCommand(seed, 'test/plan/coverage.test.ts');
const resamples = tries(4000);
/** Of 4,000 resamples all that is asked for; a share of fewer that is truly .94 is so low in one case in 500. */
const least = 0.94 - (isFullSweep ? 0 : 2.9 * Math.sqrt(0.94 * 0.06 / resamples));
/** From the mean to the limit, in standard deviations of the time. */
const distances = [-4, -2, -1, -0.5, -0.25, -0.1, 0, 0.1, 0.25, 0.5, 1, 2, 4];

const setUp: SetUp = { policy: 'opic', processors: 1, robots: 16, partition: 'host-hash', exchange: 'bulk' };

/** Times that crawls may take, with what is known of them. */
interface Population {
  readonly name: string;
  readonly mean: number;
  readonly deviation: number;
  /** The time of draw `id`. */
  readonly draw: (stream: DrawStream, id: number) => number;
}

/** Times as real runs took them, drawn with repetition. */
function population(name: string, seconds: readonly number[]): Population {
  const mean = seconds.reduce((sum, value) => sum + value, 0) / seconds.length;
  const deviation = Math.sqrt(seconds.reduce((sum, value) => sum + (value - mean) ** 2, 0) / seconds.length);
  return { name, mean, deviation, draw: (stream, id) => seconds[Math.floor(stream.uniform(id) * seconds.length)] };
}

/** Times that are spread as those of crawls are, about 3 % of the mean, and skewed. */
function skewed(sigma: number): Population {
  const median = 1000;
  const mean = median * Math.exp(sigma ** 2 / 2);
  const spread = 30 / (mean * Math.sqrt(Math.exp(sigma ** 2) - 1));
  return {
    name: `log-normal, sigma ${sigma}`, mean: 1000, deviation: 30,
    draw: (stream, id) => 1000 + spread * (stream.logNormal(median, sigma, id) - mean),
  };
}

async function crawlTimes(
  graph: WebGraph, goal: string, runs: number, other: Partial<SetUp> = {},
): Promise<Population> {
  const trials = await Trials.open(prepare(graph), {}, shippedPolicies, { cache: join(folder, 'cache'), workers: 1 });
  trials.aimAt([targetOf(parseGoal(goal), trials.reachable, graph.name)]);
  const whole = { ...setUp, ...other };
  const ended = await trials.run('times', Array.from({ length: runs }, (_, i) =>
    ({ setUp: whole, seed: 1 + i, maxSeconds: Infinity })));
  await trials.close();
  expect(ended.every(({ isReached }) => isReached)).toBe(true);
  return population(`${graph.name} ${whole.policy} ${goal}`, ended.map(({ seconds }) => seconds));
}

const small = syntheticWeb(1000, 7);
const populations: readonly Population[] = [
  { name: 'normal', mean: 1000, deviation: 30, draw: (stream, id) => 1000 + 30 * stream.normal(id) },
  skewed(0.15), skewed(0.25),
  await crawlTimes(small, '80% of rank', 100),
  await crawlTimes(small, '80% of rank', 100, { policy: 'random', robots: 4, processors: 2 }),
  ...(isFullSweep
    ? [
        await crawlTimes(docsWeb, '80% of rank', 100),
        await crawlTimes(docsWeb, '50% of rank', 100, { policy: 'round-robin', processors: 2 }),
      ]
    : []),
];

/** Runs that take the times of draws: `first` numbers the draw of seed 0. */
function resampled(draw: (id: number) => number, first: number): RunTrials {
  return (phase, requests) => Promise.resolve(requests.map(({ setUp: own, seed: number, maxSeconds }): Trial => {
    const needed = draw(first + number);
    const isReached = needed <= maxSeconds;
    const seconds = isReached ? needed : maxSeconds;
    return {
      id: number, phase, setUp: own, seed: number, maxSeconds, change: '', isReached, seconds, pages: 100,
      bytes: 0, progress: isReached ? 1 : seconds / needed, progressAtHalf: 0.5, rank: 0.5, hosts: 1, curve: [],
      roundSeconds: [], simulatedPages: 100, limits: '', limitKinds: [], ended: '', replayHash: '',
    };
  }));
}

interface Coverage {
  /** Share of the intervals that contain the mean, or say nothing because runs were cut off. */
  readonly covered: number;
  /** Sums of widths: of the plan's intervals, and of Student's over the same runs. */
  readonly width: number;
  readonly widthOfStudent: number;
  /** Runs on average. */
  readonly runs: number;
}

const drawsPerResample = 16;

async function coverage({ name, mean, deviation, draw }: Population, distance: number): Promise<Coverage> {
  const stream = new DrawStream(seed, `${name} ${distance}`);
  const objective: Objective = { kind: 'cost', withinSeconds: mean + distance * deviation, prices: machineHours };
  let [covered, width, widthOfStudent, runs] = [0, 0, 0, 0];
  for (let i = 0; i < resamples; i++) {
    const run = resampled((id) => draw(stream, id), drawsPerResample * i);
    const { choice: { seconds: { low, high } }, trials } = await onFreshSeeds(run, objective, setUp, 0);
    const student = interval(trials.map(({ seconds }) => seconds));
    runs += trials.length / resamples;
    if (low === null || high === null) {
      covered++;
      continue;
    }
    if (low <= mean && mean <= high) covered++;
    width += high - low;
    widthOfStudent += student.high! - student.low!;
  }
  return { covered: covered / resamples, width, widthOfStudent, runs };
}

/** How often Student's interval covers a mean that is the limit, where it decides itself after 3, 6 and 10 runs. */
function coverageOfStudent({ name, mean, draw }: Population): number {
  const stream = new DrawStream(seed, name);
  let covered = 0;
  for (let i = 0; i < resamples; i++) {
    const seconds = Array.from({ length: 10 }, (_, id) => draw(stream, drawsPerResample * i + id));
    const containsMean = (runs: number): boolean => {
      const { low, high } = interval(seconds.slice(0, runs));
      return low! <= mean && mean <= high!;
    };
    if ([3, 6, 10].every(containsMean)) covered++;
  }
  return covered / resamples;
}

describe(`intervals after looking at them, ${resamples} resamples`, () => {
  test.each(populations)('of $name', async (times) => {
    const shown: string[] = [];
    const rows: Coverage[] = [];
    for (const distance of distances) {
      const row = await coverage(times, distance);
      rows.push(row);
      const { covered, width, widthOfStudent, runs } = row;
      shown.push(`limit ${distance} deviations from the mean: covered ${covered}, ` +
        `widths ${width} and ${widthOfStudent}, ${runs.toFixed(2)} runs`);
    }
    const text = `${shown.join('\n')}\n${replay}`;
    for (const { covered, width, widthOfStudent, runs } of rows) {
      expect(covered, text).toBeGreaterThanOrEqual(least);
      expect(width, text).toBeLessThanOrEqual(1.3 * widthOfStudent);
      expect(runs, text).toBeLessThanOrEqual(10);
    }
    // The fault that this test is there to find.
    expect(coverageOfStudent(times), text).toBeLessThan(least);
  });
});

test('the difference of two finalists, whose seeds end where each is decided', async () => {
  // Both meet the same network: half of the noise is theirs together.
  for (const [distance, lead] of [[0, 0.25], [0.25, 0.5], [1, 1], [-0.5, 0.5]]) {
    const stream = new DrawStream(seed, `difference ${distance} ${lead}`);
    const objective: Objective = { kind: 'cost', withinSeconds: 1000 + 30 * distance, prices: machineHours };
    const time = (shift: number, part: number) => (id: number): number =>
      1000 + 30 * (shift + Math.SQRT1_2 * (stream.normal(3 * id) + stream.normal(3 * id + part)));
    let covered = 0;
    for (let i = 0; i < resamples; i++) {
      const [best, other] = await Promise.all([time(0, 1), time(lead, 2)].map((draw): Promise<Finalist> =>
        onFreshSeeds(resampled(draw, drawsPerResample * i), objective, setUp, 0)));
      const { low, high } = differenceOf(objective, best, other)!;
      const lag = (30 * lead) / 3600;
      if (low! <= lag && lag <= high!) covered++;
    }
    expect(covered / resamples, `limit ${distance}, lead ${lead}\n${replay}`).toBeGreaterThanOrEqual(least);
  }
}, 60_000);

test('of normal times, all looks together miss the mean in at most 4.2 %, by the sum of what each misses', () => {
  const misses = looks.map((runs) => 2 * (1 - studentBelow(widening * studentQuantile(runs - 1), runs - 1)));
  const sum = misses.reduce((total, share) => total + share, 0);
  expect(sum).toBeLessThan(0.042);
  expect(sum).toBeGreaterThan(0.04);
});

test('without a limit of time nothing is decided by an interval, and it is that of Student', async () => {
  const stream = new DrawStream(seed, 'no limit');
  for (const kind of ['cost', 'rank'] as const) {
    const objective: Objective = { kind, withinSeconds: Infinity, prices: machineHours };
    const { choice, trials } = await onFreshSeeds(resampled((id) => 1000 + stream.normal(id), 0), objective, setUp, 0);
    expect(choice.seconds).toEqual(interval(trials.map(({ seconds }) => seconds)));
    expect(trials).toHaveLength(3);
  }
});

test('runs that were cut off give no interval of the time', async () => {
  const objective: Objective = { kind: 'cost', withinSeconds: 80, prices: machineHours };
  const times = [90, 101, 99, 120, 90, 90, 90, 90, 90, 90];
  const { choice, trials } = await onFreshSeeds(resampled((id) => times[id - 1], 0), objective, setUp, 0);
  expect(trials).toHaveLength(10);
  expect(choice.seconds).toEqual({ mean: (7 * 90 + 99 + 2 * 100) / 10, low: null, high: null });
  expect(choice.cost.low).toBeNull();
  expect(choice.probability).toBeLessThan(0.5);
});
