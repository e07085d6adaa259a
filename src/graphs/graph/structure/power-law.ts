import type { Histogram } from './histogram.ts';
import { scaledZeta } from './hurwitz-zeta.ts';

/** A power law fitted to the tail of a distribution: P(X = x) = x^-alpha / zeta(alpha, xMin) for x >= xMin. */
export interface PowerLawFit {
  readonly alpha: number;
  /** Standard error of alpha, given xMin. */
  readonly standardError: number;
  /** Smallest value to which the law is fitted. */
  readonly xMin: number;
  /** Number of values of at least xMin, and of at least 1: the law does not cover 0. */
  readonly tail: number;
  readonly positive: number;
  /** Kolmogorov-Smirnov: the largest distance between the cumulative distributions of the tail and of the law. */
  readonly ksDistance: number;
}

/** Clauset et al., section 3.1: below about 50 values alpha is off by more than a per cent. */
export const leastTail = 50;
/** Maximum values tried as xMin; if there are more, they are spread evenly over the logarithms. */
const MAX_CANDIDATES = 512;
/** A steeper law is rejected: such a tail is little more than one value. */
const MAX_ALPHA = 50;
/** Step of numerical derivatives by alpha: their error is its square, about 1e-6, far below any standard error. */
const ALPHA_STEP = 1e-3;

/**
 * The power law that fits best: for each candidate of xMin the alpha of maximum likelihood, and of these the one with
 * the smallest Kolmogorov-Smirnov distance. Null if no tail has 50 values, two of them different.
 *
 * Source  Clauset, Shalizi & Newman, "Power-law distributions in empirical data", SIAM Review 51(4), 2009: equations
 *         3.5, 3.6, 3.9.
 * Cost    O(candidates * distinct values), 512 candidates at most.
 */
export function fitPowerLaw({ values, counts }: Histogram): PowerLawFit | null {
  const distinct = values.length;
  const first = distinct > 0 && values[0] === 0 ? 1 : 0;
  // Values and sums of logarithms from each place to the end.
  const above = new Float64Array(distinct + 1);
  const logs = new Float64Array(distinct + 1);
  for (let i = distinct - 1; i >= first; i--) {
    above[i] = above[i + 1] + counts[i];
    logs[i] = logs[i + 1] + counts[i] * Math.log(values[i]);
  }
  let best: PowerLawFit | null = null;
  for (const i of candidates(values, first, distinct - 2)) {
    const tail = above[i];
    if (tail < leastTail) break;
    const xMin = values[i];
    const meanLog = logs[i] / tail - Math.log(xMin);
    const alpha = likeliestAlpha(xMin, meanLog);
    if (alpha === undefined) continue;
    const ksDistance = distance(values, above, i, alpha);
    if (best !== null && ksDistance >= best.ksDistance) continue;
    best = {
      alpha, standardError: 1 / Math.sqrt(tail * derivatives(alpha, xMin)[1]), xMin, tail, positive: above[first],
      ksDistance,
    };
  }
  return best;
}

/** P(X >= x) of the law. */
export function powerLawAbove({ alpha, xMin }: Pick<PowerLawFit, 'alpha' | 'xMin'>, x: number): number {
  return (x / xMin) ** -alpha * (scaledZeta(alpha, x) / scaledZeta(alpha, xMin));
}

/** Places from `first` to `last` that are tried. */
function* candidates(values: Uint32Array, first: number, last: number): Generator<number> {
  if (last - first < MAX_CANDIDATES) {
    for (let i = first; i <= last; i++) yield i;
    return;
  }
  const ratio = (values[last] / values[first]) ** (1 / (MAX_CANDIDATES - 1));
  let least = values[first];
  for (let i = first; i <= last; i++) {
    if (values[i] < least) continue;
    yield i;
    while (least <= values[i]) least *= ratio;
  }
}

/** First and second derivative of ln scaledZeta(alpha, xMin) by alpha. */
function derivatives(alpha: number, xMin: number): [number, number] {
  const logZeta = (exponent: number): number => Math.log(scaledZeta(exponent, xMin));
  const [low, at, high] = [logZeta(alpha - ALPHA_STEP), logZeta(alpha), logZeta(alpha + ALPHA_STEP)];
  return [(high - low) / (2 * ALPHA_STEP), (high - 2 * at + low) / (ALPHA_STEP * ALPHA_STEP)];
}

/**
 * The alpha whose law has the mean logarithm of x / xMin that the data has, which maximises the likelihood; undefined
 * above MAX_ALPHA. Newton's method from the approximation of equation 3.7, halved where it would leave alpha > 1.
 */
function likeliestAlpha(xMin: number, meanLog: number): number | undefined {
  let alpha = 1 + 1 / (meanLog - Math.log(1 - 0.5 / xMin));
  for (let round = 0; round < 100; round++) {
    if (alpha > MAX_ALPHA) return undefined;
    const [slope, curvature] = derivatives(Math.max(alpha, 1 + 2 * ALPHA_STEP), xMin);
    const next = Math.max(alpha - (slope + meanLog) / curvature, 1 + (alpha - 1) / 2, 1 + 2 * ALPHA_STEP);
    if (Math.abs(next - alpha) < 1e-9) return next;
    alpha = next;
  }
  return alpha;
}

/**
 * Kolmogorov-Smirnov distance of the tail from place `from` on, at each value and just below it: in between, the law
 * keeps falling.
 */
function distance(values: Uint32Array, above: Float64Array, from: number, alpha: number): number {
  const [xMin, tail] = [values[from], above[from]];
  const zeta = scaledZeta(alpha, xMin);
  let most = 0;
  for (let i = from; i < values.length; i++) {
    const power = (values[i] / xMin) ** -alpha / zeta;
    const tailShare = power * scaledZeta(alpha, values[i]);
    most = Math.max(most, Math.abs(above[i] / tail - tailShare), Math.abs(above[i + 1] / tail - (tailShare - power)));
  }
  return most;
}
