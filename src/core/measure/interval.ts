/** A mean with its 95 % confidence interval; the interval is null where a single value gives none. */
export interface Interval {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Quantiles of Student's t at 0.975 for 1 ... 30 degrees of freedom, as in any table of it. */
const quantiles = [
  12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622, 2.2281, 2.201, 2.1788, 2.1604, 2.1448, 2.1314,
  2.1199, 2.1098, 2.1009, 2.093, 2.086, 2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
];

/** Beyond the table by Cornish and Fisher's expansion, which is right to 1e-4 there (Abramowitz & Stegun, 26.7.5). */
export function studentQuantile(degrees: number): number {
  const z = 1.959964;
  return degrees <= 30
    ? quantiles[degrees - 1]
    : z + (z ** 3 + z) / (4 * degrees) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2);
}

/** Mean and 95 % interval by Student's t: the values are few, and their spread is estimated from them. */
export function interval(values: readonly number[]): Interval {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  if (count < 2) return { mean, low: null, high: null };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = studentQuantile(count - 1) * Math.sqrt(variance / count);
  return { mean, low: mean - half, high: mean + half };
}

/** Differences by seed, other minus base: the same seed, the same network. Undefined if they share no seed. */
export function pairedDifference(
  base: ReadonlyMap<number, number>, other: ReadonlyMap<number, number>,
): { readonly seeds: number; readonly difference: Interval } | undefined {
  const differences = [...other].flatMap(([seed, value]) => {
    const baseValue = base.get(seed);
    return baseValue === undefined ? [] : [value - baseValue];
  });
  return differences.length === 0 ? undefined : { seeds: differences.length, difference: interval(differences) };
}

/** Whether a difference is more than the noise of seeds; of a single seed nothing is. */
export function isBeyondNoise({ low, high }: Interval): boolean {
  return low !== null && high !== null && (low > 0 || high < 0);
}
