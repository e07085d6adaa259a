import { describe, expect, test } from 'vitest';
import {
  crawlSource, fallingSource, figure9, figure9Part, figure9Shares, peakOf, queueBenchDefaults, ranked, ratioOf,
  replayPaged, syntheticGraph, uniformSource, type Figure9Result, type PartContext, type PhaseCounts,
  type PriorityStream,
} from '../../../src/questions/bench/index.ts';
import { pagedQueueKinds } from '../../../src/core/queue/index.ts';
import { isFullSweep } from '../../sweep.ts';

// Goal: figure 9 counts what queues in secondary memory read and wrote on the streams it names. Everything runs tiny.

const graph = syntheticGraph(500, 1);
const context = (more: Partial<PartContext> = {}): PartContext => ({
  ...queueBenchDefaults, entries: [3000, 2000], graphs: [graph], syntheticPages: 400,
  signal: new AbortController().signal, report: () => Promise.resolve(), ...more,
});
const crawls = new Map<number, Promise<PriorityStream[]>>();
/** One crawl a block, whoever asks for it. */
async function crawl(block: number): Promise<PriorityStream> {
  if (!crawls.has(block)) crawls.set(block, crawlSource(graph, 1).streams(block));
  return (await crawls.get(block)!)[0];
}
const wholeOf = ({ steps }: PriorityStream) => [{ name: 'whole', from: 0, to: steps.length }];

describe('a stream through a paged queue', () => {
  test('ranks compare as the entries did', async () => {
    const stream = await crawl(8);
    const { entries, steps, extracted } = ranked(stream);
    expect({ steps, extracted }).toEqual({ steps: stream.steps, extracted: stream.extracted });
    expect([...entries].sort((a, b) => a - b)).toEqual([...entries.keys()].map((rank) => rank + 1));
    for (let i = 1; i < entries.length; i++)
      expect(entries[i] > entries[i - 1]).toBe(stream.entries[i] >= stream.entries[i - 1]);
  });

  test.each(pagedQueueKinds)(
    '%s: every batch is that of a sorted array, and the counts of stretches add up',
    async (kind) => {
      const stream = ranked(await crawl(4));
      const held: number[] = [];
      let checksum = 0;
      let at = 0;
      for (const step of stream.steps) {
        if (step > 0) {
          held.push(...stream.entries.subarray(at, (at += step)));
          held.sort((a, b) => b - a);
        } else {
          checksum = (Math.imul(checksum, 31) + held.splice(0, -step).reduce((sum, rank) => sum + rank, 0)) >>> 0;
        }
      }
      const middle = stream.steps.length >> 1;
      const end = stream.steps.length;
      const phases = [
        { name: 'whole', from: 0, to: end }, { name: 'one', from: 0, to: middle },
        { name: 'other', from: middle, to: end },
      ];
      const replay = replayPaged(stream, phases, { kind, block: 4, memoryBytes: 12 * 32 });
      expect(replay.checksum).toBe(checksum);
      const [whole, one, other] = replay.phases;
      for (const field of [
        'reads', 'writes', 'bytesRead', 'bytesWritten', 'inserted', 'extracted', 'neverStored',
      ] as const) {
        expect(whole[field], field).toBe(one[field] + other[field]);
      }
      expect(whole.worstBatch).toBe(Math.max(one.worstBatch, other.worstBatch));
      expect(whole).toMatchObject({ inserted: stream.entries.length, extracted: stream.extracted });
      // Every call moved one page, and what was stored was written.
      expect(whole.reads).toBeGreaterThan(0);
      expect(whole).toMatchObject({ bytesRead: 32 * whole.reads, bytesWritten: 32 * whole.writes });
      expect(whole.inserted - whole.neverStored).toBeLessThanOrEqual(whole.bytesWritten / 8);
      expect(whole.inserted - whole.neverStored).toBeGreaterThan(0);
    },
  );

  test.each(pagedQueueKinds)('%s: what fits in memory is neither read nor written', async (kind) => {
    const stream = ranked(await crawl(4));
    const [counts] = replayPaged(stream, wholeOf(stream), { kind, block: 4, memoryBytes: 64 * peakOf(stream) }).phases;
    expect(counts).toMatchObject({
      reads: 0, writes: 0, bytesRead: 0, bytesWritten: 0, worstBatch: 0, neverStored: stream.entries.length,
    });
  });
});

