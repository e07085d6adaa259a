import { assert } from '../../../src/base/index.ts';

/**
 * The share of a batch that should not have left yet: its entries less than the least of `exact`, which are the
 * greatest as many, in any order. In [0, 1]. O(k).
 */
export function missedFraction(batch: Float64Array, exact: Float64Array): number {
  assert(
    batch.length === exact.length && batch.length > 0,
    () => `a batch of ${batch.length} entries against the ${exact.length} greatest; must be as many, and not none`,
  );
  const least = exact.reduce((a, b) => Math.min(a, b));
  return batch.reduce((missed, entry) => (entry < least ? missed + 1 : missed), 0) / batch.length;
}

/**
 * What `missedFraction` comes to when each of T slices gives R/T entries: sqrt((T-1) / (2 pi R)) = 0.399 sqrt((T-1)/R).
 *
 * Each of the R greatest lies in a slice of its own chance, so a slice holds X of them, binomial(R, 1/T): mean R/T,
 * variance s^2 = R (T-1) / T^2. It gives R/T, so that max(0, X - R/T) stay behind; for a normal X that is s / sqrt(2
 * pi) on average. T slices leave T s / sqrt(2 pi), and over R that is the formula.
 *
 * Holds for random assignment, R/T of some tens or more, and a queue that holds several R. Where the greatest entries'
 * indices are consecutive the hash spreads them more evenly, and fewer are missed; what was missed before is no longer
 * randomly spread.
 */
export function expectedMissedFraction(slices: number, extracted: number): number {
  return Math.sqrt((slices - 1) / (2 * Math.PI * extracted));
}
