import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { packEntry, type PriorityQueue } from '../../src/core/queue/index.ts';
import { AssertionError, DrawStream } from '../../src/base/index.ts';
import { isFullSweep, replayCommand, sampled, tries } from '../sweep.ts';

/** The dullest correct queue: all entries, greatest first. */
class SortedList {
  entries: number[] = [];

  insertMany(batch: readonly number[]): void {
    this.entries = [...this.entries, ...batch].sort((a, b) => b - a);
  }

  extractTop(k: number): number[] {
    return this.entries.splice(0, k);
  }
}

type Step = { insert: readonly number[] } | { extract: number | 'size' | 'size + 5' };

const untouched = -1;

function sorted(entries: Float64Array | readonly number[]): number[] {
  return [...entries].sort((a, b) => b - a);
}

/** `toEqual`, which takes most of the suite's time, only where there is something to show. */
function expectSame(ours: Float64Array | readonly number[], theirs: Float64Array | readonly number[]): void {
  if (ours.length !== theirs.length || ours.some((entry, i) => entry !== theirs[i])) expect(ours).toEqual(theirs);
}

function insert(queue: PriorityQueue, batch: readonly number[]): void {
  // The batch lies inside a larger array, and the array is the caller's: unchanged by the call, free to change after
  // it.
  const entries = Float64Array.of(untouched, untouched, ...batch, untouched);
  const before = entries.slice();
  queue.insertMany(entries, 2, 2 + batch.length);
  expectSame(entries, before);
  entries.fill(untouched);
}

function extract(queue: PriorityQueue, k: number): number[] {
  const into = new Float64Array(Math.min(k, queue.size) + 3).fill(untouched);
  const count = queue.extractTop(k, into);
  expect([...into.subarray(count)].every((entry) => entry === untouched)).toBe(true);
  return sorted(into.subarray(0, count));
}

/** Plays one step on both, compares what leaves and what stays, and checks the structure. */
function playBoth(step: Step, queue: PriorityQueue, model: SortedList): void {
  if ('insert' in step) {
    insert(queue, step.insert);
    model.insertMany(step.insert);
  } else {
    const { size } = queue;
    const k = step.extract === 'size' ? size : step.extract === 'size + 5' ? size + 5 : step.extract;
    expectSame(extract(queue, k), model.extractTop(k));
  }
  expect(queue.size).toBe(model.entries.length);
  queue.checkInvariants();
}

/** Few keys and fewer pages, so that ties and exact duplicates are frequent. */
const smallEntries = fc.tuple(fc.nat(7), fc.nat(2)).map(([key, page]) => packEntry(key, page));

function scripts(block: number): fc.Arbitrary<Step[]> {
  const batch = fc.array(smallEntries, { maxLength: 3 * block + 4 });
  const k = fc.constantFrom<number | 'size' | 'size + 5'>(
    0, 1, block - 1, block, block + 1, 2 * block + 1, 'size', 'size + 5',
  );
  return fc.array(
    fc.oneof(
      { weight: 3, arbitrary: batch.map((entries) => ({ insert: entries })) },
      { weight: 2, arbitrary: k.map((extracted) => ({ extract: extracted })) },
    ),
    { maxLength: 30 },
  );
}

/** Entry number `i` of a long run; `top` is the greatest entry that left last. */
type Pattern = (i: number, draws: DrawStream, top: number) => number;

const patterns: Record<string, Pattern> = {
  random: (i, draws) => packEntry(draws.uint32(i) >>> 2, i),
  'random of few keys': (i, draws) => packEntry(draws.uint32(i) & 15, i & 3),
  sorted: (i) => packEntry(i, 0),
  reversed: (i) => packEntry(1_000_000 - i, 0),
  'all equal': () => packEntry(5, 5),
  'heavy-tailed': (i, draws) => packEntry(Math.min(2 ** 30, Math.floor(1 / draws.uniform(i) ** 2)), i & 7),
  'always above the last top': (i, _draws, top) => top * (1 + 2 ** -20) + i * Number.MIN_VALUE,
  'always below the last top': (i, _draws, top) => top * (1 - 2 ** -20) + i * Number.MIN_VALUE,
  'sawtooth': (i) => packEntry(i % 97, 0),
};

/** The seed of this run. */
export const runSeed = Number(process.env['ORBWEAVER_SEED'] ?? 20080729);

/** fc.assert with the run's seed, `numRuns` times in the full sweep; a failure names the command that repeats it. */
export function assertProperty<T extends unknown[]>(property: fc.IProperty<T>, numRuns: number): void {
  fc.assert(property, {
    seed: runSeed,
    numRuns: tries(numRuns),
    reporter: (run) => {
      if (run.failed)
        throw new Error(`replay: ${replayCommand(run.seed, 'test/queue')}\n${fc.defaultReportMessage(run) ?? ''}`);
    },
  });
}

/** A queue that the suite is run on. */
export interface Candidate {
  readonly name: string;
  /** The batch size around which the numbers extracted are chosen: of a CBT its R. */
  readonly block: number;
  /** An empty queue. Made alike, queues fed alike must make the same comparisons. */
  readonly make: () => PriorityQueue;
}

/** The suite every priority queue must pass: `queues.ts` lists them all. In the short sweep the queues share
 * out the long runs: one in sixteen, and as there are nine patterns, each meets every sixteenth queue. */
