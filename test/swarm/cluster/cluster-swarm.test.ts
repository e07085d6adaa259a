import { describe, expect, test } from 'vitest';
import { isFullSweep } from '../../sweep.ts';
import { seeded, textOf } from '../hunt.ts';
import { whatFailed } from '../swarm.ts';
import { clusterCommand, tryCluster } from './cluster-swarm.ts';
import { clusterFaults } from './faults.ts';
import { faultKinds } from './supervised.ts';

// Goal: crawls on several nodes keep what src/cluster/README.md promises, whatever ends, stops or is lost. `npm run sim
// -- cluster --seeds 10000` tries more; `npm run sim -- cluster --faults` shows that what is wrong is found.

const seeds = Array.from({ length: isFullSweep ? 600 : 200 }, (_, i) => i + 1);

describe('the swarm of nodes', () => {
  test(`${seeds.length} seeds`, async () => {
    const counts: Record<string, number> = {};
    for (const seed of seeds) {
      const { kind, faults, repeats = 0 } = await tryCluster(seed).catch((error: unknown) => {
        throw new Error(`${clusterCommand(seed, {})}\n${whatFailed(error)}`, { cause: error });
      });
      for (const [name, count] of Object.entries({ [kind]: 1, repeats, ...faults }))
        counts[name] = (counts[name] ?? 0) + count;
    }
    // It would be easy to pass where nothing happens.
    expect(Object.keys(counts).sort()).toEqual([...faultKinds, 'live', 'repeats', 'simulation'].sort());
    for (const kind of faultKinds) expect(counts[kind], kind).toBeGreaterThan(seeds.length / 10);
    expect(counts['repeats']).toBeGreaterThan(seeds.length / 10);
  });

  test('a seed is the same case each time, event by event', async () => {
    for (const seed of [1, 2, 3, 4, 7, 8]) {
      const { story } = await tryCluster(seed);
      expect((await tryCluster(seed)).story).toEqual(story);
    }
  });

  test('every fault of the list can be put in its place', () => {
    expect(new Set(clusterFaults.map(({ name }) => name)).size).toBe(clusterFaults.length);
    for (const fault of clusterFaults) expect(seeded(textOf(fault), fault)).not.toBe(textOf(fault));
  });
});
