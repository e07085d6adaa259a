/** The probability is never certain: it comes from a few draws. */
const surest = 0.999;

/**
 * The probability that another draw from the same normal population is at most `limit`, by the predictive distribution
 * of Student's t: from 0.001 to 0.999. Without spread, as the values say.
 * @param values at least two.
 */
export function probabilityAtMost(values: readonly number[], limit: number): number {
  const count = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const error = Math.sqrt(variance * (1 + 1 / count));
  const share = error === 0 ? Number(mean <= limit) : studentBelow((limit - mean) / error, count - 1);
  return Math.min(surest, Math.max(1 - surest, share));
}

/**
 * The same where only "met" and "not met" are known, by Laplace's rule of succession.
 */
export function probabilityOf(met: number, draws: number): number {
  return (met + 1) / (draws + 2);
}

/**
 * P(T <= t) for Student's t with whole degrees of freedom, by its finite series (Abramowitz & Stegun, 26.7.3 and
 * 26.7.4).
 */
export function studentBelow(t: number, degrees: number): number {
  if (!Number.isFinite(t)) return t > 0 ? 1 : 0;
  const angle = Math.atan(t / Math.sqrt(degrees));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = degrees % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let i = isOdd ? 3 : 2; i <= degrees - 2; i += 2) {
    term *= (cosine * cosine * (i - 1)) / i;
    sum += term;
  }
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return 0.5 + within / 2;
}
