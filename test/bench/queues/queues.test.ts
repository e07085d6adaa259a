import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  benchQueues, countComparisons, countingContenders, crawlSource, figure8, hold, holdPart, holdPlan, holdSource,
  javascriptPeers, kernelContenders, ourContenders, queueBenchDefaults, queueParts, RecordingQueue, replay,
  stdPriorityQueue, stdVariants, syntheticGraph, type Contender, type Figure8Stream, type HoldBench,
  type HoldCase, type PriorityStream, type QueueBenchReport,
} from '../../../src/questions/bench/index.ts';
import { simulate } from '../../../src/core/engine/index.ts';
import { reach } from '../../../src/graphs/graph/index.ts';
import { createQueue, entryIndex, packEntry, queueKinds } from '../../../src/core/queue/index.ts';
import { namesBelow, newFolder, orbweaver, orbweaverProcess } from '../../cli/command.ts';
import { AnyArray, comparisonsSeen, Key } from '../../conformance/engine-counts.ts';
import { isFullSweep, partOf } from '../../sweep.ts';

// Goal: the benchmark of the queues measures what it says it does. Everything runs tiny; times are not looked at.

const plan = holdPlan({ entries: 500, block: 30, operations: 900, seed: 3 });
const batchesAll = plan.warmBatches + plan.batches;

const sorted = (batch: Float64Array): number[] => [...batch].sort((a, b) => b - a);
const tinyStreams = (): Promise<PriorityStream[]> => crawlSource(syntheticGraph(400, 1), 2, true).streams(16);

async function peers(): Promise<Contender[]> {
  return (await javascriptPeers()).present;
}

/** The dullest queue there is: an array, sorted before each batch. */
const dull: Contender = {
  name: 'sorted array',
  isOurs: false,
  make: () => {
    const held: number[] = [];
    return {
      insertMany: (entries, from, to) => held.push(...entries.subarray(from, to)),
      extractTop(k, into) {
        held.sort((a, b) => b - a);
        const batch = held.splice(0, k);
        into.set(batch);
        return batch.length;
      },
    };
  },
};

describe('the hold model', () => {
  test.each([...ourContenders, ...kernelContenders].map((contender) => [contender.name, contender] as const))(
    '%s: what went in comes out or is left, each once',
    (_, { make }) => {
      const queue = make({ block: 30, seed: 1, capacity: 500 }) as ReturnType<typeof createQueue>;
      const recorder = new RecordingQueue(queue);
      hold(recorder, plan);
      expect(recorder.size).toBe(500);
      const { steps, entries, extracted } = recorder.stream();
      expect(entries.length).toBe(500 + 30 * batchesAll);
      expect(extracted).toBe(30 * batchesAll);
      expect(steps.filter((step) => step < 0)).toEqual(new Int32Array(batchesAll).fill(-30));
      // Ids are given in order, so that any loss or repeat shows.
      expect([...entries].map(entryIndex)).toEqual([...entries.keys()]);
      const seen: number[] = [];
      const again = make({ block: 30, seed: 1, capacity: 500 });
      replay({ steps, entries, extracted }, again, (batch) => seen.push(...batch));
      const rest = new Float64Array(600);
      seen.push(...rest.subarray(0, again.extractTop(600, rest)));
      expect(sorted(Float64Array.from(seen))).toEqual(sorted(entries));
    },
  );

  test('all queues take out the same keys, those of other packages too', async () => {
    const { present, absent } = await javascriptPeers();
    expect([...present, ...absent].map(({ name }) => name)).toEqual([
      'flatqueue', 'flatqueue, fixed capacity', 'tinyqueue', 'heap-js', 'mnemonist heap',
    ]);
    const checksums = [dull, ...countingContenders, ...kernelContenders, ...present].map(
      ({ make }) => hold(make({ block: 30, seed: 1, capacity: 500 }), plan).checksum,
    );
    expect(new Set(checksums).size).toBe(1);
    // And other keys give another checksum.
    const other = holdPlan({ entries: 500, block: 30, operations: 900, seed: 4 });
    expect(hold(ourContenders[0].make({ block: 30, seed: 1, capacity: 500 }), other).checksum).not.toBe(checksums[0]);
  });

  test('a queue that returns a wrong key is found out', () => {
    const inner = createQueue({ kind: 'binary-heap', block: 30, seed: 1 });
    const right = hold(createQueue({ kind: 'binary-heap', block: 30, seed: 1 }), plan).checksum;
    const wrong = hold({
      insertMany: (entries, from, to) => inner.insertMany(entries, from, to),
      extractTop(k, into) {
        const taken = inner.extractTop(k, into);
        into[0] = packEntry(1 << 30, 0);
        return taken;
      },
    }, plan).checksum;
    expect(wrong).not.toBe(right);
  });

  test('keys do not run out where one batch is the whole queue', () => {
    const whole = holdPlan({ entries: 64, block: 64, operations: 64 * 200, seed: 1 });
    expect(() => hold(createQueue({ kind: 'cbt', block: 64, seed: 1 }), whole)).not.toThrow();
  });
});

