import { describe, expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { RunControl, simulate, type ExactCheckpoint } from '../../../src/core/engine/index.ts';
import { policyNames } from '../../../src/core/policy/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import { HostCounter } from '../../events/host-counter.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { docsWebPrepared as graph, docsWebRanks as ranks } from '../../docs-web.ts';

// Goal: a simulation that goes on from an exact checkpoint, stored and read again, at any superstep, is the run that it
// was taken of, to its replay hash and its figures.

const scores = { file: 'ranks', values: ranks };
const usual: ExperimentInput = {
  processors: 4, superstepLimit: 48, politenessMs: 300, maxPages: isFullSweep ? 2500 : 1500,
};
const draws = new DrawStream(11, 'exact checkpoint test');

/** The run with checkpoints at some of its supersteps. */
async function checkpointed(input: ExperimentInput, wanted: number) {
  const plain = await simulate(graph, { ...usual, ...input }, { ranks, scores });
  const { supersteps } = plain.run.summary;
  const at = new Set(Array.from({ length: wanted }, (_, i) => draws.uint32(i, supersteps) % supersteps));
  const taken: ExactCheckpoint[] = [];
  const whole = await simulate(graph, { ...usual, ...input }, {
    ranks, scores, checkpoints: { isDue: (superstep) => at.has(superstep), take: (one) => { taken.push(one); } },
  });
  expect(whole.run.replayHash, 'checkpoints change nothing').toBe(plain.run.replayHash);
  expect(whole.events.rows).toEqual(plain.events.rows);
  expect(taken.map(({ superstep }) => superstep)).toEqual([...at].sort((a, b) => a - b));
  return { whole, taken, supersteps };
}

const cases: [string, ExperimentInput][] = [
  ['docs-web', {}],
  ['fluid bandwidth', { network: { bandwidthModel: 'fluid', processorBandwidthBytesPerSecond: 2e5 } }],
  ['a network of faults', {
    network: {
      serverErrorShare: 0.15, retryAfterShare: 0.5, timeoutShare: 0.1, notFoundShare: 0.05, robotsTxtShare: 0.5,
      keepAliveSeconds: 2, connectMs: 30, dnsMs: 20,
    },
    retries: 2,
  }],
  ['long barriers, messages page by page', { barrierUs: 300_000, exchange: 'page', messageUs: 100 }],
  ['approximate slices', { queue: { kind: 'cbt', slices: 4, slicing: 'approximate' } }],
  ['a queue in files', { queue: { kind: 'quickheap', memoryBytes: 2 ** 16 } }],
  ['a time limit', { maxSeconds: 150 }],
  // checkpoint.test.ts tries all of them always.
  ...sampled(policyNames, 5).map((policy): [string, ExperimentInput] => [`policy ${policy}`, {
    policy, policyOptions: policy === 'weighted' ? { weights: { opic: 0.7, 'larger-sites-first': 0.3 } } : {},
    maxPages: isFullSweep ? 1200 : 600,
  }]),
];

describe('going on from an exact checkpoint gives the original run', () => {
  test.each(cases)('%s', async (name, input) => {
    const { whole, taken } = await checkpointed(input, isFullSweep ? (name === 'docs-web' ? 20 : 8) : 1);
    for (const from of taken) {
      const counter = new HostCounter();
      const stored = structuredClone(from);
      const { run, events } = await simulate(
        graph, { ...usual, ...input }, { ranks, scores, from: stored, sinks: [counter] },
      );
      expect(run.replayHash, `from superstep ${from.superstep}`).toBe(whole.run.replayHash);
      // All columns, and so W too.
      expect(events.rows).toEqual(whole.events.rows);
      expect(run.summary.quality).toEqual(whole.run.summary.quality);
      expect(run.summary.robots).toEqual(whole.run.summary.robots);
      expect(events.failures).toEqual(whole.events.failures);
      // Sinks have heard of all of it.
      expect(counter.atBarriers).toHaveLength(run.summary.supersteps);
      expect(counter.total).toBeGreaterThanOrEqual(run.summary.pagesFetched);
    }
  });
});

test('a steered run goes on with what was changed before, and its changes are in its record', async () => {
  const control = new RunControl();
  let taken: ExactCheckpoint | undefined;
  const steered = await simulate(graph, usual, {
    ranks, control,
    sinks: [{ superstep: ({ superstep }) => { if (superstep === 3) control.setRobots(2); } }],
    checkpoints: { isDue: (superstep) => superstep === 8, take: (one) => { taken = one; } },
  });
  const again = await simulate(graph, usual, { ranks, from: taken });
  expect(again.run.replayHash).toBe(steered.run.replayHash);
  expect(again.run.changes).toEqual(steered.run.changes);
});

test('a fork under other robots is another run, and both begin alike', async () => {
  const { whole, taken: [from] } = await checkpointed({}, 1);
  const control = new RunControl();
  control.setRobots(1);
  const fork = await simulate(graph, usual, { ranks, from, control });
  expect(fork.run.replayHash).not.toBe(whole.run.replayHash);
  const before = from.events.order.length;
  expect([...fork.events.order.subarray(0, before)]).toEqual([...whole.events.order.subarray(0, before)]);
});

describe('refused', () => {
  test('where processors crash', async () => {
    const checkpoints = { isDue: () => true, take: () => undefined };
    const crashing = simulate(graph, { ...usual, network: { crashSeconds: 60 } }, { ranks, checkpoints });
    await expect(crashing).rejects.toThrow(InputError);
    await expect(crashing).rejects.toThrow('not of runs whose processors crash');
  });

  test('on another graph, or with other processors', async () => {
    const { taken: [from] } = await checkpointed({}, 1);
    await expect(simulate(graph, { ...usual, processors: 5 }, { ranks, from })).rejects.toThrow(
      'with processors 4, not 5',
    );
    const star = await openGraph('star');
    await expect(simulate(star, usual, { from })).rejects.toThrow('was taken on another graph');
  });
});
