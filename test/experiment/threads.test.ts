import fc from 'fast-check';
import { readdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openGraph } from '../../src/dataset/index.ts';
import { CrewThreads, policyNames, simulate, trueRanks, type ExperimentInput, type SimulateOptions } from '../../src/experiment/index.ts';
import { queueKinds } from '../../src/experiment/schema.ts';
import { buildGraph, hostsFromNames, type WebGraph } from '../../src/graph/index.ts';
import type { RunResult } from '../../src/measure/index.ts';
import { leastQueueMemoryBytes } from '../../src/queue/index.ts';
import { AssertionError, DrawStream, InputError, WorldError } from '../../src/std/index.ts';
import { drawCase } from '../swarm/case.ts';
import { assertCrawls, crawlCases } from './random-crawls.ts';

// Goal: P processors simulated on T threads are the crawl of one thread, to the last byte of the record; whatever goes wrong in a thread
// ends the run with one clear error and leaves nothing behind.

const teams = [2, 3, 8].map((threads) => new CrewThreads(threads));
afterAll(async () => { await Promise.all(teams.map((team) => team.close())); });

const draws = new DrawStream(20081030, 'threads test');
const [pages, hosts] = [120, 17];
const graph: WebGraph = buildGraph({
  name: 'web of 120', pages,
  sources: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 0) % pages),
  targets: Uint32Array.from({ length: 4 * pages }, (_, arc) => draws.uint32(arc, 1) % pages),
  hosts: hostsFromNames(Array.from({ length: pages }, (_, page) => `h${draws.uint32(page, 2) % hosts}.example.org`)),
});
const values = Float64Array.from({ length: pages }, (_, page) => draws.uint32(page, 3) % 9);
const given: SimulateOptions = { ranks: trueRanks(graph), scores: { file: 'scores', values } };

/** All that a run says, but for the memory that it took. */
function told({ run: { memory, ...run }, events, curves }: RunResult): unknown {
  return { pagesKnown: memory?.pagesKnown, run, events, curves };
}

async function sameOnThreads(on: WebGraph, input: ExperimentInput, options: SimulateOptions = {}): Promise<RunResult> {
  const alone = await simulate(on, input, options);
  for (const threads of teams) expect(told(await simulate(on, input, { ...options, threads })), `${threads.threads} threads`).toEqual(told(alone));
  return alone;
}

const base: ExperimentInput = { processors: 5, robots: 2, superstepLimit: 6, superstepMs: 3000, politenessMs: 500, seedPages: [0, 1, 2] };
const faulty: ExperimentInput['network'] = { serverErrorShare: 0.2, retryAfterShare: 0.5, slowShare: 0.1, notFoundShare: 0.05, timeoutShare: 0.1 };

describe('the crawl of one thread', () => {
  test.each(policyNames)('%s, with crashes and a faulty network', async (policy) => {
    const policyOptions = { rankEveryPages: 10, hostUrls: 2, resetHosts: 2, weights: { opic: 0.7, 'larger-sites-first': 0.3 } };
    const network = { ...faulty, crashSeconds: 40, restartSeconds: 2 };
    const { events } = await sameOnThreads(graph, { ...base, policy, policyOptions, checkpointSupersteps: 2, retries: 2, maxSeconds: 200, network }, given);
    expect(events.crashes.length).toBeGreaterThan(0);
    expect(events.order.length).toBeGreaterThan(20);
  });

  test.each(queueKinds)('%s, in slices', async (kind) => {
    await sameOnThreads(graph, { ...base, queue: { kind, block: 4, slices: 2 }, partition: 'lpt' }, given);
  });

  test.each(['bulk', 'batch', 'page'] as const)('exchange by %s, at a price, with limits', async (exchange) => {
    const price = { barrierUs: 100_000, pairUs: 10, messageUs: 1000 };
    const { run } = await sameOnThreads(graph, { ...base, ...price, exchange, exchangeBatch: 3, partition: 'jump', maxPages: 61 }, given);
    expect(run.summary).toMatchObject({ ended: 'page limit', pagesFetched: 61 });
  });

  test('random graphs, and more threads than processors', async () => {
    const cases = fc.record({ at: crawlCases({ pages: [1, 60], hosts: [1, 9], seedPages: [1, 4] }), processors: fc.integer({ min: 1, max: 6 }) });
    await assertCrawls('threads.test.ts', cases, 15, async ({ at, processors }) => {
      await sameOnThreads(at.graph, { ...base, processors, seedPages: at.seedPages });
    });
  });

  test('cases of the swarm', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { graph: drawn, input, ranks, scores } = drawCase(seed);
      const [alone, onTwo] = [await simulate(drawn, input, { ranks, scores }), await simulate(drawn, input, { ranks, scores, threads: teams[0] })];
      expect(onTwo.run.replayHash, `npm run sim -- --seed ${seed}`).toBe(alone.run.replayHash);
    }
  });

  test('docs-web on threads of its own', async () => {
    const web = await openGraph('docs-web');
    const ranks = trueRanks(web);
    const [alone, onTwo] = [await simulate(web, {}, { ranks }), await simulate(web, {}, { ranks, threads: 2 })];
    expect(onTwo.run).toEqual({ ...alone.run, memory: onTwo.run.memory });
    expect(onTwo.events).toEqual(alone.events);
  });
});

