import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import { partitionHosts, settleSeeds, simulate, tune } from '../../../src/core/engine/index.ts';
import { prepare } from '../../../src/graphs/graph/index.ts';
import { type ExperimentInput } from '../../../src/core/settings/index.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { isFullSweep, tries } from '../../sweep.ts';
import { docsWeb } from '../../docs-web.ts';

// Goal: runs on one prepared graph share what is computed from it, and are the runs that each would be by itself.

const graph = await openGraph('star');
const once = {
  checksum: 1, 'host graph': 1, 'dataset facts': 1, 'true PageRank': 1, reach: 1, partition: 1, 'best ranks': 1,
};

test('whatever runs differ in, each answer is computed once for the input it rests on', async () => {
  const prepared = prepare(graph);
  const run = async (input: ExperimentInput): Promise<Record<string, number>> => {
    const { run: shared, curves } = await simulate(prepared, input);
    const alone = await simulate(graph, input);
    expect({ ...shared, memory: undefined }).toEqual({ ...alone.run, memory: undefined });
    expect(curves).toEqual(alone.curves);
    return Object.fromEntries(prepared.computations);
  };
  expect(await run({})).toEqual(once);
  expect(await run({ policy: 'random', seed: 2, robots: 1, measures: 'all' })).toEqual(once);
  expect(await run({ processors: 3 })).toEqual({ ...once, partition: 2 });
  expect(await run({ processors: 3, seedPages: [1] })).toEqual({ ...once, partition: 3, reach: 2, 'best ranks': 2 });
});

test('tuning and the run it is for share the ranks', async () => {
  const prepared = prepare(graph);
  const [{ superstepLimit }] = await tune(prepared, {}, [8], { threads: 1 });
  const { run } = await simulate(prepared, { superstepLimit: 'auto' });
  expect(run.summary.superstepLimit).toBe(superstepLimit ?? run.summary.superstepLimit);
  expect(prepared.computations.get('true PageRank')).toBe(1);
  expect(prepared.computations.get('reach')).toBe(1);
});

test('a partition is never that of other settings or another reach', () => {
  const prepared = prepare(docsWeb);
  const settings = fc.record({
    partition: fc.constantFrom('host-hash', 'consistent', 'lpt'),
    partitionPoints: fc.constantFrom(1, 100),
    processors: fc.constantFrom(2, 3),
    seedPages: fc.constantFrom(0, 20_000).map((page) => [page]),
  });
  const length = isFullSweep ? 20 : 8;
  fc.assert(fc.property(fc.array(settings, { minLength: length, maxLength: length }), (runs) => {
    for (const run of runs) {
      const experiment = parseExperiment(run);
      const { reachable } = settleSeeds(prepared, experiment);
      const owners = partitionHosts(prepared, experiment, reachable);
      expect(owners).toEqual(partitionHosts(docsWeb, experiment, settleSeeds(docsWeb, experiment).reachable));
      expect(partitionHosts(prepared, { ...experiment }, reachable)).toBe(owners);
    }
  }), { seed: 1, numRuns: tries(20) });
});
