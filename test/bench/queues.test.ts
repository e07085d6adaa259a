import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  benchQueues, countComparisons, countingContenders, crawlSource, figure8, hold, holdPlan, holdSource, javascriptPeers, kernelContenders, ourContenders, queueBenchDefaults,
  RecordingQueue, replay, stdPriorityQueue, stdVariants, syntheticGraph,
  type Contender, type PriorityStream, type QueueBenchReport,
} from '../../src/bench/index.ts';
import { openGraph } from '../../src/dataset/index.ts';
import { simulate } from '../../src/experiment/index.ts';
import { reach } from '../../src/graph/index.ts';
import { createQueue, entryIndex, packEntry, queueKinds } from '../../src/queue/index.ts';
import { newFolder, orbweaver } from '../cli/command.ts';

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
  test.each([...ourContenders, ...kernelContenders].map((contender) => [contender.name, contender] as const))('%s: what went in comes out or is left, each once', (_, { make }) => {
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
  });

  test('all queues take out the same keys, those of other packages too', async () => {
    const { present, absent } = await javascriptPeers();
    expect([...present, ...absent].map(({ name }) => name)).toEqual(['flatqueue', 'flatqueue, fixed capacity', 'tinyqueue', 'heap-js', 'mnemonist heap']);
    const checksums = [dull, ...countingContenders, ...present].map(({ make }) => hold(make({ block: 30, seed: 1, capacity: 500 }), plan).checksum);
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
        replay(stream, make({ block: 16, seed: 1, capacity: stream.entries.length }), (batch) => batches.push(sorted(batch)));
        return batches;
      });
      for (const one of sets) expect(one).toEqual(sets[0]);
    }
  });

  test('recording changes no crawl, and the record holds all that the crawl counted', async () => {
    const graph = syntheticGraph(400, 1);
    const settings = { processors: 2, superstepLimit: 16, pending: 16, superstepMs: 0 };
    const recorders: RecordingQueue[] = [];
    const queueOf = (options: Parameters<typeof createQueue>[0], processor: number) => (recorders[processor] = new RecordingQueue(createQueue(options)));
    const plain = await simulate(graph, settings);
    const watched = await simulate(graph, settings, { queueOf });
    expect(watched.run.replayHash).toBe(plain.run.replayHash);
    const total = (column: 'inserted' | 'extracted'): number => plain.events.rows.reduce((sum, row) => sum + row[column], 0);
    const streams = recorders.map((recorder) => recorder.stream());
    expect(streams.reduce((sum, { entries }) => sum + entries.length, 0)).toBe(total('inserted'));
    expect(streams.reduce((sum, { extracted }) => sum + extracted, 0)).toBe(total('extracted'));
  });

  test('every page of the synthetic graph is reachable from its seed', () => {
    expect(reach(syntheticGraph(300, 5), [0]).count).toBe(300);
  });
});

// Goal: the figure's comparisons are comparisons made. Method: as test/queue/comparisons.test.ts: keys are objects, and the engine
// itself counts, since `a > b` calls valueOf of both.
describe('figure 8', () => {
  let looks = 0;
  class Key {
    readonly #value: number;
    constructor(value: number) {
      this.#value = value;
    }
    valueOf(): number {
      looks++;
      return this.#value;
    }
  }
  class AnyArray extends Array<unknown> {
    set(source: ArrayLike<unknown>, offset = 0): void {
      for (let i = 0; i < source.length; i++) this[offset + i] = source[i];
    }
    subarray(from = 0, to = this.length): AnyArray {
      const part = new AnyArray();
      part.set(this.slice(from, to));
      return part;
    }
  }

  test.each(countingContenders.map((contender) => [contender.name, contender] as const))('%s: equals a count by the engine', async (_, contender) => {
    const [stream] = await tinyStreams();
    const seeds = [1, 2, 3];
    vi.stubGlobal('Float64Array', AnyArray);
    looks = 0;
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
    const { insert, extract } = countComparisons(contender, 16, [stream]);
    expect(looks).toBeGreaterThan(0);
    expect(insert + extract).toBeCloseTo(looks / 2 / seeds.length, 6);
  });

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
    const [a, b] = rows.map(({ comparisons }) => comparisons['binary-heap'].insert + comparisons['binary-heap'].extract);
    expect(Math.abs(a / b - 1)).toBeLessThan(0.1);
  });
});

