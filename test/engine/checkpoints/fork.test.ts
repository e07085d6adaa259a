import { describe, expect, test } from 'vitest';
import { checkpointAfter, RunControl, simulate, type ExactCheckpoint } from '../../../src/core/engine/index.ts';
import { partitionHosts } from '../../../src/core/engine/setup/owners.ts';
import { taught } from '../../../src/core/engine/setup/taught.ts';
import { reach } from '../../../src/graphs/graph/index.ts';
import { policyNames, shippedPolicies } from '../../../src/core/policy/index.ts';
import { InputError } from '../../../src/base/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { isFullSweep, sampled } from '../../sweep.ts';
import { docsWebPrepared as prepared, docsWebRanks as ranks } from '../../docs-web.ts';

// Goal: a fork is the run that it began as up to its superstep, and from there a run under its own settings, whose
// policy knows what it would know if it had watched.

const scores = { file: 'ranks', values: ranks };
const usual: ExperimentInput = {
  processors: 4, superstepLimit: 48, superstepMs: 1000, politenessMs: 300, maxPages: 600,
};
const faults: ExperimentInput = {
  network: { serverErrorShare: 0.15, timeoutShare: 0.1, notFoundShare: 0.05, robotsTxtShare: 0.5 }, retries: 1,
};

async function checkpointOf(input: ExperimentInput, at: number): Promise<ExactCheckpoint> {
  let taken: ExactCheckpoint | undefined;
  await simulate(prepared, { ...usual, ...input }, {
    ranks, scores, checkpoints: { isDue: (superstep) => superstep === at, take: (one) => { taken = one; } },
  });
  return taken!;
}

function optionsOf(policy: string): ExperimentInput {
  return { policy, policyOptions: policy === 'weighted' ? { weights: { opic: 0.7, 'larger-sites-first': 0.3 } } : {} };
}

describe('a policy that is shown what happened', () => {
  test.each(sampled(policyNames, 8).flatMap((policy) => [[policy, {}], [policy, faults]] as const))(
    '%s knows what it knew when it ran, %o', async (policy, network) => {
      const from = await checkpointOf({ ...optionsOf(policy), ...network }, 5);
      const { settings } = from;
      const owners = partitionHosts(prepared, settings, reach(prepared, settings.seedPages).reachable);
      const again = taught(prepared.graph, settings, owners, from, {
        policies: shippedPolicies, ranks, scores: scores.values,
      });
      expect(again.mail).toEqual(from.mail);
      for (const [id, { frontier: { policy: state, outboxes, frontier: { states } } }] of again.processors.entries()) {
        const before = from.processors[id].frontier;
        expect(state).toEqual(before.policy);
        expect(outboxes).toEqual(before.outboxes);
        expect(states).toEqual(before.frontier.states);
      }
    });

  test('before anything has happened gives the run of that policy', async () => {
    const from = await checkpointOf({ policy: 'breadth-first' }, 0);
    for (const policy of sampled(policyNames, 4)) {
      const input = { ...usual, ...optionsOf(policy) };
      const fork = await simulate(prepared, input, { ranks, scores, from });
      expect(fork.run.replayHash).toBe((await simulate(prepared, input, { ranks, scores })).run.replayHash);
    }
  });

  test('learns with queues in files as with queues in memory', async () => {
    const from = await checkpointOf({ policy: 'breadth-first' }, 4);
    const [inMemory, inFiles] = await Promise.all([0, 2 ** 20].map((memoryBytes) =>
      simulate(prepared, { ...usual, policy: 'opic', queue: { memoryBytes } }, { ranks, from })));
    expect(inFiles.run.replayHash).toBe(inMemory.run.replayHash);
  });

  test('goes on from there in its own order', async () => {
    const from = await checkpointOf({ ...faults, policy: 'breadth-first' }, 6);
    const plain = await simulate(prepared, { ...usual, ...faults, policy: 'breadth-first' }, { ranks });
    const forks = await Promise.all(['opic', 'backlink-count', 'random'].map((policy) =>
      simulate(prepared, { ...usual, ...faults, policy }, { ranks, from })));
    const before = from.events.order.length;
    for (const { run, events } of forks) {
      expect([...events.order.subarray(0, before)]).toEqual([...plain.events.order.subarray(0, before)]);
      expect(run.replayHash).not.toBe(plain.run.replayHash);
      expect(run.summary.pagesFetched).toBe(600);
      expect(new Set(events.order).size).toBe(600);
    }
    // OPIC that watched the breadth-first start gathers more from there on.
    expect(forks[0].run.summary.quality.pagerankArea).toBeGreaterThan(plain.run.summary.quality.pagerankArea);
  });

  test.each([
    { politenessMs: 900 }, { superstepLimit: 12 }, { network: { latencyMs: 900 } }, { pending: 8 },
    { queue: { kind: 'cbt' } } as const, { superstepMs: 900 }, { maxPages: 500 },
  ] as ExperimentInput[])('other settings hold from there on: %o', async (changed) => {
    const from = await checkpointOf({}, 4);
    const fork = await simulate(prepared, { ...usual, ...changed }, { ranks, from });
    const plain = await simulate(prepared, usual, { ranks });
    const before = from.events.order.length;
    expect([...fork.events.order.subarray(0, before)]).toEqual([...plain.events.order.subarray(0, before)]);
    if (changed.queue === undefined) expect(fork.run.replayHash).not.toBe(plain.run.replayHash);
    else expect(fork.run.replayHash).toBe(plain.run.replayHash);
  });
});

describe('a replay up to a superstep', () => {
  test('of a run, of a fork, of a fork of a fork and of a steered one goes on to their hashes', async () => {
    const control = new RunControl();
    const steered = await simulate(prepared, usual, {
      ranks, control, sinks: [{ superstep: ({ superstep }) => { if (superstep === 2) control.setRobots(2); } }],
    });
    const changes = steered.run.changes ?? [];
    const first = { experiment: steered.run.experiment, untilSuperstep: 5 };
    const at5 = await checkpointAfter(prepared, [first], { ranks, changes });
    expect((await simulate(prepared, steered.run.experiment, { ranks, from: at5 })).run.replayHash)
      .toBe(steered.run.replayHash);
    const fork = await simulate(prepared, { ...steered.run.experiment, policy: 'breadth-first' }, { ranks, from: at5 });
    const second = { experiment: fork.run.experiment, untilSuperstep: 8 };
    const at8 = await checkpointAfter(prepared, [first, second], { ranks, changes });
    expect((await simulate(prepared, fork.run.experiment, { ranks, from: at8 })).run.replayHash)
      .toBe(fork.run.replayHash);
    const third = { ...fork.run.experiment, politenessMs: 50 };
    const forked = await simulate(prepared, third, { ranks, from: at8 });
    const legs = [first, second, { experiment: third, untilSuperstep: 9 }];
    const at9 = await checkpointAfter(prepared, legs, { ranks, changes });
    expect((await simulate(prepared, third, { ranks, from: at9 })).run.replayHash).toBe(forked.run.replayHash);
  });

  test('that there is not is refused', async () => {
    const legs = [{ experiment: usual, untilSuperstep: 10_000 }];
    const refused = checkpointAfter(prepared, legs, { ranks });
    await expect(refused).rejects.toThrow(InputError);
    await expect(refused).rejects.toThrow(/superstep 10000: the run has supersteps 0 to \d+$/);
    if (isFullSweep) await expect(checkpointAfter(prepared, [], { ranks })).rejects.toThrow('needs the settings');
  });
});
