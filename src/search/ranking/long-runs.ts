import { exp, log } from '../../base/index.ts';

const HIT = 0.45;
/** The longest run whose e^(l^l) is a double. */
const LONGEST_EXACT = 4;
/** Weights beyond doubles are shown as this times their logarithm: more than all others. */
const BEYOND = 1e250;

/** A weight of Compass that has runs of three words or more. */
export interface RunWeight {
  /** `runs[l]` runs of l words; the last is not 0. */
  readonly runs: Uint32Array;
  /** The weight without the runs of three words and more. */
  readonly rest: number;
}

/**
 * Doubles in exactly the order of the weights: greater for a greater one, equal for an equal one, and otherwise the
 * weights themselves (`weightOf`), as near as doubles allow.
 *
 * @returns the double for each weight. O(n log n).
 */
export function ascendingScores(weights: readonly RunWeight[]): Float64Array {
  const scores = new Float64Array(weights.length);
  const order = [...weights.keys()].sort((a, b) => compareWeights(weights[a], weights[b]));
  let score = -Infinity;
  for (const [i, at] of order.entries()) {
    const isEqual = i > 0 && compareWeights(weights[order[i - 1]], weights[at]) === 0;
    if (!isEqual) score = Math.max(weightOf(weights[at])[0], nextAbove(score));
    scores[at] = score;
  }
  return scores;
}

/** One run more outweighs any number of shorter ones: the longest decides, and the rest only if all are equal. */
function compareWeights(a: RunWeight, b: RunWeight): number {
  for (let l = Math.max(a.runs.length, b.runs.length) - 1; l >= 3; l--) {
    const difference = (a.runs[l] ?? 0) - (b.runs[l] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.rest - b.rest;
}

/** A weight as a double, and a function that turns the formula of the weight into the formula of the double. */
export function weightOf({ runs, rest }: RunWeight): [weight: number, form: (formula: string) => string] {
  const longest = runs.length - 1;
  // What shorter runs add to e^3125 and more is below the precision of its logarithm.
  if (longest > LONGEST_EXACT)
    return [BEYOND * (longest ** longest + log(HIT * runs[longest])), (formula) => `${BEYOND} * ln(${formula})`];
  let weight = rest;
  for (let l = 3; l <= longest; l++) weight += HIT * runs[l] * exp(l ** l);
  return [weight, (formula) => formula];
}

const double = new Float64Array(1);
const bits = new BigInt64Array(double.buffer);

/** The least double above x, which is -Infinity or above 0. */
function nextAbove(x: number): number {
  if (x === -Infinity) return x;
  double[0] = x;
  bits[0]++;
  return double[0];
}