describe('the C++ peer', () => {
  const compiler = (['c++', 'g++', 'clang++'] as const).find((name) => spawnSync(name, ['--version']).status === 0);

  test.skipIf(compiler === undefined)(`takes out the keys that ours do (skipped where there is no C++ compiler; here: ${compiler ?? 'none'})`, async () => {
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
        const ours = hold(countingContenders[countingContenders.length - 1].make({ block: 30, seed: 1, capacity: 500 }), plan);
        expect((counted.comparisonsPerElement ?? 0) / (ours.comparisonsPerElement ?? 1)).toBeCloseTo(1, 1);
        expect(counted.worstBatchComparisons).toBeGreaterThan(30);
      }
    } finally {
      await std.remove();
    }
  });
});

describe('orbweaver bench queues', () => {
  const folder = newFolder();
  afterAll(() => rmSync(folder, { recursive: true }));
  const args = 'bench queues --entries 600 --block 50,700 --rounds 2 --graph star --synthetic-pages 300 --table-block 80 --json --out out'.split(' ');
  let report: QueueBenchReport;
  beforeAll(async () => {
    const { code, stdout, stderr } = await orbweaver(args, folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    report = JSON.parse(stdout) as QueueBenchReport;
    // It compiles the C++ peer: on a busy machine that alone takes seconds.
  }, 120_000);

  test('--json: the keys that others rely on', () => {
    expect(Object.keys(report)).toEqual(['machine', 'load', 'rounds', 'seed', 'compiler', 'cases', 'figure8', 'absent', 'notes']);
    const names = report.cases.map(({ queue }) => queue);
    expect(names.slice(0, countingContenders.length)).toEqual(countingContenders.map(({ name }) => name));
    for (const row of report.cases) {
      expect(row).toMatchObject({ entries: 600, block: 50, unit: 'ns' });
      for (const value of [row.median, row.min, row.max, row.bytesPerEntry, row.worstBatchMs]) expect(typeof value).toBe('number');
      expect(row.min <= row.median && row.median <= row.max).toBe(true);
    }
    for (const row of report.cases.slice(1)) {
      expect(row.versus).toBe('quickheap');
      expect(row.ratio?.median).toBeGreaterThan(0);
    }
    const present = names.length + report.absent.filter(({ name }) => name !== 'std::priority_queue').length;
    expect(present).toBe(countingContenders.length + kernelContenders.length + 5 + (report.compiler === null ? 0 : stdVariants.length));
    expect(report.figure8.map(({ isSynthetic }) => isSynthetic)).toEqual([false, false, true, true]);
    expect(report.figure8[2].rows[0].r).toBe(16);
  });

  test('what could not be measured is said', () => {
    expect(report.notes[0]).toBe('Not measured: R = 700 with N = 600, since a batch is larger than the queue.');
  });

  test('--out holds the same, as JSON, CSV and a drawing', () => {
    expect(JSON.parse(readFileSync(join(folder, 'out', 'bench.json'), 'utf8'))).toEqual(report);
    const lines = (name: string): string[] => readFileSync(join(folder, 'out', name), 'utf8').trimEnd().split('\n');
    expect(lines('hold-model.csv')).toHaveLength(1 + report.cases.length);
    expect(lines('figure-8.csv')).toHaveLength(1 + countingContenders.length * report.figure8.reduce((sum, { rows }) => sum + rows.length, 0));
    expect(lines('figure-8.svg').join('\n')).toMatch(/^<svg[\s\S]*<\/svg>$/);
    expect(existsSync(join(folder, 'out', 'report.html'))).toBe(false);
  });

  test('aborted, it returns what it has', async () => {
    const controller = new AbortController();
    const { cases, figure8: figure } = await benchQueues({
      ...queueBenchDefaults, entries: [100], blocks: [10, 20], rounds: 1, graphs: [await openGraph('star')], figure8Entries: 100,
      syntheticPages: 50, signal: controller.signal, onProgress: (text) => { if (text.startsWith('hold')) controller.abort(); },
    });
    expect(cases.every(({ block }) => block === 10)).toBe(true);
    expect(cases.length).toBeGreaterThan(0);
    expect(figure).toEqual([]);
  });

  test.each([
    ['--entries 1e5,x', '--entries 1e5,x: must be integers from 1 to 100000000, with commas between them'],
    ['--block 0', '--block 0: must be integers from 1 to 10000000, with commas between them'],
    ['--rounds 0', '--rounds 0: must be at least 1'],
  ])('%s is refused in one line', async (flags, says) => {
    const { code, stderr } = await orbweaver(['bench', 'queues', ...flags.split(' ')], folder);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `${says}\n` });
  });
});

test('kinds measured are the kinds there are', () => {
  expect(ourContenders.map(({ name }) => name)).toEqual([...queueKinds]);
});
