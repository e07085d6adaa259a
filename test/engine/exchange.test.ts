import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exchanges, type ExperimentInput } from '../../src/core/settings/index.ts';
import { simulate } from '../../src/core/engine/index.ts';
import type { RunResult } from '../../src/core/measure/index.ts';
import { isFullSweep } from '../sweep.ts';
import { crawlCases } from './random-crawls.ts';

// Every crawl here runs with its invariants, conservation of cash among them.

const settings = fc.record({
  policy: fc.constantFrom('opic', 'breadth-first'),
  processors: fc.integer({ min: 1, max: 5 }),
  superstepLimit: fc.integer({ min: 1, max: 20 }),
  exchangeBatch: fc.integer({ min: 1, max: 6 }),
  barrierUs: fc.constantFrom(1, 1000),
  seed: fc.nat(1000),
});
const cases = crawlCases({ pages: [1, 60], hosts: [1, 8], seedPages: [1, 3] });

/** Each try is three crawls. */
const few = (count: number): number => (isFullSweep ? count : Math.ceil(count / 4));

const each = (graph: Parameters<typeof simulate>[0], input: ExperimentInput): Promise<RunResult[]> =>
  Promise.all(exchanges.map((exchange) => simulate(graph, { ...input, exchange })));

describe('bulk, batch and page', () => {
  test('crawl in the same order at the same times where pairs and messages cost nothing', async () => {
    await fc.assert(fc.asyncProperty(cases, settings, async ({ graph, seedPages }, input) => {
      const [bulk, ...others] = await each(graph, { ...input, seedPages, pairUs: 0, messageUs: 0 });
      for (const { events } of others) {
        expect(events.order).toEqual(bulk.events.order);
        expect(events.times).toEqual(bulk.events.times);
      }
    }), { numRuns: few(40), seed: 1 });
  });

  test('and lose nothing of a message half filled when a processor crashes', async () => {
    let crashes = 0;
    const long = crawlCases({ pages: [60, 120], hosts: [4, 8], seedPages: [3, 6] });
    await fc.assert(fc.asyncProperty(long, settings, async ({ graph, seedPages }, input) => {
      // The barrier takes long enough for downloads to end in it: their messages wait in the outboxes when a
      // checkpoint is taken.
      const network = { crashSeconds: 10, restartSeconds: 1 };
      const crashing = {
        ...input, processors: 4, seedPages, pairUs: 0, messageUs: 0, superstepLimit: 2, checkpointSupersteps: 1,
        politenessMs: 0, network, barrierUs: 300_000,
      };
      const [bulk, ...others] = await each(graph, crashing);
      crashes += bulk.run.summary.crashes.length;
      const lost = bulk.events.failures.filter(({ kind }) => kind === 'lost').length;
      expect(bulk.run.summary.parallel).toMatchObject({
        overlap: lost / bulk.events.order.length, coverage: 1, quality: 1,
      });
      expect(bulk.run.summary).toMatchObject({ ended: 'frontier dry', pagesFetched: bulk.run.summary.reachablePages });
      for (const { events } of others) {
        expect(events.order).toEqual(bulk.events.order);
        expect(events.failures).toEqual(bulk.events.failures);
      }
    }), { numRuns: few(25), seed: 4 });
    expect(crashes).toBeGreaterThan(few(25) / 2.5);
  });

  test('send as many pairs and messages as their combining leaves: bulk least, page most pairs', async () => {
    await fc.assert(fc.asyncProperty(cases, settings, async ({ graph, seedPages }, input) => {
      const runs = await each(graph, { ...input, seedPages, pairUs: 0, messageUs: 0 });
      const [bulk, batch, page] = runs.map(({ run: { summary } }) => summary.communication);
      expect(bulk.crossLinksPerPage).toBe(page.crossLinksPerPage);
      // No page links twice to another, so nothing is combined by page; a pair sent once is sent once in
      // every mode.
      if (input.policy === 'opic') expect(page.pairsPerPage).toBe(page.crossLinksPerPage);
      else expect(page.pairsPerPage).toBe(bulk.pairsPerPage);
      expect(bulk.pairsPerPage).toBeLessThanOrEqual(batch.pairsPerPage!);
      expect(batch.pairsPerPage).toBeLessThanOrEqual(page.pairsPerPage!);
      expect(bulk.messages).toBeLessThanOrEqual(Math.min(batch.messages, page.messages));
      expect(bulk.messages).toBeLessThanOrEqual(
        bulk.messagesPerPage === 0 ? 0 : runs[0].run.summary.supersteps * input.processors * (input.processors - 1),
      );
    }), { numRuns: few(40), seed: 2 });
  });

  test('cost what their messages cost', async () => {
    await fc.assert(fc.asyncProperty(cases, settings, async ({ graph, seedPages }, input) => {
      for (const {
        run: { summary },
        events,
      } of await each(graph, { ...input, seedPages, messageUs: 1e5, maxPages: 20 })) {
        const rows = events.rows.reduce((sum, row) => sum + row.messagesSent, 0);
        expect(summary.communication.messages).toBe(rows);
        expect(events.rows.reduce((sum, row) => sum + row.messagesReceived, 0)).toBe(rows);
        expect(summary.virtualSeconds).toBeGreaterThanOrEqual(summary.bsp.messages / 10);
      }
    }), { numRuns: few(20), seed: 3 });
  });
});
