import { packEntry } from '../../../core/queue/index.ts';
import { DrawStream } from '../../../base/index.ts';

/**
 * What a queue is to do next: put these in, or take so many out. The array is used again: read it before the next step.
 */
export type Step = Float64Array | number;

/** An order of keys that queues dislike. Conformance tests may play it too. */
export interface Adversary {
  readonly name: string;
  /**
   * `entries` in [1, 2^29] go in, and all of them come out again, so that what a queue puts off is paid for; at most
   * `block` at a time. The same arguments give the same steps.
   */
  readonly steps: (entries: number, block: number, seed: number) => Generator<Step, void, undefined>;
}

interface Script {
  /** Entry number i of all that are put in. */
  readonly entryOf: (i: number) => number;
  /** Entries that go in (positive) or out (negative) in turn, until all have gone in. What is left then comes out. */
  readonly moves: Iterable<number>;
}

export const adversaries: readonly Adversary[] = [
  // Each key is a new maximum: a quickheap without a bound on its pivots keeps one for every extraction. The
  // literature's heaps give the least first: there it is "two below the minimum".
  adversary('two above the top, one out', (_, block) => ({
    entryOf: (i) => packEntry(i, i), moves: endless(2 * block, -block),
  })),
  adversary('the same, in no order', (_, block, draws) => ({
    entryOf: (i) => packEntry(i + Math.floor(4 * block * draws.uniform(i)), i), moves: endless(2 * block, -block),
  })),
  adversary('ascending', (entries) => ({ entryOf: (i) => packEntry(i, i), moves: [entries] })),
  adversary('descending', (entries) => ({ entryOf: (i) => packEntry(entries - i, i), moves: [entries] })),
  adversary('saw', saw),
  adversary('four keys', (entries, block, draws) => ({
    entryOf: (i) => packEntry(draws.uint32(i) & 3, i), moves: holding(entries, block),
  })),
  adversary('equal entries', (entries, block) => ({ entryOf: () => packEntry(1, 1), moves: holding(entries, block) })),
  adversary('heavy tail', (entries, block, draws) => ({
    entryOf: (i) => packEntry(Math.floor(Math.min(2 ** 30, 1 / draws.uniform(i) ** 2)), i),
    moves: holding(entries, block),
  })),
  // New keys fall anywhere among the keys of the queue, and above them.
  adversary('rising', (entries, block, draws) => ({
    entryOf: (i) => packEntry(i + Math.floor(entries * draws.uniform(i)), i), moves: holding(entries, block),
  })),
];

/**
 * Half of the keys lie low. The others come in teeth of 1 ... 100 blocks, each a little above the one before, and leave
 * at once.
 */
function saw(entries: number, block: number, draws: DrawStream): Script {
  const low = Math.ceil(entries / 2);
  function* moves(): Generator<number> {
    yield low;
    for (let tooth = 0; ; tooth++) {
      const size = block * (1 + (draws.uint32(tooth, 1) % 100));
      yield size;
      yield -size;
    }
  }
  return {
    entryOf: (i) =>
      packEntry(i < low ? draws.uint32(i) >>> 3 : 2 ** 29 + i + Math.floor(100 * block * draws.uniform(i)), i),
    moves: moves(),
  };
}

function* endless(...moves: readonly number[]): Generator<number> {
  for (;;) yield* moves;
}

/** Half of the entries go in at once; then a block out, a block in. */
function* holding(entries: number, block: number): Generator<number> {
  yield Math.ceil(entries / 2);
  yield* endless(-block, block);
}

function adversary(name: string, script: (entries: number, block: number, draws: DrawStream) => Script): Adversary {
  return {
    name,
    steps: function* (entries, block, seed) {
      const { entryOf, moves } = script(entries, block, new DrawStream(seed, name));
      const batch = new Float64Array(Math.min(block, entries));
      let inserted = 0;
      let queueSize = 0;
      const take = function* (count: number): Generator<number> {
        for (let rest = Math.min(count, queueSize); rest > 0; rest -= block) yield Math.min(rest, block);
        queueSize -= Math.min(count, queueSize);
      };
      for (const move of moves) {
        if (move < 0) yield* take(-move);
        for (let rest = Math.min(move, entries - inserted); rest > 0; rest -= block) {
          const size = Math.min(rest, block);
          for (let i = 0; i < size; i++) batch[i] = entryOf(inserted + i);
          inserted += size;
          queueSize += size;
          yield batch.subarray(0, size);
        }
        if (inserted === entries) break;
      }
      yield* take(queueSize);
    },
  };
}
