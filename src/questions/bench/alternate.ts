import { cpus, loadavg } from 'node:os';

/** One side of a benchmark. It returns a number that depends on its work, so that no engine may skip it. */
export interface Side {
  readonly name: string;
  run(): number | Promise<number>;
  /**
   * Set where the side measures itself, because only part of its work counts: `run` then returns the figure, in this
   * unit.
   */
  readonly measuresIn?: string;
}

export interface BenchCase extends Spread {
  readonly name: string;
  readonly unit: string;
  /** The side this one is compared with, and the ratio of that side's figure to this one's, round by round. */
  readonly versus?: string;
  readonly ratio?: Spread;
}

export interface BenchReport {
  readonly machine: string;
  readonly cases: readonly BenchCase[];
}

export function machine(): string {
  return `${cpus()[0]?.model ?? 'unknown processor'} x ${cpus().length}, Node ${process.version}`;
}

/** Mean number of busy processes over the last minute, before and after: above the cores, times are worth little. */
export interface Load {
  readonly cores: number;
  readonly before: number;
  readonly after: number;
}

/** Reads the load, and returns a function that reads it again. */
export function watchedLoad(cores = cpus().length): () => Load {
  const [before] = loadavg();
  return () => ({ cores, before, after: loadavg()[0] });
}

export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

export function spread(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { median, min: sorted[0], max: sorted[sorted.length - 1] };
}

export function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function average(values: readonly number[]): number {
  return total(values) / values.length;
}

/**
 * Runs the sides in turn, A B C A B C ..., after one round that is not counted, and compares the first with each other
 * round by round: machines drift, ratios of neighbours do not.
 */
export async function alternate(sides: readonly Side[], rounds: number): Promise<BenchReport> {
  const figures = sides.map((): number[] => []);
  for (let round = -1; round < rounds; round++) {
    for (const [i, side] of sides.entries()) {
      const start = performance.now();
      const result = await side.run();
      const ms = performance.now() - start;
      if (!Number.isFinite(result)) throw new Error(`${side.name} returned ${result}`);
      if (round >= 0) figures[i].push(side.measuresIn === undefined ? ms : result);
    }
  }
  const [first] = figures;
  return {
    machine: machine(),
    cases: sides.map(({ name, measuresIn }, i) => ({
      name,
      ...spread(figures[i]),
      unit: measuresIn ?? 'ms',
      ...(i > 0 && { versus: sides[0].name, ratio: spread(first.map((figure, round) => figure / figures[i][round])) }),
    })),
  };
}
