import { InputError } from '../../base/index.ts';

/** One of `of` equal shares of the runs of a study; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

const maxShards = 100_000;

/** The share that a text such as `2/8` names. @throws InputError */
export function shardOf(text: string): Shard {
  const [, index, of] = (/^([0-9]{1,6})\/([0-9]{1,6})$/.exec(text) ?? []).map(Number);
  if (!(index >= 1 && index <= of && of <= maxShards)) {
    throw new InputError(
      `must be a share and the number of shares, from 1/1 to ${maxShards}/${maxShards}: the second of eight is 2/8`,
    );
  }
  return { index, of };
}

/**
 * The runs of a share, ascending. Each run is in exactly one share, and shares differ by one run at most. In each round
 * of `of` runs a share has the next place, so that no share gets all runs with one value of the last axis.
 */
export function runsOf(count: number, { index, of }: Shard): number[] {
  const runs: number[] = [];
  for (let first = 0, round = 0; first < count; first += of, round++) {
    const run = first + ((index - 1 + round) % of);
    if (run < count) runs.push(run);
  }
  return runs;
}
