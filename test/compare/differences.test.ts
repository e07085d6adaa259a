import { expect, test } from 'vitest';
import {
  differences, horizonsOf, named, settingDifferences, type Compared, type SeedRun,
} from '../../src/questions/compare/index.ts';
import { interval } from '../../src/core/measure/index.ts';

// Goal: a comparison says what differs, in settings and in figures, and never calls noise a difference.

function item(label: string, experiment: object, seeds: readonly SeedRun[] = []): Compared {
  return {
    label, graph: 'made', sha256: 'aa', version: '1', experiment, runs: seeds.length, interrupted: false,
    readUpTo: undefined, means: {}, seeds, records: [{}] as unknown as Compared['records'],
  };
}

function runs(areas: readonly number[], horizonPages = 100): SeedRun[] {
  return areas.map((pagerankArea, i) => ({ seed: i + 1, horizonPages, figures: { pagerankArea } }));
}

test('settings that differ, those that one lacks last; a list is compared whole, however long', () => {
  const pages = (last: number): number[] => [...Array.from({ length: 50 }, (_, i) => i), last];
  const found = settingDifferences([
    item('a', { seed: 1, network: { latencyMs: 5 }, policy: 'opic', robots: 4, seedPages: pages(50) }),
    item('b', { seed: 1, policy: 'random', robots: 4, seedPages: pages(51) }),
  ]);
  expect(found.map(({ name }) => name)).toEqual(['policy', 'seedPages', 'network.latencyMs']);
  expect(found[2].values).toEqual([5, null]);
  expect(found[1].values[0]).toHaveLength(40);
});

test('a run is named by what distinguishes it, or by its folder where that is long or not its own', () => {
  const base = { policy: 'opic', robots: 4, seed: 1, partition: 'host-hash' };
  const names = (...all: readonly object[]): string[] =>
    named(all.map((one, i) => item(`runs/${i}`, { ...base, ...one }))).map(({ name }) => name);
  expect(names({}, { policy: 'random' })).toEqual(['opic', 'random']);
  expect(names({ robots: 1 }, { robots: 2 })).toEqual(['robots 1', 'robots 2']);
  expect(names({}, { policy: 'random' }, { robots: 1 }, { partition: 'lpt' }))
    .toEqual(['opic', 'random', 'opic · robots 1', 'opic · lpt']);
  expect(names({}, { seed: 2 })).toEqual(['runs/0', 'runs/1']);
  expect(names({}, { seed: 2 }, { policy: 'random' })).toEqual(['runs/0', 'runs/1', 'random']);
  expect(names({ policy: 'a'.repeat(21) }, {})).toEqual(['runs/0', 'opic']);
});

test.each([
  // Seeds differ by far more than the runs do: only the differences seed by seed show it.
  ['beyond noise', [0.2, 0.5, 0.8], [0.21, 0.512, 0.811], 3],
  ['within noise', [0.2, 0.5, 0.8], [0.3, 0.4, 0.8], 3],
  ['same', [0.2, 0.5, 0.8], [0.2, 0.5 + 1e-15, 0.8], 3],
  ['open', [0.2], [0.9, 0.8, 0.7], 1],
  ['same', [0.2], [0.2], 1],
])('a difference is %s (%#)', (verdict, base, other, seeds) => {
  const [found, ...more] = differences(item('a', {}, runs(base)), item('b', {}, runs(other)));
  expect(more).toEqual([]);
  expect(found).toMatchObject({ verdict, seeds });
  const paired = base.slice(0, seeds).map((value, i) => other[i] - value);
  expect(found.difference.mean).toBeCloseTo(interval(paired).mean, 12);
});

test('areas over different numbers of pages are not compared, nor runs without a common seed', () => {
  const [a, b] = [item('a', {}, runs([0.2, 0.3], 100)), item('b', {}, runs([0.4, 0.5], 90))];
  expect([a, b].flatMap(horizonsOf)).toEqual([100, 90]);
  expect(differences(a, b)).toEqual([]);
  const later = runs([0.4]).map((run) => ({ ...run, seed: 9 }));
  expect(differences(a, item('c', {}, later))).toEqual([]);
});