describe('streams of crawls', () => {
  test('the queues, the peers and a sorted array give the same sets, batch by batch', async () => {
    const streams = await tinyStreams();
    expect(streams).toHaveLength(2);
    for (const stream of streams) {
      expect(stream.extracted).toBeGreaterThan(50);
      const sets = [dull, ...countingContenders, ...(await peers())].map(({ make }) => {
        const batches: number[][] = [];
        replay(stream, make({ block: 16, seed: 1, capacity: stream.entries.length }), (batch) =>
          batches.push(sorted(batch)),
        );
        return batches;
      });
      for (const one of sets) expect(one).toEqual(sets[0]);
    }
  });

  test('recording changes no crawl, and the record holds all that the crawl counted', async () => {
    const graph = syntheticGraph(400, 1);
    const settings = { processors: 2, superstepLimit: 16, pending: 16, superstepMs: 0 };
    const recorders: RecordingQueue[] = [];
    const makeQueue = (options: Parameters<typeof createQueue>[0], processor: number) =>
      (recorders[processor] = new RecordingQueue(createQueue(options)));
    const plain = await simulate(graph, settings);
    const watched = await simulate(graph, settings, { makeQueue });
    expect(watched.run.replayHash).toBe(plain.run.replayHash);
    const total = (column: 'inserted' | 'extracted'): number =>
      plain.events.rows.reduce((sum, row) => sum + row[column], 0);
    const streams = recorders.map((recorder) => recorder.stream());
    expect(streams.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(total('inserted'));
    expect(streams.reduce((sum, { extracted }) => sum + extracted, 0)).toBe(total('extracted'));
  });

  test('every page of the synthetic graph is reachable from its seed', () => {
    expect(reach(syntheticGraph(300, 5), [0]).count).toBe(300);
  });
});

// Goal: the figure's comparisons are comparisons made. Method: as test/queue/comparisons.test.ts: keys are objects, and
// the engine itself counts, since `a > b` calls valueOf of both.
describe('figure 8', () => {
  // A kernel's keys cannot be objects; its counts are held to its twin's in test/queue.
  const inTypeScript = countingContenders.filter(({ name }) => name !== 'quickheap' && name !== 'cbt');
  test.each(inTypeScript.map((contender) => [contender.name, contender] as const))(
    '%s: equals a count by the engine',
    async (_, contender) => {
      const [stream] = await tinyStreams();
      const seeds = [1, 2, 3];
      vi.stubGlobal('Float64Array', AnyArray);
      comparisonsSeen();
      for (const seed of seeds) {
        const entries = new AnyArray();
        for (const entry of stream.entries) entries.push(new Key(entry));
        const queue = contender.make({ block: 16, seed, capacity: 0 });
        let at = 0;
        for (const step of stream.steps) {
          if (step > 0) queue.insertMany(entries as unknown as Float64Array, at, (at += step));
          else queue.extractTop(-step, new AnyArray(-step) as unknown as Float64Array);
        }
      }
      vi.unstubAllGlobals();
      const seen = comparisonsSeen();
      const { insert, extract } = countComparisons(contender, 16, [stream]);
      expect(seen).toBeGreaterThan(0);
      expect(insert + extract).toBeCloseTo(seen / seeds.length, 6);
    },
  );

  test('the same again, sums over processors, and R no larger than the stream bears', async () => {
    const source = crawlSource(syntheticGraph(400, 1), 2, true);
    const figure = await figure8(source, [16, 64, 8192]);
    expect(figure).toEqual(await figure8(source, [16, 64, 8192]));
    expect(figure.rows.map(({ r }) => r)).toEqual([16, 64]);
    const [row] = figure.rows;
    const streams = await source.streams(16);
    expect(row.extracted).toBe(streams[0].extracted + streams[1].extracted);
    for (const contender of countingContenders) {
      const apart = streams.map((stream) => countComparisons(contender, 16, [stream]));
      expect(row.comparisons[contender.name].insert).toBeCloseTo(apart[0].insert + apart[1].insert, 6);
      expect(row.comparisons[contender.name].extract).toBeCloseTo(apart[0].extract + apart[1].extract, 6);
    }
  });

  test('a binary heap does not feel R under the hold model', async () => {
    const { rows } = await figure8(holdSource(2048, 2048, 1), [16, 256]);
    const [a, b] = rows.map(
      ({ comparisons }) => comparisons['binary-heap'].insert + comparisons['binary-heap'].extract,
    );
    expect(Math.abs(a / b - 1)).toBeLessThan(0.1);
  });
});

describe('the C++ peer', () => {
  const compiler = (['c++', 'g++', 'clang++'] as const).find((name) => spawnSync(name, ['--version']).status === 0);

  // Compiling takes seconds: the short sweep compiles it once, for the command below.
  test.skipIf(compiler === undefined || !isFullSweep)(
    `takes out the keys that ours do (skipped where there is no C++ compiler; here: ${compiler ?? 'none'})`,
    async () => {
      const std = await stdPriorityQueue();
      if ('reason' in std) throw new Error(std.reason);
      try {
        const { checksum } = hold(ourContenders[0].make({ block: 30, seed: 1, capacity: 500 }), plan);
        for (const variant of stdVariants) {
          const timed = await std.hold(variant, plan);
          expect(timed).toMatchObject({ checksum, comparisonsPerElement: null });
          const counted = await std.hold(variant, plan, true);
          expect(counted.checksum).toBe(checksum);
          // The bottom-up heap is what the libraries do: their counts must be near, though details may differ.
          const ours = hold(
            countingContenders[countingContenders.length - 1].make({ block: 30, seed: 1, capacity: 500 }), plan,
          );
          expect((counted.comparisonsPerElement ?? 0) / (ours.comparisonsPerElement ?? 1)).toBeCloseTo(1, 1);
          expect(counted.worstBatchComparisons).toBeGreaterThan(30);
        }
      } finally {
        await std.remove();
      }
    },
  );
});

// Goal: the command measures every part there is, reports what it could not, and what it prints, saves and shows is the
// same.
describe('orbweaver bench queues', () => {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true }));
  // The others have tests of their own beside this one.
  const parts = queueParts.filter(({ name }) => isFullSweep || ['hold', 'figure-8'].includes(name));
  const args = (
    'bench queues --entries 600 --block 50,700 --rounds 1 --graph star --synthetic-pages 300 --table-block 80 --paged-entries 2000 ' +
    `--json --out out --parts ${parts.map(({ name }) => name).join(',')}`
  ).split(' ');
  let report: QueueBenchReport;
  beforeAll(async () => {
    // In a process of its own: it collects garbage again and again, which costs as much as there is.
    const { code, stdout, stderr } = await orbweaverProcess(args, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    report = JSON.parse(stdout) as QueueBenchReport;
    // It compiles the C++ peer: on a busy machine that alone takes seconds.
  }, 120_000);
  const heldBench = (): HoldBench => report.parts['hold'].result as HoldBench;

  test(`${partOf(parts, queueParts)}: every part is measured, and the keys are those that others rely on`, () => {
    expect(Object.keys(report)).toEqual(['machine', 'load', 'rounds', 'seed', 'parts', 'absent', 'notes']);
    expect(Object.entries(report.parts).map(([name, { title }]) => ({ name, title }))).toEqual(
      parts.map(({ name, title }) => ({ name, title })),
    );
    expect(report.absent).toEqual([]);
  });

  test('what is shown fits: a cell a column, names of tables that serve as names of files, points that are numbers', () => {
    const shown = Object.values(report.parts).map((part) => part.shown);
    const tables = shown.flatMap((one) => one.tables);
    for (const { columns, rows, sections = 0 } of tables) {
      for (const row of rows) expect(row).toHaveLength(columns.length);
      expect(sections).toBeLessThan(columns.length);
    }
    expect(new Set(tables.map(({ name }) => name)).size).toBe(tables.length);
    for (const { name } of tables) expect(name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
    for (const { paragraphs, notes = [] } of shown) {
      expect(paragraphs.length).toBeGreaterThan(0);
      for (const text of [...paragraphs, ...notes]) expect(text).not.toMatch(/NaN|undefined|Infinity|\[object/);
    }
    const points = shown.flatMap(({ charts }) => charts.flatMap(({ series }) => series.flatMap((one) => one.points)));
    expect(points.length).toBeGreaterThan(0);
    for (const { x, y } of points) expect([typeof x, typeof y]).toEqual(['number', 'number']);
  });

  test('hold: every queue and peer, each against the first', () => {
    const { cases, absent, compiler, rustCompiler, skipped } = heldBench();
    const names = cases.map(({ queue }) => queue);
    const ours = [...kernelContenders, ...countingContenders];
    expect(names.slice(0, ours.length)).toEqual(ours.map(({ name }) => name));
    for (const row of cases) {
      expect(row).toMatchObject({ entries: 600, block: 50, unit: 'ns' });
      for (const value of [row.median, row.min, row.max, row.bytesPerEntry, row.worstBatchMs])
        expect(typeof value).toBe('number');
      expect(row.min <= row.median && row.median <= row.max).toBe(true);
    }
    for (const row of cases.slice(1)) {
      expect(row.versus).toBe(names[0]);
      expect(row.ratio?.median).toBeGreaterThanOrEqual(0);
    }
    const natives = (compiler === null ? 0 : stdVariants.length) + (rustCompiler === null ? 0 : 1);
    const packages = absent.filter(({ name }) => !['std::priority_queue', 'SimdQuickHeap'].includes(name)).length;
    expect(names.length + packages).toBe(ours.length + 5 + natives);
    // The command runs as built, and finds the sources of these peers in the checkout.
    for (const { reason } of absent) expect(reason).not.toContain('checkout');
    expect(skipped).toEqual(['Not measured: R = 700 with N = 600, since a batch is larger than the queue.']);
    expect(report.parts['hold'].shown.notes).toEqual(expect.arrayContaining([...skipped]));
  });

  test('hold: the C++ peer compares as our bottom-up heap does, nearly', () => {
    const { cases, compiler } = heldBench();
    const ours = cases.find(({ queue }) => queue === countingContenders[countingContenders.length - 1].name)!;
    const theirs = cases.filter(({ queue }) => queue.startsWith('std::priority_queue'));
    expect(theirs).toHaveLength(compiler === null ? 0 : stdVariants.length);
    for (const { comparisonsPerElement, worstBatchComparisons, block } of theirs) {
      expect((comparisonsPerElement ?? 0) / (ours.comparisonsPerElement ?? 1)).toBeCloseTo(1, 1);
      expect(worstBatchComparisons).toBeGreaterThan(block);
    }
  });

  test('hold: the QuickHeap kernels alone count moved keys, and more of them than leave', () => {
    const moving = heldBench().cases.filter(({ worstBatchMoved }) => worstBatchMoved !== null);
    expect(moving.map(({ queue }) => queue)).toEqual(
      expect.arrayContaining([kernelContenders[0].name, ourContenders[0].name]),
    );
    for (const { worstBatchMoved, block } of moving) expect(worstBatchMoved).toBeGreaterThanOrEqual(block);
  });

  test('figure 8: graphs first, then what is synthetic', () => {
    const streams = report.parts['figure-8'].result as Figure8Stream[];
    expect(streams.map(({ isSynthetic }) => isSynthetic)).toEqual([false, false, true, true]);
    expect(streams[2].rows[0].r).toBe(16);
    expect(Object.keys(streams[2].rows[0].comparisons)).toEqual(countingContenders.map(({ name }) => name));
  });

  test('--out holds the same, as JSON and CSV, and is replaced by the next run', async () => {
    expect(JSON.parse(readFileSync(join(folder, 'out', 'bench.json'), 'utf8'))).toEqual(report);
    const html = readFileSync(join(folder, 'out', 'report.html'), 'utf8');
    for (const { title } of parts) expect(html).toContain(JSON.stringify(title));
    const tables = Object.values(report.parts).flatMap(({ shown }) => shown.tables);
    expect(namesBelow(join(folder, 'out')).filter((name) => name.endsWith('.csv'))).toEqual(
      tables.map(({ name }) => `${name}.csv`).sort(),
    );
    for (const { name, columns, rows } of tables) {
      const lines = readFileSync(join(folder, 'out', `${name}.csv`), 'utf8').trimEnd().split('\n');
      expect(lines).toHaveLength(1 + rows.length);
      expect(lines[0].split(',')[0]).toBe(columns[0].name);
    }
    const again = 'bench queues --parts figure-8 --entries 100 --graph star --synthetic-pages 100 --out out'.split(' ');
    const { code, stderr, stdout } = await orbweaver(again, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Measuring figure-8: N = 100, /);
    expect(stdout).toContain(queueParts.find(({ name }) => name === 'figure-8')!.title);
    expect(namesBelow(join(folder, 'out')).filter((name) => name.endsWith('.csv'))).toEqual(['figure-8.csv']);
  });

  test('aborted, it returns what it has, and says what is missing', async () => {
    const byName = (name: string) => queueParts.find((part) => part.name === name)!;
    const controller = new AbortController();
    const tiny = {
      ...queueBenchDefaults, entries: [100], blocks: [10], syntheticPages: 100, rounds: 1, graphs: [],
      signal: controller.signal,
    };
    // With no compiler on the path none is run.
    vi.stubEnv('PATH', '');
    const cut = await benchQueues({
      ...tiny,
      parts: [byName('figure-8'), byName('hold')],
      onProgress: (text) => {
        if (text.includes(`warming up, ${kernelContenders[1].name}`)) controller.abort();
      },
    });
    vi.unstubAllEnvs();
    expect(Object.keys(cut.parts)).toEqual(['figure-8', 'hold']);
    expect(cut.parts['figure-8'].result).toHaveLength(2);
    // Half a case has no medians.
    expect(cut.parts['hold'].result).toMatchObject({ cases: [] });
    const none = await benchQueues({ ...tiny, parts: [byName('figure-8')] });
    expect(none.parts).toEqual({});
    expect(none.absent).toEqual([{ name: 'figure-8', reason: 'interrupted before it began' }]);
  });

  test.each([
    ['--entries 1e5,x', '--entries 1e5,x: must be integers from 1 to 100000000, with commas between them'],
    [
      '--parts hodl',
      `--parts hodl: must be some of ${queueParts.map(({ name }) => name).join(', ')}, with commas between them; did you mean hold?`,
    ],
  ])('%s is refused in one line', async (flags, says) => {
    const { code, stderr } = await orbweaver(['bench', 'queues', ...flags.split(' ')], folder);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${says}\n` });
  });
});

test('aims stand beside what is reached, by the queues\' own names', () => {
  const made = (queue: string, median: number, rest: Partial<HoldCase> = {}): HoldCase => ({
    name: queue, queue, isOurs: true, entries: 1e7, block: 1000, operations: 1e7, median, min: median, max: median,
    unit: 'ns', worstBatchMs: 1, comparisonsPerElement: null, worstBatchComparisons: null, firstBatchComparisons: null,
    worstBatchMoved: null, bytesPerEntry: 8, ...rest,
  });
  const against = (queue: string, median: number): HoldCase =>
    made(queue, median, { versus: 'x', ratio: { median: 40 / median, min: 40 / median, max: 40 / median } });
  const { tables, paragraphs } = holdPart.show({
    compiler: null, rustCompiler: null,
    absent: [],
    skipped: [],
    cases: [
      made(kernelContenders[0].name, 40, { comparisonsPerElement: 18, worstBatchMoved: 4000 }),
      against(kernelContenders[1].name, 80), against('flatqueue', 1080), against('std::priority_queue f64+u32', 320),
    ],
  });
  expect(paragraphs.join(' ')).toContain('at N = 1e7, R = 1000: 27 x flatqueue, 8.0 x std::priority_queue f64+u32.');
  const aims = tables.find(({ name }) => name === 'aims')!.rows.map((row) => row.slice(2));
  expect(aims).toContainEqual([kernelContenders[0].name, 'moved keys of a batch / R', 'at most', 6, 4]);
  expect(aims).toContainEqual([kernelContenders[0].name, 'speed, x flatqueue', 'at least', 20, 27]);
  expect(aims).toContainEqual([kernelContenders[1].name, 'speed, x std::priority_queue f64+u32', 'at least', 3, 4]);
  expect(aims).toContainEqual([kernelContenders[0].name, 'speed, x std::priority_queue u64', 'at least', 4, null]);
});

test('kinds measured are the kinds there are', () => {
  expect(ourContenders.map(({ name }) => name)).toEqual([...queueKinds]);
});
