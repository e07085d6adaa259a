import { describe, expect, test } from 'vitest';
import { isFullSweep, sampled } from '../sweep.ts';
import { faults } from './faults.ts';
import { seeded, textOf } from './hunt.ts';
import { commandOf, tryCase, whatFailed } from './swarm.ts';

// Goal: small crawls of every kind hold every invariant of src/README.md, as seen from the network. `npm run sim --
// --seeds 2000` tries more; `npm run sim -- --faults` shows that what is wrong is found.

const seeds = sampled(Array.from({ length: isFullSweep ? 150 : 38 }, (_, i) => i + 1), 2);

describe('the swarm', () => {
  test(`${seeds.length} seeds`, async () => {
    const ends = new Set<string>();
    let crashes = 0;
    let failures = 0;
    for (const seed of seeds) {
      const tried = await tryCase(seed).catch((error: unknown) => {
        throw new Error(`${commandOf(seed, {})}\n${whatFailed(error)}`, { cause: error });
      });
      ends.add(tried.ended);
      crashes += tried.crashes;
      failures += tried.failures;
    }
    // It would be easy to pass where nothing happens.
    expect([...ends].sort()).toEqual(['frontier dry', 'no progress', 'page limit', 'time limit']);
    expect(crashes).toBeGreaterThan(seeds.length / 2);
    expect(failures).toBeGreaterThan(seeds.length);
  });

  test('a crawl that crashes take back to one checkpoint a hundred times is given up', async () => {
    expect(await tryCase(35)).toMatchObject({ ended: 'no progress', crashes: 100 });
  });

  test('a roll-back that leaves nothing but links to be sent does not end the crawl', async () => {
    expect(await tryCase(7200007447)).toMatchObject({ ended: 'frontier dry', pages: 10 });
  });

  test('what follows a restart of no time has a later time than what came before the crash', async () => {
    expect(await tryCase(7300003350)).toMatchObject({ ended: 'frontier dry', crashes: 24 });
  });

  test('a download of no length that begins and ends at a barrier has its place among those drained there', async () => {
    expect(await tryCase(8100002172)).toMatchObject({ ended: 'frontier dry', pages: 29 });
  });

  test('every fault of the list can be put in its place', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
    for (const fault of faults) expect(seeded(textOf(fault), fault)).not.toBe(textOf(fault));
  });
});
