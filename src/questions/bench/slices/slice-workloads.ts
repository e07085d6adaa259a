import type { WebGraph } from '../../../graphs/graph/index.ts';
import { entryKey, keyLimit, packEntry, sliceOf, type PriorityQueue } from '../../../core/queue/index.ts';
import { DrawStream } from '../../../base/index.ts';
import { crawlSource } from '../paper/priority-streams.ts';

/** What has just been done to a queue; the first extraction after an insertion begins a round. */
export interface SliceStep {
  readonly operation: 'extract' | 'insert';
  /** Whether an extraction had R entries. Rounds that are not full are not counted. */
  readonly isFull: boolean;
}

/** Rounds of R out and R in, for a queue in slices. */
export interface SliceWorkload {
  readonly name: string;
  readonly isSynthetic: boolean;
  /** R. */
  readonly block: number;
  /** The size of the workload, in words. */
  readonly note: string;
  /** Does it to an empty queue of so many slices, a step a time; what comes before the first extraction fills it. */
  steps(queue: PriorityQueue, slices: number): Generator<SliceStep>;
}

/**
 * How new keys come to slices: each its R/T exactly, as the paper's experiment has it; or by the hash of a page drawn
 * at random.
 */
export const sharings = ['even', 'hash'] as const;

export interface HoldRounds {
  readonly entries: number;
  readonly block: number;
  /** That count; a fifth as many go before. */
  readonly rounds: number;
  readonly sharing: (typeof sharings)[number];
  readonly seed: number;
}

/** The hold model with uniform keys: N entries held, new keys drawn below the least that left. */
export function holdWorkload({ entries, block, rounds, sharing, seed }: HoldRounds): SliceWorkload {
  const all = rounds + Math.ceil(rounds / 5);
  const turns = Math.ceil((all * block) / entries);
  const unit = Math.floor(keyLimit / (4 * turns + 6));
  return {
    name: `hold model, ${sharing === 'even' ? 'even shares' : 'shares by hash'}`,
    isSynthetic: true,
    block,
    note: `N = ${entries}, R = ${block}, uniform keys, ${rounds} rounds`,
    *steps(queue, slices) {
      const draws = new DrawStream(seed, 'table 1');
      const batch = new Float64Array(block);
      const into = new Float64Array(block);
      let drawCount = 0;
      let next = 0;
      const shares = new Uint32Array(slices);
      const put = (count: number, highest: number, width: number): void => {
        shares.fill(0);
        for (let i = 0; i < count; i++, drawCount++) {
          const index = sharing === 'hash' ? draws.uint32(drawCount, 1) : nextOfOpenSlice(count);
          batch[i] = packEntry(highest - Math.floor(draws.uniform(drawCount, 1) * width), index);
        }
        queue.insertMany(batch, 0, count);
      };
      /** The next index whose slice has not had its share of `count` yet: slices take turns at the odd ones. */
      const nextOfOpenSlice = (count: number): number => {
        for (;;) {
          const index = next++;
          const slice = sliceOf(index, slices);
          if (shares[slice] === Math.floor(count / slices) + (slice < count % slices ? 1 : 0)) continue;
          shares[slice]++;
          return index;
        }
      };
      for (let size = 0; size < entries; size += block) put(Math.min(block, entries - size), keyLimit - 1, unit);
      yield { operation: 'insert', isFull: false };
      for (let round = 0; round < all; round++) {
        const extracted = queue.extractTop(block, into);
        yield { operation: 'extract', isFull: extracted === block };
        const least = into.subarray(0, extracted).reduce((a, other) => Math.min(a, other));
        put(block, entryKey(least), 2 * unit);
        yield { operation: 'insert', isFull: false };
      }
    },
  };
}

/** Fewer rounds say nothing about a mean of maxima. */
const fewestRounds = 12;
/** R below this would leave slices with blocks of a handful of keys. */
const smallestBlock = 64;

/**
 * The queue of an OPIC crawl by one processor, at the greatest of R, R/2, R/4, ... that gives `fewestRounds` full
 * rounds; or, where none does, a sentence that says so.
 */
export async function crawlWorkload(graph: WebGraph, most: number): Promise<SliceWorkload | string> {
  const source = crawlSource(graph, 1);
  for (let block = most; block >= smallestBlock || block === most; block = Math.floor(block / 2)) {
    if (graph.pages < fewestRounds * block) continue;
    const [stream] = await source.streams(block);
    const rounds = stream.steps.filter((step) => step === -block).length;
    if (rounds < fewestRounds) continue;
    return {
      name: `crawl of ${source.name}`,
      isSynthetic: source.isSynthetic,
      block,
      note:
        `R = ${block}, ${rounds} rounds in which R pages left, a sixth of them uncounted, ${stream.entries.length} insertions, ` +
        'extractions that top pending jobs up included' +
        (block === most ? '' : `; at R = ${most} there would be fewer than ${fewestRounds}`),
      *steps(queue) {
        const into = new Float64Array(block);
        let at = 0;
        for (const step of stream.steps) {
          if (step > 0) queue.insertMany(stream.entries, at, (at += step));
          else for (let rest = -step; rest > 0; rest -= queue.extractTop(Math.min(rest, block), into));
          yield { operation: step > 0 ? 'insert' : 'extract', isFull: step === -block };
        }
      },
    };
  }
  const least = Math.min(most, smallestBlock);
  return `The crawl of ${graph.name}, ${graph.pages} pages, is too short: it has no ${fewestRounds} rounds even at R = ${least}.`;
}
