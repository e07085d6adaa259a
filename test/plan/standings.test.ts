import { expect, test } from 'vitest';
import { machineHours, Standings, type SetUp, type Trial } from '../../src/questions/plan/index.ts';

// Goal: who watches a plan sees who is in the race and who is out, with what is known of each, and nothing invented.

const setUp = (policy: string): SetUp =>
  ({ policy, processors: 1, robots: 4, partition: 'host-hash', exchange: 'bulk' });
const request = (policy: string, seed = 1) => ({ setUp: setUp(policy), seed, maxSeconds: 100 });
const trial = (phase: string, policy: string, about: Partial<Trial> = {}): Trial => ({
  phase, setUp: setUp(policy), id: 1, seed: 1, change: '', maxSeconds: 100, isReached: false, seconds: 100, pages: 10,
  bytes: 0, progress: 0.5, progressAtHalf: 0.2, rank: 0.4, hosts: 1, curve: [], roundSeconds: [], simulatedPages: 10,
  limits: '', limitKinds: [], ended: 'time limit', replayHash: policy, ...about,
});

function hear(standings: Standings, phase: string, policies: readonly string[], ended: readonly Trial[]): void {
  const requests = policies.map((policy) => request(policy));
  standings.hear({ phase, requests, ended: undefined });
  for (const one of ended) standings.hear({ phase, requests, ended: one });
}

const shown = (standings: Standings) =>
  standings.list().map(({ setUp: { policy }, state, gathered, cost, runs }) =>
    [policy, state, gathered?.mean, cost?.mean, runs]);

test('of a goal: those that a round leaves out are out, the cheapest that meets the goal is the best', () => {
  const standings = new Standings({ kind: 'cost', withinSeconds: Infinity, prices: machineHours });
  hear(standings, 'pilots', ['opic'], []);
  expect(shown(standings)).toEqual([['opic', 'in', undefined, undefined, 0]]);
  hear(standings, 'pilots', ['opic'], [trial('pilots', 'opic', { isReached: true, seconds: 7200, progress: 1 })]);
  hear(standings, 'race, round 1 of 3', ['opic', 'random', 'lifo'], [
    trial('race, round 1 of 3', 'random', { progress: 0.7 }), trial('race, round 1 of 3', 'lifo', { progress: 0.1 }),
  ]);
  // A pilot has run whole: what it did then is what counts.
  expect(shown(standings)).toEqual([
    ['opic', 'best', 1, 2, 1], ['random', 'in', 0.7, undefined, 1], ['lifo', 'in', 0.1, undefined, 1],
  ]);
  hear(standings, 'race, whole runs', ['random'], [
    trial('race, whole runs', 'random', { isReached: true, seconds: 3600, progress: 1 }),
  ]);
  expect(shown(standings)).toEqual([
    ['random', 'best', 1, 1, 2], ['opic', 'in', 1, 2, 1], ['lifo', 'out', 0.1, undefined, 1],
  ]);
  hear(standings, 'finalists', ['random', 'random'], [1.5, 2.5].map((hours) =>
    trial('finalists', 'random', { isReached: true, seconds: 3600 * hours, progress: 1 })));
  const [best] = standings.list();
  expect(best.cost?.mean).toBeCloseTo(2, 12);
  expect(best.cost!.low!).toBeLessThan(1.5);
  hear(standings, 'what if', ['random'], [trial('what if', 'random', { isReached: true, seconds: 1 })]);
  expect(shown(standings).map(([policy, state, , , runs]) => [policy, state, runs])).toEqual([
    ['random', 'best', 4], ['opic', 'out', 1], ['lifo', 'out', 1],
  ]);
  standings.decide(setUp('opic'));
  expect(shown(standings).map(([policy, state]) => [policy, state])).toEqual([
    ['opic', 'best'], ['random', 'out'], ['lifo', 'out'],
  ]);
});

test('of a time: the most rank is the best', () => {
  const standings = new Standings({ kind: 'rank', withinSeconds: 100, prices: machineHours });
  hear(standings, 'pilots', ['opic', 'random'], [
    trial('pilots', 'opic', { rank: 0.3 }), trial('pilots', 'random', { rank: 0.6, id: 2 }),
  ]);
  expect(shown(standings).map(([policy, state, gathered]) => [policy, state, gathered])).toEqual([
    ['random', 'best', 0.6], ['opic', 'in', 0.3],
  ]);
});
