import { partition } from '../../../core/queue/index.ts';
import { DrawStream, xorshift32 } from '../../../base/index.ts';

/** Below this length a sample costs more than it saves. */
const sampledLength = 100;

/**
 * Moves the n greatest of keys[from ... to) to the front, the least of them to position from + n - 1; returns its
 * comparisons.
 */
export type Select = (keys: Float64Array, from: number, to: number, n: number) => number;

/**
 * Selection that costs much the same whatever the keys: each pivot has, in a sample of some length^(2/3) keys, the rank
 * that is wanted, and a little more, so that few keys are left on its side. A yardstick for what the luck of pivots
 * does to others.
 *
 * Cost    expected 1.5 length + O(length^(2/3) lg length) comparisons to find the middle one, on any input.
 * Source  Floyd & Rivest, "Expected Time Bounds for Selection", CACM 18(3), 1975.
 */
export function steadySelect(seed: number): Select {
  const random = Uint32Array.of(new DrawStream(seed, 'steady select').uint32(0) || 1);
  return function select(keys, from, to, n) {
    const target = from + n - 1;
    let comparisons = 0;
    while (to - from > 1) {
      const length = to - from;
      if (length >= sampledLength) {
        const rank = target - from + 1;
        const size = 0.5 * length ** (2 / 3);
        const margin =
          0.5 * Math.sqrt((Math.log(length) * size * (length - size)) / length) * Math.sign(rank - length / 2);
        const low = Math.max(from, Math.floor(target - (rank * size) / length + margin));
        const high = Math.min(to, Math.floor(target + ((length - rank) * size) / length + margin) + 1);
        for (let at = low; at < high; at++) swap(keys, at, from + below(random, length));
        comparisons += select(keys, low, high, target - low + 1);
      }
      const position = partition(keys, -1, from, to, target);
      comparisons += length - 1;
      if (position === target) break;
      if (position < target) from = position + 1;
      else to = position;
    }
    return comparisons;
  };
}

function swap(keys: Float64Array, place: number, other: number): void {
  const key = keys[place];
  keys[place] = keys[other];
  keys[other] = key;
}

/** An integer in [0, bound). */
function below(random: Uint32Array, bound: number): number {
  random[0] = xorshift32(random[0]);
  return Math.floor((random[0] / 2 ** 32) * bound);
}
