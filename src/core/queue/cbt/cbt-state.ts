import { assert } from '../../../base/index.ts';

/** A snapshot of a CBT over sorted blocks, for checks and tests. */
export interface CbtState {
  readonly blockSize: number;
  /** The item that wins at positions 1 ... 2N-1; cell 0 is not a position. */
  readonly winner: readonly number[];
  /** The item whose block has left, or -1. */
  readonly hole: number;
  /** The leaf's position and the block of each item in the tree. The hole has no block. */
  readonly leaf: ReadonlyMap<number, number>;
  readonly block: ReadonlyMap<number, Float64Array>;
  readonly rest: Float64Array;
  /** Whether the rest is not empty and has been sorted. */
  readonly restSorted: boolean;
}

function isDescending(run: Float64Array): boolean {
  return run.every((entry, at) => at === 0 || run[at - 1] >= entry);
}

/** Throws AssertionError unless the invariants of cbt-kernel.as.ts hold and the queue has `size` entries. */
export function assertCbt(state: CbtState, size: number): void {
  const { blockSize, winner, hole, leaf, block, rest } = state;
  const count = winner.length >>> 1;
  assert(rest.length < blockSize, () => `CBT: ${rest.length} entries in the rest, must be fewer than R = ${blockSize}`);
  assert(!state.restSorted || isDescending(rest), 'CBT: the rest is called sorted and is not');
  assert(
    size === block.size * blockSize + rest.length,
    () => `CBT: size ${size}, but ${block.size} blocks of ${blockSize} and ${rest.length} in the rest`,
  );
  assert(leaf.size === count, () => `CBT: ${count} leaves, but ${leaf.size} items on them`);
  assert(
    block.size === count - (hole === -1 ? 0 : 1),
    () => `CBT: ${count} leaves, hole ${hole}, but ${block.size} blocks`,
  );
  for (const [item, at] of leaf) assert(winner[at] === item, () => `CBT: item ${item} is not at its leaf ${at}`);
  for (const [item, run] of block) {
    assert(
      run.length === blockSize && isDescending(run),
      () => `CBT: block of item ${item} is not ${blockSize} entries, greatest first`,
    );
  }
  assert(hole === -1 || (count > 0 && winner[1] === hole), () => `CBT: the hole is item ${hole}, not the champion`);
  for (let at = 1; at < count; at++) {
    const won = winner[at];
    const [first, right] = [winner[2 * at], winner[2 * at + 1]];
    assert(won === first || won === right, () => `CBT: item ${won} wins at ${at} without having played`);
    if (won === hole) continue;
    const least = block.get(won)![blockSize - 1];
    const loser = won === first ? right : first;
    const greatest = block.get(loser)![0];
    assert(
      least >= greatest,
      () => `CBT: invariant I broken at ${at}: loser ${loser} has ${greatest}, winner ${won} only ${least}`,
    );
  }
}