describe('files of queues', () => {
  test('are made anew after a crash, and none stays', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'threads-'));
    vi.stubEnv('TMPDIR', scratch);
    try {
      const memoryBytes = leastQueueMemoryBytes({ kind: 'cbt', block: 4, slices: 1 });
      const input: ExperimentInput = {
        ...base, queue: { kind: 'cbt', block: 4, memoryBytes }, checkpointSupersteps: 2, maxSeconds: 200, network: { crashSeconds: 8, restartSeconds: 1 },
      };
      const { events } = await sameOnThreads(graph, input, given);
      expect(events.crashes.length).toBeGreaterThan(1);
      expect(readdirSync(scratch)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
      rmSync(scratch, { recursive: true });
    }
  });
});

describe('a run ends early', () => {
  test('at the next barrier after a signal, on two threads where it does on one', async () => {
    const runs = await Promise.all([1, teams[0]].map(async (threads) => {
      const controller = new AbortController();
      const superstepsSeen: number[] = [];
      const result = await simulate(graph, base, {
        ...given, threads, signal: controller.signal,
        onProgress: ({ superstep }) => {
          superstepsSeen.push(superstep);
          if (superstep === 2) controller.abort();
        },
      });
      expect(superstepsSeen).toEqual([0, 1, 2]);
      return result;
    }));
    expect(runs[0].run.summary.ended).toBe('interrupted');
    expect(runs[1].run.replayHash).toBe(runs[0].run.replayHash);
  });

  test('where a thread ends, with a clear error', async () => {
    const team = new CrewThreads(2);
    const crash = simulate(graph, base, { ...given, threads: team, onProgress: ({ superstep }) => { if (superstep === 1) void team.close(); } });
    await expect(crash).rejects.toThrow(WorldError);
    await expect(crash).rejects.toThrow('simulation thread 2 has ended');
    await expect(simulate(graph, base, { ...given, threads: team })).rejects.toThrow('simulation thread 2 has ended');
  });

  test('what is thrown in a thread is thrown here, and the thread goes on', async () => {
    const crews = [[0], [1]];
    const task = { graph, experiment: (await simulate(graph, { ...base, processors: 2 }, given)).run.experiment, processorOfHost: new Uint32Array(hosts) };
    const [crew] = await teams[0].assemble(crews, { ...task, ranks: undefined, scores: undefined, folder: undefined });
    await expect(crew.settle({ barrierUs: -1, countsCash: false })).rejects.toThrow(AssertionError);
    await sameOnThreads(graph, base, given);
  });

  test.each([0, -1, 1.5, NaN, 257])('%d threads are refused', async (threads) => {
    await expect(simulate(graph, base, { ...given, threads })).rejects.toThrow(InputError);
  });
});
