import { cpus } from 'node:os';

/** One side of a benchmark. It returns a number that depends on its work, so that no engine may skip it. */
export interface Side {
  readonly name: string;
  run(): number | Promise<number>;
}

export interface BenchCase {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** The side this one is compared with, and the ratio of times, round by round. */
  readonly versus?: string;
  readonly ratio?: { readonly median: number; readonly min: number; readonly max: number };
}

export interface BenchReport {
  readonly machine: string;
  readonly cases: readonly BenchCase[];
}

function spread(values: readonly number[]): { median: number; min: number; max: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}

/**
 * Runs the sides in turn, A B C A B C ..., after one round that is not counted, and compares the first with each other
 * round by round: machines drift, ratios of neighbours do not.
 */
export async function alternate(sides: readonly Side[], rounds: number): Promise<BenchReport> {
  const times = sides.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [i, side] of sides.entries()) {
      const before = performance.now();
      const result = await side.run();
      const ms = performance.now() - before;
      if (!Number.isFinite(result)) throw new Error(`${side.name} returned ${result}`);
      if (round >= 0) times[i].push(ms);
    }
  }
  const [first] = times;
  return {
    machine: `${cpus()[0]?.model ?? 'unknown processor'} x ${cpus().length}, Node ${process.version}`,
    cases: sides.map(({ name }, i) => ({
      name,
      ...spread(times[i]),
      unit: 'ms',
      ...(i === 0 ? {} : { versus: sides[0].name, ratio: spread(first.map((ms, round) => ms / times[i][round])) }),
    })),
  };
}

export function printReport({ machine, cases }: BenchReport): void {
  console.log(machine);
  const cell = (value: number): string => value.toFixed(value < 10 ? 2 : 0).padStart(8);
  for (const { name, median, min, max, unit, versus, ratio } of cases) {
    console.log(`${name.padEnd(46)}${cell(median)} ${unit}   (${cell(min)} to${cell(max)})`);
    if (ratio !== undefined) console.log(`    ${versus} takes ${ratio.median.toFixed(2)} times as long (${ratio.min.toFixed(2)} to ${ratio.max.toFixed(2)})`);
  }
}
