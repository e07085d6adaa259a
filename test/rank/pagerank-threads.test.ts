import type { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import {
  pageRank, pageRankResidual, PageRankThreads, threadedPageRank, type PageRankSteps,
} from '../../src/graphs/rank/index.ts';
import { AssertionError, DrawStream, InputError } from '../../src/base/index.ts';
import { sampled, tries } from '../sweep.ts';
import { graphByRule, graphOf } from './graphs.ts';
import { docsWeb } from '../docs-web.ts';

// Goal: T threads keep the promise of one, give equal bits run after run, report what goes wrong in one, and leave none
// behind.

let open: PageRankThreads[] = [];
let started: Worker[] = [];
const note = (thread: Worker): void => void started.push(thread);

beforeAll(() => void process.on('worker', note));
afterAll(() => void process.off('worker', note));

function team(graph: WebGraph, threads: number, steps?: PageRankSteps): PageRankThreads {
  const created = new PageRankThreads(graph, threads, steps);
  open.push(created);
  return created;
}

afterEach(async () => {
  await Promise.all(open.map((threads) => threads.close()));
  // Node's number of a thread that has ended.
  expect(started.every(({ threadId }) => threadId === -1)).toBe(true);
  open = [];
  started = [];
});

/**
 * Several blocks of pages for each thread, dangling pages and self-loops, lists that resemble each other and some that
 * do not.
 */
function manyBlocks(): WebGraph {
  const draws = new DrawStream(7, 'blocks');
  return graphByRule('many blocks', 5000, (page) =>
    page % 11 === 0
      ? []
      : [
          ...Array.from({ length: 8 }, (_, i) => Math.floor(page / 500) * 500 + i),
          page,
          Math.floor(5000 * draws.uniform(page) ** 3),
        ],
  );
}

describe.each(sampled([2, 3], 2))('%i threads', (threads) => {
  test('keep the promise', async () => {
    const draws = new DrawStream(7, 'weights');
    const graphs = [manyBlocks(), graphOf('alone', 1, [[0, 0]])];
    for (const [i, graph] of graphs.entries()) {
      const solver = team(graph, threads, { deltaCoded: i % 2 === 0 });
      const weights = Float64Array.from({ length: graph.pages }, (_, page) => draws.uniform(page) ** 4);
      for (const damping of [0.85, 0.95]) {
        for (const tolerance of sampled([1e-11, 1e-4, 1], 3)) {
          for (const options of [{}, { preference: weights }, { start: weights }]) {
            const { ranks, l1ErrorBound } = await solver.solve({ damping, tolerance, ...options });
            expect(l1ErrorBound).toBeLessThanOrEqual(tolerance);
            const measured = pageRankResidual(graph, ranks, damping, options.preference);
            expect(measured).toBeLessThanOrEqual(l1ErrorBound + 2 ** -50 / (1 - damping));
          }
        }
      }
      await solver.close();
    }
  });

  test('give equal bits again and again, on threads that were there and on new ones', async () => {
    const graph = manyBlocks();
    const first = await threadedPageRank(graph, threads, { tolerance: 1e-8 });
    for (let run = 0; run < 2; run++) {
      const solver = team(graph, threads);
      for (let solve = 0; solve < tries(10); solve++) {
        // What was solved before must not matter.
        if (solve === 2) await solver.solve({ damping: 0.5, start: first.ranks });
        expect(await solver.solve({ tolerance: 1e-8 })).toEqual(first);
      }
    }
  });
});

test('one thread is the kernel of one thread, bit for bit', async () => {
  const graph = manyBlocks();
  const expected = pageRank(graph, { tolerance: 1e-11 });
  expect(await threadedPageRank(graph, 1, { tolerance: 1e-11 })).toEqual(expected);
  expect(await team(graph, 1).solve({ tolerance: 1e-11 })).toEqual(expected);
});

test('two threads take other steps than one, and sweeps are reported', async () => {
  const graph = docsWeb;
  const changes: number[] = [];
  const { ranks, iterations } = await threadedPageRank(graph, 2, {
    onSweep: (sweeps, change) => (changes[sweeps - 1] = change),
  });
  expect(changes).toHaveLength(iterations);
  expect(Math.max(...changes.slice(-3))).toBeLessThan(1e-6);
  expect(ranks).not.toEqual(pageRank(graph).ranks);
});

test('compensated steps end what sweeps do not', async () => {
  const star = graphByRule('star', 3000, (page) =>
    page === 0 ? Array.from({ length: 2999 }, (_, i) => i + 1) : [0, 1 + (page % 2999)],
  );
  const { ranks, l1ErrorBound } = await threadedPageRank(star, 2, { tolerance: 1e-14 });
  expect(l1ErrorBound).toBeLessThanOrEqual(1e-14);
  expect(pageRankResidual(star, ranks, 0.85)).toBeLessThanOrEqual(2e-14);
});

describe('what goes wrong', () => {
  const ring = graphByRule('ring', 300_000, (page) => [(page + 299_999) % 300_000]);

  test.each([0, 1])('the end of thread %i rejects the solve under way, and every later one', async (thread) => {
    const solver = team(ring, 2);
    await solver.started;
    const solve = expect(solver.solve({ damping: 0.999, tolerance: 1e-9 })).rejects.toThrow(
      `PageRank thread ${thread} has ended`,
    );
    await started[thread].terminate();
    await solve;
    await expect(solver.solve()).rejects.toThrow(`PageRank thread ${thread} has ended`);
  });

  test('a thread that ends before it has its lists rejects too', async () => {
    const solver = team(ring, 2);
    const solve = expect(solver.solve()).rejects.toThrow('PageRank thread 1 has ended');
    // Node reports new threads a little later.
    await new Promise(setImmediate);
    await started[1].terminate();
    await expect(solver.started).rejects.toThrow('PageRank thread 1 has ended');
    await solve;
  });

  test('close rejects the solve under way', async () => {
    const solver = team(ring, 2);
    await solver.started;
    const solve = solver.solve({ damping: 0.999 });
    await Promise.all([expect(solve).rejects.toThrow('PageRank threads: closed'), solver.close()]);
    await expect(solver.solve()).rejects.toThrow(AssertionError);
  });

  test('one solve at a time; options out of range are refused, and the next solve goes on', async () => {
    const solver = team(manyBlocks(), 2);
    const solve = solver.solve();
    await expect(solver.solve()).rejects.toThrow('the last solve has not ended');
    await solve;
    await expect(solver.solve({ damping: 1 })).rejects.toThrow(InputError);
    await expect(solver.solve({ start: new Float64Array(2) })).rejects.toThrow('start has 2 numbers');
    expect(await solver.solve()).toEqual(await solve);
  });

  test.each([0, 1.5, 257, NaN])('%d threads are refused', async (threads) => {
    await expect(threadedPageRank(manyBlocks(), threads)).rejects.toThrow(
      `threads is ${threads}: it must be an integer from 1 to 256`,
    );
  });
});
