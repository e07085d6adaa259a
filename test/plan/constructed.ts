import { costOf } from '../../src/questions/plan/cost.ts';
import { rounds } from '../../src/questions/plan/trials/trial.ts';
import type { RunTrials } from '../../src/questions/plan/search.ts';
import type { SetUp, Trial, TrialRequest } from '../../src/questions/plan/trials/trials.ts';

/** How a set-up's crawl would go: the share of the goal gathered after so many seconds, 1 from some moment on. */
export type Course = (setUp: SetUp, seconds: number) => number;

/** Trials of a constructed crawl, without a simulation; `asked` counts their virtual seconds. */
export function constructedTrials(course: Course): { run: RunTrials; all: Trial[]; seconds: () => number } {
  const all: Trial[] = [];
  const run: RunTrials = (phase, requests) => {
    const first = all.length + 1;
    const done = requests.map((request, i) => constructedTrial(course, request, { phase, id: first + i }));
    all.push(...done);
    return Promise.resolve(done);
  };
  return { run, all, seconds: () => all.reduce((sum, trial) => sum + trial.seconds, 0) };
}

function constructedTrial(
  course: Course, { setUp, seed, maxSeconds }: TrialRequest, { phase, id }: { phase: string; id: number },
): Trial {
  const end = Math.min(maxSeconds, timeTo(course, setUp));
  const progress = course(setUp, end);
  return {
    id, phase, setUp, seed, maxSeconds, change: '', isReached: progress >= 1, seconds: end, pages: Math.round(end),
    bytes: 0, progress, progressAtHalf: course(setUp, end / 2), rank: progress, hosts: 0,
    curve: [progress], roundSeconds: rounds.map((share) => share * end),
    simulatedPages: Math.round(end), limits: '', limitKinds: [], ended: '',
    replayHash: JSON.stringify([setUp, end]),
  };
}

/** When the goal is met, to a thousandth of a second; Infinity if not within a million. */
export function timeTo(course: Course, setUp: SetUp): number {
  let [low, high] = [0, 1e6];
  if (course(setUp, high) < 1) return Infinity;
  while (high - low > 1e-3) {
    const middle = (low + high) / 2;
    if (course(setUp, middle) >= 1) high = middle;
    else low = middle;
  }
  return high;
}

export const prices = { machineHour: 1, gigabyte: 0, areMoney: false };

export function costWhole(course: Course, setUp: SetUp): number {
  return costOf(prices, setUp.processors, timeTo(course, setUp), 0);
}
