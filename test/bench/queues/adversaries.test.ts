import { describe, expect, test } from 'vitest';
import {
  adversariesPart, adversaryBlocks, adversarySides,
} from '../../../src/questions/bench/adversaries/adversaries.ts';
import {
  coinRule, joinRule, type AdversariesResult, type AdversaryRow,
} from '../../../src/questions/bench/adversaries/adversaries-shown.ts';
import { adversaries } from '../../../src/questions/bench/adversaries/adversary-steps.ts';
import type { PartContext } from '../../../src/questions/bench/part.ts';
import { queueBenchDefaults } from '../../../src/questions/bench/queues.ts';
import { entryKey } from '../../../src/core/queue/index.ts';

function context(
  adversaryEntries: number, signal = new AbortController().signal, reported: string[] = [],
): PartContext {
  return {
    ...queueBenchDefaults, graphs: [], adversaryEntries, signal,
    report(text) {
      reported.push(text);
      return Promise.resolve();
    },
  };
}

describe('the adversaries', () => {
  test.each(
    adversaries.map(({ name, steps }) => [name, steps] as const),
  )('%s: all keys go in and come out, never more than are held', (_, steps) => {
    for (const [entries, block] of [[1, 1], [7, 16], [1000, 16], [997, 100]]) {
      let inserted = 0;
      let extracted = 0;
      for (const step of steps(entries, block, 3)) {
        if (typeof step === 'number') extracted += step;
        else inserted += step.length;
        const size = typeof step === 'number' ? step : step.length;
        expect(size >= 1 && size <= block && extracted <= inserted).toBe(true);
      }
      expect([inserted, extracted]).toEqual([entries, entries]);
    }
  });

  test('the same again for the same seed, others for another where keys are drawn', () => {
    const keys = (name: string, seed: number): number[] => {
      const found: number[] = [];
      const adversary = adversaries.find((one) => one.name === name)!;
      for (const step of adversary.steps(500, 10, seed))
        if (typeof step !== 'number') found.push(...[...step].map(entryKey));
      return found;
    };
    for (const { name } of adversaries) expect(keys(name, 1)).toEqual(keys(name, 1));
    expect(keys('heavy tail', 2)).not.toEqual(keys('heavy tail', 1));
    expect(keys('ascending', 2)).toEqual(Array.from({ length: 500 }, (_, i) => i));
    expect(new Set(keys('four keys', 1))).toEqual(new Set([0, 1, 2, 3]));
  });
});

describe('the part', () => {
  test('every queue, every adversary, every R; both rules keep their pivots few, and the sentences say which does better', async () => {
    const result = await adversariesPart.measure(context(6000));
    expect(result.rows).toHaveLength(adversaryBlocks.length * adversaries.length * adversarySides.length);
    for (const { queue, comparisonsPerElement, mostParts, unit, worstBatchMoved } of result.rows) {
      expect(comparisonsPerElement).toBeGreaterThan(0);
      expect(worstBatchMoved === null).toBe(!queue.startsWith('quickheap'));
      if (queue === joinRule || queue === coinRule) {
        expect(unit).toBe('pivots');
        expect(mostParts).toBeLessThanOrEqual(200);
      }
    }
    // Radix sort changes comparisons alone.
    const of = (name: string): object[] =>
      result.rows.flatMap(({ queue, mostParts, worstBatchMoved }) =>
        queue === name ? [{ mostParts, worstBatchMoved }] : [],
      );
    expect(of('quickheap, radix sort')).toEqual(of(joinRule));

    const { paragraphs, tables } = adversariesPart.show(JSON.parse(JSON.stringify(result)) as AdversariesResult);
    expect(paragraphs).toHaveLength(4);
    expect(tables[0].rows.every((row) => row.length === tables[0].columns.length)).toBe(true);
    expect(tables[0].rows).toHaveLength(result.rows.length);
  });

  test('the sentences follow the figures', () => {
    const row = (queue: string, comparisonsPerElement: number, worstBatchComparisons: number): AdversaryRow => ({
      adversary: 'saw', block: 1000, queue, comparisonsPerElement, worstBatchComparisons,
      mostParts: 9, unit: 'pivots', worstBatchMoved: null, nsPerElement: 1,
    });
    const says = (mean: number, worst: number): string =>
      adversariesPart
        .show({ entries: 1, rows: [row(joinRule, mean, worst), row(coinRule, 10, 10)] })
        .paragraphs.join(' ');
    expect(says(5, 6)).toContain('fewer comparisons in 1 of 1 cases, 0.50 times as many in the median');
    expect(says(5, 6)).toContain('the worst batch costs fewer in 1, 0.60 times as many in the median');
    expect(says(5, 5)).toContain('It is the better one on both accounts.');
    expect(says(20, 20)).toContain('The coin rule is the better one on both accounts.');
    expect(says(20, 5)).toContain('It buys the even load with comparisons.');
    expect(says(5, 20)).toContain('It saves comparisons, at the price of dearer batches.');
  });

  test('aborted, it returns what it has', async () => {
    const controller = new AbortController();
    const reported: string[] = [];
    const stopping = { ...context(100, controller.signal), report: (text: string) => {
      reported.push(text);
      if (reported.length === 3) controller.abort();
      return Promise.resolve();
    } };
    expect((await adversariesPart.measure(stopping)).rows).toHaveLength(3);
    expect(adversariesPart.show({ entries: 1, rows: [] }).paragraphs).toHaveLength(1);
  });
});
