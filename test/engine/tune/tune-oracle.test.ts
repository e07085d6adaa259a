import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  runTrial, tune, tuneContext, untimed, type SweepRow, type TrialOptions, type TuneResult,
} from '../../../src/core/engine/index.ts';
import { parseExperiment } from '../../../src/core/policy/index.ts';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { isFullSweep, tries } from '../../sweep.ts';
import { assertCrawls, bitsOf, crawlCases, depths, plainPageRank } from '../random-crawls.ts';
import { hostOwners, oracleCrawl, type OracleRow, type OracleSettings, type OracleSuperstep } from './tune-oracle.ts';
import { docsWeb } from '../../docs-web.ts';

// Goal: for P = 2 and 3 on 100 random graphs of 60 pages, the three errors of tuning equal an oracle that shares
// nothing with the product but the graph; and the R_x found is the one that the sweep implies, on however many threads.

const sixty = crawlCases({ pages: [60, 60], hosts: [2, 10], seedPages: [1, 6] });

/** True ranks, or scores with so few values that nearly every choice is a tie. */
const scoresOf = (graph: WebGraph, coarse: boolean): Float64Array => {
  const ranks = plainPageRank(graph);
  return coarse ? ranks.map((rank) => Math.ceil(100 * rank) / 128) : ranks;
};

interface ProductTrial extends SweepRow {
  /** W of each superstep, and its ideals W' and I. */
  readonly steps: readonly OracleSuperstep[];
}

async function productTrials(
  graph: WebGraph, settings: OracleSettings, limits: readonly number[],
): Promise<ProductTrial[]> {
  const { seedPages, processors, robots = 1, scores } = settings;
  const experiment = untimed(parseExperiment({ robots, seedPages: [...seedPages] }));
  const context = await tuneContext(graph, experiment, scores);
  return Promise.all(limits.map(async (r) => {
    const steps: OracleSuperstep[] = [];
    const onSuperstep: TrialOptions['onSuperstep'] = (fetched, instant, global) => {
      steps.push({ fetched: fetched.map((pages) => [...pages]), instant: [...instant], global: [...global] });
    };
    const row = await runTrial(context, { processors, r }, { onSuperstep });
    if (row === undefined) throw new Error('a trial that nothing interrupts has a result');
    return { ...row, steps };
  }));
}

async function productRows(graph: WebGraph, settings: OracleSettings, limits: readonly number[]): Promise<SweepRow[]> {
  return (await productTrials(graph, settings, limits)).map((trial) => ({ ...trial, steps: undefined }));
}

function expectSame(row: SweepRow, oracle: OracleRow, what: string): void {
  for (const name of ['stale', 'prefix', 'state', 'balance'] as const) {
    expect(
      Math.abs(row[name] - oracle[name]),
      `${name} of ${what}: ${row[name]}, and by the oracle ${oracle[name]}`,
    ).toBeLessThan(1e-12);
  }
  expect({ supersteps: row.supersteps, pairs: row.pairs }, what).toEqual({
    supersteps: oracle.supersteps, pairs: oracle.pairs,
  });
}

describe('the errors of a trial', () => {
  test.each([1, 4].flatMap((robots) => [2, 3].map((processors) => ({ robots, processors }))))(
    'equal the oracle, P = $processors, $robots robots',
    async ({ robots, processors }) => {
      const limits = robots === 1 ? [1, 2, 3, 5, 8, 64] : [2, 5, 64];
      const cases = fc.record({ at: sixty, coarse: fc.boolean() });
      const count = (robots === 1 ? 100 : 40) / (isFullSweep ? 1 : 2);
      await assertCrawls('tune-oracle.test.ts', cases, count, async ({ at: { graph, seedPages }, coarse }) => {
        const settings = { scores: scoresOf(graph, coarse), seedPages, processors, robots };
        const trials = await productTrials(graph, { ...settings, r: 1 }, limits);
        for (const [i, r] of limits.entries()) {
          const oracle = oracleCrawl(graph, { ...settings, r });
          expectSame(trials[i], oracle.row, `P = ${processors}, R = ${r}`);
          expect(trials[i].steps, `W, W' and I at P = ${processors}, R = ${r}`).toEqual(oracle.steps);
        }
      });
    },
  );

  test('alone and page by page there is none; robots matter only where scores tie', async () => {
    await assertCrawls('tune-oracle.test.ts', sixty, 30, async ({ graph, seedPages }) => {
      const scores = plainPageRank(graph);
      const base = { scores, seedPages, processors: 1, r: 1 };
      const reachable = depths(graph, seedPages);
      for (const robots of [1, 4]) {
        const [one, all] = await productRows(graph, { ...base, robots }, [1, 64]);
        expect(one).toMatchObject({ stale: 0, prefix: 0, state: 0, balance: 1, pairs: 0, supersteps: reachable.size });
        // Where a superstep takes the whole queue, it fetches what lies one link further.
        expect(all).toMatchObject({ balance: 1, pairs: 0, supersteps: Math.max(...reachable.values()) + 1 });
        expect(all.state).toBe(all.stale);
      }
      const distinct = scores.map((_, page) => (1 + ((page * 37) % 61)) / 64);
      expect(new Set(Array.from(distinct, bitsOf)).size).toBe(graph.pages);
      for (const processors of [1, 3]) {
        const settings = { ...base, scores: distinct, processors };
        const limits = [2, 5];
        const rows = await productRows(graph, settings, limits);
        // The area alone depends on the order within a superstep.
        const expected = rows.map((row) => ({ ...row, area: expect.any(Number) as number }));
        expect(await productRows(graph, { ...settings, robots: 4 }, limits)).toEqual(expected);
      }
    });
  });
});

