import { describe, expect, test } from 'vitest';
import { networkPresetNames, networkSchema, type ExperimentInput } from '../../src/core/settings/index.ts';
import { parseExperiment } from '../../src/core/policy/index.ts';
import { Network, SimulatedWorld, type NetworkOptions, type Visit } from '../../src/core/simulation/index.ts';
import type { Outcome } from '../../src/core/world/index.ts';
import { describeWorld } from '../conformance/world.ts';
import { calm, six } from './six-pages.ts';

const politenessUs = 1_000_000;

/** Every option that changes what a World does, alone; then the presets, and everything at once. */
const configurations: [string, ExperimentInput['network']][] = [
  ['as it is by default', {}],
  ['tails', { latencyTailShare: 0.5, bandwidthTailShare: 0.5, pageBytesTailShare: 0.5 }],
  ['connections', { dnsMs: 30, connectMs: 50, keepAliveSeconds: 2 }],
  ['a fluid processor', { bandwidthModel: 'fluid', processorBandwidthBytesPerSecond: 5000 }],
  [
    'a fluid processor without limit',
    { bandwidthModel: 'fluid', processorBandwidthBytesPerSecond: 0, bandwidthBytesPerSecond: 0 },
  ],
  ['pages missing', { notFoundShare: 0.5 }],
  ['server errors', { serverErrorShare: 0.5, retryAfterShare: 0.5 }],
  ['time-outs', { timeoutShare: 0.5, timeoutMs: 300 }],
  ['connections refused', { refusedShare: 0.5 }],
  ['hosts that go down', { downShare: 0.5, downSeconds: 2 }],
  ['hosts that go slow', { slowShare: 0.5, slowSeconds: 2 }],
  ['robots that hang', { hangShare: 0.5, hangSeconds: 3 }],
  ['robots.txt', { robotsTxtShare: 0.7, crawlDelayShare: 0.7, crawlDelaySeconds: 4, deniedShare: 0.5 }],
  ...networkPresetNames.map((preset): [string, ExperimentInput['network']] => [`preset ${preset}`, { preset }]),
  ['preset hostile, rates fixed', { preset: 'hostile', bandwidthModel: 'fixed' }],
];

for (const [name, options] of configurations) {
  const { network } = parseExperiment({ network: options });
  describeWorld(`SimulatedWorld, ${name},`, () => (
    { world: new SimulatedWorld(new Network(six, network, 1), politenessUs), pages: [0, 1, 2, 3, 4, 5], politenessUs }
  ), Object.keys(options ?? {}).length === 0, name === 'robots.txt');
}

const worldOf = (options: Partial<NetworkOptions>): SimulatedWorld =>
  new SimulatedWorld(new Network(six, { ...calm, ...options }, 1), 0);

/** Starts all at once; the outcomes in their order. */
function fetchTogether(world: SimulatedWorld, pages: readonly number[]): Outcome[] {
  pages.forEach((page, sequence) => world.start({ page, sequence, attempt: 0 }));
  return pages.map(() => {
    const outcome = world.next(Infinity);
    if (outcome === undefined) throw new Error('an outcome is lacking');
    return outcome;
  });
}

describe('the time of a download', () => {
  test('is the latency and its bytes at the rate of its host', () => {
    expect(fetchTogether(worldOf({}), [1])[0].finishedAtUs).toBe(100_000 + 2000);
    expect(fetchTogether(worldOf({}), [5])[0].finishedAtUs).toBe(100_000);
  });

  test('at a fixed rate, has the share of the processor that it began with', () => {
    const ends = fetchTogether(worldOf({ processorBandwidthBytesPerSecond: 1e6 }), [0, 1, 2]).map(
      ({ finishedAtUs }) => finishedAtUs,
    );
    expect(ends).toEqual([100_000 + 1000, 100_000 + 2 * 2000, 100_000 + 3 * 3000]);
  });

  test('on a fluid link, has what the others leave: 1000, 2000 and 3000 bytes end when 3, 5 and 6 thousand have come', () => {
    const ends = fetchTogether(worldOf({ processorBandwidthBytesPerSecond: 1e6, bandwidthModel: 'fluid' }), [2, 0, 1]);
    expect(ends.map(({ page, finishedAtUs }) => [page, finishedAtUs])).toEqual([
      [0, 103_000], [1, 105_000], [2, 106_000],
    ]);
  });

  test('on a fluid link, changes with a download that begins later', () => {
    const world = worldOf({ processorBandwidthBytesPerSecond: 1e6, bandwidthModel: 'fluid', latencyMs: 0 });
    world.start({ page: 2, sequence: 0, attempt: 0 });
    expect(world.next(1000)).toBeUndefined();
    world.start({ page: 0, sequence: 1, attempt: 0 });
    // 1000 bytes alone, then each at half the rate until the second is whole.
    expect(world.next(Infinity)).toMatchObject({ page: 0, finishedAtUs: 3000 });
    expect(world.next(Infinity)).toMatchObject({ page: 2, finishedAtUs: 4000 });
  });

  test('0 means no limit, and zero latency ends in the instant in which it began, by sequence', () => {
    for (const bandwidthModel of ['fixed', 'fluid'] as const) {
      const world = worldOf({ latencyMs: 0, bandwidthBytesPerSecond: 0, bandwidthModel });
      expect(fetchTogether(world, [2, 0, 1]).map(({ page }) => page)).toEqual([2, 0, 1]);
      expect(world.nowUs).toBe(0);
    }
  });

  test('is longer by name resolution once, and by a connection unless one is alive', () => {
    const world = worldOf({ dnsMs: 10, connectMs: 20, keepAliveSeconds: 1 });
    const took = (page: number, sequence: number): number => {
      world.start({ page, sequence, attempt: 0 });
      const outcome = world.next(Infinity);
      return (outcome?.finishedAtUs ?? NaN) - (outcome?.startedAtUs ?? NaN);
    };
    expect(took(0, 0)).toBe(10_000 + 20_000 + 100_000 + 1000);
    world.next(world.nowUs + 999_999);
    expect(took(3, 1)).toBe(100_000 + 4000);
    world.next(world.nowUs + 1_000_000);
    expect(took(0, 2)).toBe(20_000 + 100_000 + 1000);
  });

  test('is that of the time-out where the answer does not begin in time', () => {
    const [outcome] = fetchTogether(worldOf({ timeoutMs: 99 }), [1]);
    expect(outcome).toMatchObject({ kind: 'timeout', finishedAtUs: 99_000, bytes: 0 });
    expect(fetchTogether(worldOf({ timeoutMs: 100 }), [1])[0].kind).toBe('fetched');
  });
});

