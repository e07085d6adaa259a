import { upperNormal } from './normal.ts';

/** How well a distribution describes what was observed. */
export interface Goodness {
  readonly observations: number;
  /** Greatest distance between the two distribution functions (Kolmogorov and Smirnov); 0: they are the same. */
  readonly distance: number;
  /** Distances above this are by chance once in twenty. */
  readonly chance: number;
}

/** Compares values with the normal distribution. @param beyond number of values above all in the list. */
export function goodnessOf(values: readonly number[], mean: number, deviation: number, beyond = 0): Goodness {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length + beyond;
  let distance = 0;
  sorted.forEach((value, i) => {
    const below = deviation > 0 ? 1 - upperNormal((value - mean) / deviation) : value < mean ? 0 : 1;
    distance = Math.max(distance, Math.abs(below - i / n), Math.abs(below - (i + 1) / n));
  });
  return { observations: values.length, distance, chance: n === 0 ? 1 : Math.min(1, 1.358 / Math.sqrt(n)) };
}