describe('figure 9', () => {
  test('the same again; R as far as the memory suffices', async () => {
    const source = { ...crawlSource(graph, 1), phases: (_: number, stream: PriorityStream) => wholeOf(stream) };
    const figure = await figure9(source, [2, 4, 32, 64]);
    expect(figure).toEqual(await figure9(source, [2, 4, 32, 64]));
    const [{ rows }] = figure.phases;
    expect(figure.tooSmall.at(-1)).toEqual({ r: 32, share: 0.3 });
    for (const { r, share, peak, memoryBytes, counts } of rows) {
      expect(peak).toBe(peakOf(await crawl(r)));
      expect(memoryBytes).toBe(Math.floor(8 * peak * share));
      expect(memoryBytes).toBeGreaterThanOrEqual(12 * 8 * r);
      expect(counts.cbt.writes).toBeGreaterThan(0);
      expect(counts.quickheap.writes).toBeGreaterThan(0);
    }
    expect(rows.map(({ share }) => share)).toEqual(expect.arrayContaining([...figure9Shares]));
    for (const { r, share } of figure.tooSmall)
      expect(Math.floor(8 * peakOf(await crawl(r)) * share)).toBeLessThan(12 * 8 * r);
  });

  const entries = isFullSweep ? 2 ** 14 : 2 ** 13;
  test.each([uniformSource(entries, 1), fallingSource(entries, 1)])(
    '$name: the QuickHeap needs less I/O than the CBT',
    async (source) => {
      const { phases } = await figure9(source, [32]);
      expect(phases.map(({ phase }) => phase)).toContain('steady state, after N/R rounds');
      for (const { rows } of phases) {
        const [row] = rows;
        expect(row.share).toBe(0.1);
        expect(ratioOf(row)).toBeLessThan(0.9);
        // R leave and R come in each round.
        expect(row.counts.cbt.inserted).toBe(row.counts.cbt.extracted);
        expect(row.counts.cbt.extracted).toBeGreaterThanOrEqual(entries / 2);
      }
    },
  );

  test('the part: every stream has its chart and its verdict, and what is synthetic says so', async () => {
    const result = await figure9Part.measure(context());
    const { paragraphs, tables, charts } = figure9Part.show(result);
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
    expect(result.streams.map(({ stream, isSynthetic }) => [stream, isSynthetic])).toEqual([
      [`${graph.name}, OPIC, 1 processor`, false],
      [`${graph.name}, OPIC, 8 processors`, false],
      ['synthetic-copying-400, OPIC, 1 processor', true],
      ['hold model, N = 2000, uniform keys', true],
      ['hold model, N = 2000, keys below those that left', true],
    ]);
    const phases = result.streams.flatMap(({ stream, isSynthetic, phases: ofStream }) =>
      ofStream.map((phase) => ({ stream, isSynthetic, ...phase })),
    );
    expect(phases.map(({ stream }) => stream)).toContain('hold model, N = 2000, uniform keys');
    for (const { stream, phase } of phases)
      expect(paragraphs.some((text) => text.replace(' (synthetic)', '').startsWith(`${stream}, ${phase}: `))).toBe(
        true,
      );
    expect(charts.map(({ isSynthetic }) => isSynthetic)).toEqual(phases.map(({ isSynthetic }) => isSynthetic));
    expect(tables[0].rows).toHaveLength(2 * phases.reduce((sum, { rows }) => sum + rows.length, 0));
    // A queue of some hundred entries has no memory for pages of 16.
    expect(paragraphs.at(-1)).toContain(
      'synthetic-copying-400, OPIC, 1 processor: from R = 16 at 10 % and R = 16 at 30 %; ',
    );
  });

  test('aborted, it returns what it has', async () => {
    const controller = new AbortController();
    controller.abort();
    const result = await figure9Part.measure(context({ signal: controller.signal }));
    expect(result).toEqual({ streams: [] });
    expect(figure9Part.show(result).tables[0].rows).toEqual([]);
  });

  test('the verdict follows the counts', () => {
    const counts = (operations: number): PhaseCounts => ({
      reads: operations / 2, writes: operations / 2, bytesRead: 64 * operations, bytesWritten: 64 * operations,
      inserted: 1000, extracted: 900, neverStored: 250, worstBatch: operations / 4,
    });
    const said = (quickheap: number): string => {
      const row = {
        r: 16, share: 0.1, peak: 20_000, memoryBytes: 16_000,
        counts: { cbt: counts(1000), quickheap: counts(quickheap) },
      };
      const result: Figure9Result = {
        streams: [{ stream: 'a crawl', isSynthetic: false, phases: [{ phase: 'whole', rows: [row] }], tooSmall: [] }],
      };
      return figure9Part.show(result).paragraphs.join('\n');
    };
    expect(said(800)).toMatch(/median 0\.80: near the paper's\.$/);
    // 200 operations write 12,800 bytes, 1600 entries, for 750 that were stored.
    expect(said(200)).toMatch(
      /median 0\.20: better than the paper's\. .*, 25 % of 1000 entries .* room for 2\.1, the CBT for 10\.7\. .* has 25 % of its/,
    );
    expect(said(1200)).toMatch(/in 0 of 1 cases; .* only where memory is 125 pages or less[^]*worse than the paper's/);
  });
});