test('draws depend on seed and host alone; hosts differ', () => {
  const drawn = networkSchema.parse({});
  const ends = (seed: number): number[] =>
    [0, 1, 2].map(
      (page) => fetchTogether(new SimulatedWorld(new Network(six, drawn, seed), 0), [page])[0].finishedAtUs,
    );
  expect(ends(1)).toEqual(ends(1));
  expect(ends(1)).not.toEqual(ends(2));
  expect(new Set(ends(1)).size).toBe(3);
});

test('page sizes are drawn where the graph knows none', () => {
  const unsized = new Network({ ...six, bytes: undefined }, { ...calm, pageBytes: 15_000, pageBytesSigma: 1 }, 1);
  const sizes = [0, 1, 2, 3, 4, 5].map((page) => unsized.bytesOf(page));
  expect(new Set(sizes).size).toBe(6);
  for (const size of sizes) expect(Number.isInteger(size)).toBe(true);
});

describe('what hosts say', () => {
  const robots = { robotsTxtShare: 1, crawlDelayShare: 1, crawlDelaySeconds: 4, robotsTxtBytes: 500 };
  const network = new Network(six, { ...calm, ...robots }, 1);

  test('a robots.txt is fetched first, once, and its delay is asked for from then on; a World that restarts asks again', () => {
    const world = new SimulatedWorld(network, 0);
    expect(fetchTogether(world, [0])).toMatchObject([
      { kind: 'robotsFetched', bytes: 500, waitUs: 4e6, finishedAtUs: 100_500 },
    ]);
    world.next(world.nowUs + 4e6);
    expect(fetchTogether(world, [0])).toMatchObject([{ kind: 'fetched', bytes: 1000, waitUs: 4e6 }]);
    world.next(world.nowUs + 4e6 - 1);
    world.start({ page: 3, sequence: 1, attempt: 0 });
    expect(world.politenessBreaches).toBe(1);

    const restarted = new SimulatedWorld(network, 1000, world.nowUs + 50, world);
    restarted.next(world.nowUs + 1000);
    expect(fetchTogether(restarted, [0])).toMatchObject([{ kind: 'robotsFetched' }]);
    expect(restarted.politenessBreaches, 'the pause of before is forgotten, the delay is not').toBe(0);
  });

  test('a page denied costs no time', () => {
    const world = new SimulatedWorld(new Network(six, { ...calm, ...robots, deniedShare: 1 }, 1), 0);
    fetchTogether(world, [0]);
    world.next(world.nowUs + 4e6);
    const [denied] = fetchTogether(world, [0]);
    expect(denied).toMatchObject({ kind: 'robotsDenied', bytes: 0 });
    expect(denied.finishedAtUs).toBe(denied.startedAtUs);
  });
});

test('the log of visits has every request once, those that a crash broke off too', () => {
  for (const bandwidthModel of ['fixed', 'fluid'] as const) {
    const visits: Visit[] = [];
    const network = new Network(six, { ...calm, bandwidthModel }, 1);
    const world = new SimulatedWorld(network, 0);
    world.onVisit = (visit) => visits.push(visit);
    [0, 1, 2].forEach((page, sequence) => world.start({ page, sequence, attempt: 0 }));
    world.next(Infinity);
    world.next(101_500);
    new SimulatedWorld(network, 0, 200_000, world);
    expect(visits.map(({ page, host, startedAtUs, finishedAtUs }) => [page, host, startedAtUs, finishedAtUs])).toEqual([
      [0, 0, 0, 101_000], [2, 2, 0, 101_500], [1, 1, 0, 101_500],
    ].sort((a, b) => (bandwidthModel === 'fixed' ? 0 : a[3] - b[3] || a[0] - b[0])));
  }
});
