import { xorshift32 } from '../../../base/index.ts';

/**
 * A bucket of the QuickHeap in secondary memory: the keys from `low` on, below the next greater bucket's `low`, in no
 * order, in a chain of pages. Every page but the tail has its number of keys and its successor in tables by page; the
 * tail's are here, so that an operation is undone by restoring the bucket alone.
 */
export interface Bucket {
  readonly low: number;
  size: number;
  pages: number;
  head: number;
  tail: number;
  tailKeys: number;
  /** Keys of the bucket drawn evenly, sample[0 ... sampled): pivots are chosen from them, without reading a page. */
  readonly sample: Float64Array;
  sampled: number;
  /** The operation that changed it last. */
  operation: number;
}

export function emptyBucket(low: number, sampleLength: number, operation: number): Bucket {
  return {
    low, size: 0, pages: 0, head: 0, tail: 0, tailKeys: 0, sample: new Float64Array(sampleLength), sampled: 0,
    operation,
  };
}

/** Draws of xorshift32 (Marsaglia, "Xorshift RNGs", 2003). Its state is a number, which can be stored. */
export class Coins {
  state: number;

  constructor(state: number) {
    this.state = state;
  }

  /** An integer in [0, bound), bound <= 2^53; every value below 2^32 has its chance, bias below bound / 2^32. */
  below(bound: number): number {
    this.state = xorshift32(this.state);
    return Math.floor((this.state / 2 ** 32) * bound);
  }
}

/**
 * Takes keys[from ... to) into account, which come to a bucket of `size` keys: each key ever seen is in the sample with
 * the same chance (Vitter's Algorithm R, "Random Sampling with a Reservoir", ACM TOMS 11(1), 1985).
 */
export function sampleKeys(bucket: Bucket, keys: Float64Array, from: number, to: number, coins: Coins): void {
  const { sample, size } = bucket;
  for (let at = from; at < to; at++) {
    if (bucket.sampled < sample.length) {
      sample[bucket.sampled++] = keys[at];
      continue;
    }
    const place = coins.below(size + at - from + 1);
    if (place < sample.length) sample[place] = keys[at];
  }
}

/** The sample of two buckets joined: each place is drawn from one of the two, in proportion to their keys. */
export function joinSamples(into: Bucket, first: Bucket, second: Bucket, coins: Coins): void {
  into.sampled = Math.min(into.sample.length, first.sampled + second.sampled);
  for (let place = 0; place < into.sampled; place++) {
    const { sample, sampled } = coins.below(first.size + second.size) < first.size ? first : second;
    into.sample[place] = sample[coins.below(sampled)];
  }
}

/**
 * The lower bounds, in descending order, of at most `parts` buckets (a few more where keys repeat) into which keys of
 * [low, high) are split, by quantiles of the sorted sample. The last is `low`. A key so frequent that it is more than
 * one quantile gets its own bucket.
 */
export function pivotsOf(sample: Float64Array, parts: number, low: number, high: number): number[] {
  const lows: number[] = [];
  let lowest = high;
  const add = (pivot: number): void => {
    if (pivot >= lowest || pivot <= low) return;
    lows.push(pivot);
    lowest = pivot;
  };
  for (let part = 1; part < parts; part++) {
    const pivot = sample[Math.floor((part * sample.length) / parts)];
    const next = sample[Math.min(sample.length - 1, Math.floor(((part + 1) * sample.length) / parts))];
    if (pivot === low || pivot === next) add(nextUp(pivot));
    add(pivot);
  }
  // If all quantiles are the least possible key, that key gets its own bucket.
  if (lows.length === 0) add(nextUp(low));
  lows.push(low);
  return lows;
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The least float64 greater than `key`, which is finite. */
export function nextUp(key: number): number {
  if (key === 0) return Number.MIN_VALUE;
  float[0] = key;
  bits[0] += key > 0 ? 1n : -1n;
  return float[0];
}