export function describeQueues(candidates: readonly Candidate[]): void {
  const longRuns = sampled(
    candidates.flatMap(({ name }) => Object.keys(patterns).map((pattern) => ({ name, pattern }))), 16,
  );
  for (const candidate of candidates) {
    describeQueue(candidate, longRuns.filter(({ name }) => name === candidate.name).map(({ pattern }) => pattern));
  }
}

function describeQueue({ name, block, make: makeOne }: Candidate, longRuns: readonly string[]): void {
  describe(name, () => {
    const made: PriorityQueue[] = [];
    const make = (): PriorityQueue => {
      const queue = makeOne();
      made.push(queue);
      return queue;
    };
    const disposeOfAll = (): void => {
      for (const queue of made.splice(0)) queue.dispose();
    };
    afterEach(disposeOfAll);

    test('random scripts: every batch agrees with a sorted list', () => {
      assertProperty(
        fc.property(scripts(block), (script) => {
          const queue = make();
          const model = new SortedList();
          for (const step of script) playBoth(step, queue, model);
          playBoth({ extract: 'size + 5' }, queue, model);
          expect(queue.size).toBe(0);
          disposeOfAll();
        }),
        40,
      );
    });

    test.each(longRuns)('long run, keys %s', (pattern) => {
      const entryAt = patterns[pattern];
      // Grows past several capacities, then holds while the positions pass the capacity many times, then drains.
      const draws = new DrawStream(runSeed, pattern);
      const queue = make();
      const model = new SortedList();
      let made = 0;
      let top = packEntry(1 << 20, 0);
      const batch = (length: number): Step => ({
        insert: Array.from({ length }, () => entryAt(made++, draws, top)),
      });
      try {
        for (let round = 0; round < 40; round++) {
          playBoth(batch(round < 10 ? 45 : 30), queue, model);
          top = model.entries[0];
          const k = round < 10 ? round : [1, block - 1, block, block + 1, 30, 97][draws.uint32(round, 1) % 6];
          playBoth({ extract: k }, queue, model);
        }
        while (queue.size > 0) playBoth({ extract: block + 2 }, queue, model);
      } catch (error) {
        throw new Error(`replay: ${replayCommand(runSeed, 'test/queue')}`, { cause: error });
      }
      expect(model.entries).toEqual([]);
      playBoth(batch(3), queue, model);
      playBoth({ extract: 'size' }, queue, model);
    });

    test('two above the top in, one out: the adversary of a QuickHeap', () => {
      const queue = make();
      const model = new SortedList();
      for (let round = 0; round < (isFullSweep ? 100 : 40); round++) {
        playBoth({ insert: [packEntry(2 * round + 1, 0), packEntry(2 * round + 2, 0)] }, queue, model);
        playBoth({ extract: 1 }, queue, model);
      }
      while (queue.size > 0) playBoth({ extract: block }, queue, model);
    });

    test('two queues fed alike make the same comparisons', () => {
      const [one, other] = [make(), make()].map((queue) => {
        const draws = new DrawStream(7, 'alike');
        for (let round = 0; round < 20; round++) {
          insert(queue, Array.from({ length: 50 }, (_, i) => draws.uniform(50 * round + i)));
          extract(queue, 20);
        }
        return { ...queue.comparisons, ...queue.structure };
      });
      expect(one).toEqual(other);
      expect(one.extract).toBeGreaterThan(0);
    });

    test('nothing in, nothing out', () => {
      const queue = make();
      insert(queue, []);
      expect(extract(queue, 0)).toEqual([]);
      expect(extract(queue, 9)).toEqual([]);
      insert(queue, [3, 1, 2]);
      expect(extract(queue, 0)).toEqual([]);
      expect(queue.size).toBe(3);
      queue.checkInvariants();
      expect(queue.comparisons.extract).toBe(0);
    });

    test('wrong arguments are refused and change nothing', () => {
      const queue = make();
      const entries = Float64Array.of(3, 1, 2);
      queue.insertMany(entries, 0, 3);
      for (const [from, to] of [[-1, 2], [2, 1], [0, 4], [0.5, 2], [0, NaN]]) {
        expect(() => queue.insertMany(entries, from, to), `insertMany [${from}, ${to})`).toThrow(AssertionError);
      }
      for (const k of [-1, 1.5, NaN, Infinity]) {
        expect(() => queue.extractTop(k, entries), `extractTop(${k})`).toThrow(AssertionError);
      }
      expect(() => queue.extractTop(3, new Float64Array(2))).toThrow(AssertionError);
      expect(() => queue.extractTop(9, new Float64Array(2))).toThrow(AssertionError);
      expect(extract(queue, 9)).toEqual([3, 2, 1]);
    });

    test('disposed of, and once more; another queue goes on', () => {
      const [gone, other] = [make(), make()];
      for (const queue of [gone, other]) insert(queue, Array.from({ length: 100 }, (_, i) => i));
      extract(gone, 10);
      gone.dispose();
      gone.dispose();
      expect(extract(other, 3)).toEqual([99, 98, 97]);
      const next = make();
      insert(next, [1, 2]);
      expect(extract(next, 2)).toEqual([2, 1]);
      other.checkInvariants();
    });
  });
}
