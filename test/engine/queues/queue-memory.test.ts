import type { RunSink } from '../../../src/core/events/index.ts';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { simulate, type SimulateOptions } from '../../../src/core/engine/index.ts';
import type { ExperimentInput } from '../../../src/core/settings/index.ts';
import { emptyScratchFolder } from '../../../src/core/engine/setup/scratch-folder.ts';
import { untimed } from '../../../src/core/engine/tune/trial.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import { createQueue, leastQueueMemoryBytes } from '../../../src/core/queue/index.ts';
import { InputError, WorldError } from '../../../src/base/index.ts';
import { sampled } from '../../sweep.ts';
import { docsWeb as graph, docsWebPrepared } from '../../docs-web.ts';

// Goal: a crawl does not know that its queues are in files, the record shows that they were, and no file outlives the
// run.

const ranks = new Float64Array(graph.pages).fill(1 / graph.pages);

let scratch: string;
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'queue-memory-'));
  vi.stubEnv('TMPDIR', scratch);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
});

const run = (queue: ExperimentInput['queue'], options: SimulateOptions = {}) =>
  simulate(docsWebPrepared, { processors: 2, maxPages: 2000, superstepLimit: 64, pending: 256, queue }, {
    ranks, ...options,
  });

describe('queues in files', () => {
  test('one replay hash for both kinds, whole and in slices, in memory and in files; reads and writes only in files', async () => {
    const hashes = new Set<string>();
    const cases = (['quickheap', 'cbt'] as const).flatMap((kind) => [1, 4].map((slices) => ({ kind, slices })));
    for (const { kind, slices } of sampled(cases, 3)) {
      const comparisons = [];
      for (const memoryBytes of [0, 8192]) {
        const { run: { replayHash, summary }, events: { rows } } = await run({ kind, slices, memoryBytes });
        hashes.add(replayHash);
        comparisons.push(summary.bsp.comparisons);
        const name = `${kind} in ${slices}, ${memoryBytes} bytes`;
        const inFiles = memoryBytes > 0;
        expect(summary.queueIo.reads > 0, name).toBe(inFiles);
        expect(summary.queueIo.writes > 0, name).toBe(inFiles);
        expect(summary.queueStructureMost, name).toBeGreaterThan(0);
        // Both processors' queues had more entries than they had memory for, or nothing would be read.
        for (const processor of [0, 1]) {
          const reads = rows
            .filter((row) => row.processor === processor)
            .reduce((sum, row) => sum + row.queueReads, 0);
          expect(reads > 0, `${name}, processor ${processor}`).toBe(inFiles);
        }
        expect(readdirSync(scratch)).toEqual([]);
      }
      // Other structures, other comparisons: the files were no cache beside the kernels.
      expect(comparisons[0]).not.toBe(comparisons[1]);
    }
    hashes.add((await run({ kind: 'binary-heap' })).run.replayHash);
    expect([...hashes]).toHaveLength(1);
  });

  test('with memory enough nothing is read again', async () => {
    const { summary } = (await run({ kind: 'cbt', memoryBytes: 2 ** 22 })).run;
    expect(summary.queueIo.reads).toBe(0);
    // A header for each of the two files.
    expect(summary.queueIo.writes).toBe(2);
  });

  test('no file is left where the run is interrupted, or fails', async () => {
    const seen: number[] = [];
    const watch = (): void => void seen.push(readdirSync(scratch).length);
    const aborted = await run({ memoryBytes: 8192 }, { signal: AbortSignal.abort(), sinks: [{ superstep: watch }] });
    expect(aborted.run.summary.ended).toBe('interrupted');
    expect(seen).toEqual([1]);
    expect(readdirSync(scratch)).toEqual([]);

    const second: SimulateOptions['makeQueue'] = (options, processor) => {
      if (processor === 1) throw new WorldError('the second queue');
      return createQueue(options);
    };
    await expect(run({ memoryBytes: 8192 }, { makeQueue: second })).rejects.toThrow('the second queue');
    const late: RunSink = { superstepBegins: (superstep) => { if (superstep === 3) throw new Error('late'); } };
    await expect(run({ memoryBytes: 8192 }, { sinks: [late] })).rejects.toThrow('late');
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('a folder that cannot be made is the world\'s fault', async () => {
    vi.stubEnv('TMPDIR', join(scratch, 'none'));
    await expect(run({ memoryBytes: 8192 })).rejects.toThrow(WorldError);
    vi.stubEnv('TMPDIR', scratch);
    expect(() => { emptyScratchFolder('/dev/null/queues'); }).toThrow(WorldError);
  });

  test('R_x is tuned with queues in memory, whose blocks may be too large for the memory', () => {
    expect(untimed(parseExperiment({ queue: { kind: 'cbt', memoryBytes: 8192 } })).queue).toMatchObject({
      kind: 'cbt', memoryBytes: 0,
    });
  });
});

describe('the least memory', () => {
  test.each(sampled([
    ['cbt', 64, 1], ['cbt', 1, 1], ['cbt', 10, 4], ['quickheap', 64, 1], ['quickheap', 1, 3],
  ] as const, 2))('%s, R = %d, T = %d', async (kind, block, slices) => {
    const least = leastQueueMemoryBytes({ kind, block, slices });
    const { summary } = (await run({ kind, block, slices, memoryBytes: least })).run;
    expect(summary.pagesFetched).toBe(2000);
    await expect(run({ kind, block, slices, memoryBytes: least - 1 })).rejects.toThrow(InputError);
    await expect(run({ kind, block, slices, memoryBytes: least - 1 })).rejects.toThrow(`must be at least ${least},`);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('a binary heap is in memory or not at all', async () => {
    await expect(run({ kind: 'binary-heap', memoryBytes: 2 ** 20 })).rejects.toThrow(
      /memoryBytes: a binary-heap cannot be stored in files/,
    );
  });
});