/** R_x by the rule, from errors that the oracle computes: the last power of four before one fails, then bisection. */
function limitByRule(
  staleAt: (r: number) => number, most: number, epsilon: number,
): { answer: number | null; tried: number[] } {
  const tried: number[] = [];
  for (let r = 1; ; r *= 4) {
    tried.push(r);
    if (r >= most) break;
  }
  const failing = tried.find((r) => staleAt(r) > epsilon);
  if (failing === 1) return { answer: null, tried };
  if (failing === undefined) return { answer: tried[tried.length - 1], tried };
  let [good, bad] = [failing / 4, failing];
  while (bad > good + 1) {
    const middle = Math.floor((good + bad) / 2);
    tried.push(middle);
    if (staleAt(middle) > epsilon) bad = middle;
    else good = middle;
  }
  return { answer: good, tried: tried.sort((a, b) => a - b) };
}

function expectByRule(graph: WebGraph, settings: Omit<OracleSettings, 'processors' | 'r'>, result: TuneResult): void {
  const { processors, epsilon } = result;
  const ownerOf = hostOwners(graph, processors);
  const held = new Array<number>(processors).fill(0);
  for (const page of depths(graph, settings.seedPages).keys()) held[ownerOf(page)]++;
  const rowAt = (r: number): OracleRow => oracleCrawl(graph, { ...settings, processors, r }).row;
  const { answer, tried } = limitByRule((r) => rowAt(r).stale, Math.max(...held), epsilon);
  expect(result.superstepLimit).toBe(answer);
  expect(result.sweep.map(({ r }) => r)).toEqual(tried);
  for (const row of result.sweep) expectSame(row, rowAt(row.r), `P = ${processors}, R = ${row.r}`);
  if (answer === null) expect(result.reason).toMatch(/R = 1 is already above epsilon/);
  else expect(result).not.toHaveProperty('reason');
}

describe('the search', () => {
  test('finds what the sweep implies', async () => {
    const found = new Set<string>();
    const cases = fc.record({ at: sixty, coarse: fc.boolean(), epsilon: fc.constantFrom(0, 0.05, 0.1, 0.2, 0.4) });
    await assertCrawls('tune-oracle.test.ts', cases, 60, async ({ at: { graph, seedPages }, coarse, epsilon }) => {
      const scores = scoresOf(graph, coarse);
      const results = await tune(graph, { seedPages, robots: 1 }, [2, 3], { epsilon, threads: 1, ranks: scores });
      expect(results.map(({ processors }) => processors)).toEqual([2, 3]);
      for (const result of results) {
        expectByRule(graph, { scores, seedPages }, result);
        const top = result.sweep[result.sweep.length - 1].r;
        found.add(result.superstepLimit === null ? 'none' : result.superstepLimit === top ? 'all' : 'between');
      }
    });
    expect([...found].sort()).toEqual(['all', 'between', 'none']);
  });

  test('gives the same bytes on one thread and on two', async () => {
    for (const { graph, seedPages } of fc.sample(sixty, { numRuns: tries(2), seed: 3 })) {
      const [one, two] = await Promise.all(
        [1, 2].map((threads) => tune(graph, { seedPages }, [1, 2, 3], { epsilon: 0.1, threads })),
      );
      expect(JSON.stringify(two)).toBe(JSON.stringify(one));
    }
  });

  // `npm test` has the same search of small graphs, held against the oracle, above.
  test.runIf(isFullSweep)('finds about a hundred pages on docs-web with eight processors', async () => {
    const graph = docsWeb;
    const [{ superstepLimit, sweep }] = await tune(graph, {}, [8], { threads: 2, ranks: plainPageRank(graph) });
    expect(superstepLimit).toBeGreaterThanOrEqual(64);
    expect(superstepLimit).toBeLessThanOrEqual(128);
    expect(sweep.every(({ r, stale }) => r > superstepLimit! || stale <= 0.05)).toBe(true);
  });
});
