import { describe, expect, test } from 'vitest';
import { isFullSweep } from '../../sweep.ts';
import { seeded, textOf } from '../hunt.ts';
import { whatFailed } from '../swarm.ts';
import { clusterCommand, tryCluster, type ClusterTried } from './cluster-swarm.ts';
import { clusterFaults } from './faults.ts';
import { faultKinds } from './supervised.ts';

// Goal: crawls on several nodes keep what src/machines/cluster/README.md promises, whatever ends, stops or is lost.
// `npm run sim -- cluster --seeds 10000` tries more; `npm run sim -- cluster --faults` shows that what is wrong is
// found.

const seeds = Array.from({ length: isFullSweep ? 600 : 100 }, (_, i) => i + 1);

const results = new Map<number, Promise<ClusterTried>>();

/** What has become of a seed, which is run once. */
async function tried(seed: number): Promise<ClusterTried> {
  const result = results.get(seed) ?? tryCluster(seed).catch((error: unknown) => {
    throw new Error(`${clusterCommand(seed, {})}\n${whatFailed(error)}`, { cause: error });
  });
  results.set(seed, result);
  return result;
}

describe('the swarm of nodes', () => {
  // Each test has few: a busy machine has its time for them.
  test.each(Array.from({ length: seeds.length / 20 }, (_, i) => 20 * i + 1))('20 seeds from %d', async (first) => {
    for (let seed = first; seed < first + 20; seed++) await tried(seed);
  });

  test('it would be easy to pass where nothing happens', async () => {
    const counts: Record<string, number> = {};
    for (const seed of seeds) {
      const { kind, faults, repeats = 0 } = await tried(seed);
      for (const [name, count] of Object.entries({ [kind]: 1, repeats, ...faults }))
        counts[name] = (counts[name] ?? 0) + count;
    }
    expect(Object.keys(counts).sort()).toEqual([...faultKinds, 'end', 'live', 'repeats', 'simulation'].sort());
    for (const kind of faultKinds) expect(counts[kind], kind).toBeGreaterThan(seeds.length / 10);
    expect(counts['repeats']).toBeGreaterThan(seeds.length / 20);
  });

  test('a case that has failed: a node away for longer than its lease while the crawl ends', async () => {
    expect(await tryCluster(9557, { faults: 8, nodes: 3, pages: 9 })).toMatchObject({ kind: 'live', pages: 9 });
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
