import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { verifyRun } from '../../src/core/measure/index.ts';
import { isFullSweep } from '../sweep.ts';
import { docsWeb as graph, docsWebPrepared, docsWebRanks as ranks } from '../docs-web.ts';

// Goal: every setting that the schema allows can be run. What a setting costs must follow what the crawl holds, not the
// setting.


const extremes: [string, ExperimentInput][] = [
  ['the largest superstep limit', { superstepLimit: 2 ** 31 }],
  ['the most pending jobs', { pending: 2 ** 31 }],
  ['the largest block of a CBT', { queue: { kind: 'cbt', block: 2 ** 22 } }],
  [
    'a CBT on each of very many processors',
    { processors: isFullSweep ? 4096 : 256, maxPages: 300, queue: { kind: 'cbt', block: 100_000 } },
  ],
  ['a CBT whose block no superstep fills', { superstepLimit: 2 ** 31, queue: { kind: 'cbt' } }],
  [
    'many slices of many processors',
    {
      processors: isFullSweep ? 4096 : 32, maxPages: 300, superstepLimit: 2 ** 31,
      queue: { kind: 'quickheap', slices: 64 },
    },
  ],
  ['the most robots', { robots: 65_536 }],
  [
    'a network in which nothing takes time',
    {
      politenessMs: 0, barrierUs: 1, pairUs: 0,
      network: { latencyMs: 0, bandwidthBytesPerSecond: 0, processorBandwidthBytesPerSecond: 0 },
    },
  ],
  ['supersteps of no length', { superstepMs: 0.0001, maxPages: 100 }],
  ['a run of no length', { maxSeconds: 1e-6 }],
  ['the largest seed', { seed: Number.MAX_SAFE_INTEGER }],
  ['a score that never grows enough', { reinsert: 1e9 }],
];

describe('extreme settings', () => {
  test.each(extremes)('%s', async (_, extreme) => {
    const input = { ...(isFullSweep ? {} : { maxPages: 1000 }), ...extreme };
    const { run, events } = await simulate(docsWebPrepared, input, { ranks });
    verifyRun(graph, run.experiment, events, run.summary.ended);
    expect(run.summary.pagesFetched).toBe(
      run.summary.ended === 'time limit' ? 0 : (input.maxPages ?? run.summary.reachablePages),
    );
  });
});
