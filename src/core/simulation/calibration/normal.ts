import { exp } from '../../../base/index.ts';

const ROOT_2 = Math.sqrt(2);
const ROOT_2_PI = Math.sqrt(2 * Math.PI);

/** Chebyshev coefficients of erfc(z) exp(z^2) / t, t = 2 / (2 + z), after Numerical Recipes, section 6.2. */
const coefficients = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
  0.17087277,
];

/** P(X > x) of the standard normal; relative error 1.2e-7 everywhere. */
export function upperNormal(x: number): number {
  const z = Math.abs(x) / ROOT_2;
  if (z > 26) return x > 0 ? 0 : 1;
  const t = 1 / (1 + z / 2);
  let sum = 0;
  for (let i = coefficients.length - 1; i > 0; i--) sum = t * (sum + coefficients[i]);
  const half = (t * exp(-z * z + coefficients[0] + sum)) / 2;
  return x > 0 ? half : 1 - half;
}

/** Mean and variance of a standard normal given that it exceeds `x`. */
export function beyond(x: number): { readonly mean: number; readonly variance: number } {
  // Beyond these the density is nothing: below, nothing is cut off; above, it is a ratio of two that vanish.
  if (x < -30) return { mean: 0, variance: 1 };
  const mean = x > 30 ? x + 1 / x : exp(-x * x / 2) / ROOT_2_PI / upperNormal(x);
  return { mean, variance: Math.max(0, 1 + x * mean - mean * mean) };
}
