import { exp, inverseNormal, log } from '../../base/index.ts';

/** The part of a distribution beyond its body: this share falls as x^-index (Pareto); 0 means no tail. */
export interface Tail {
  readonly share: number;
  readonly index: number;
}

/**
 * The quantile at `p` in (0, 1) of a log-normal body whose greatest values follow Pareto's law instead, joined where
 * the body reaches quantile 1 - share (the body and tail of Barford & Crovella, "Generating representative Web
 * workloads", SIGMETRICS 1998). Sigma is the deviation of the logarithm.
 */
export function greatTail(p: number, median: number, sigma: number, { share, index }: Tail): number {
  if (p <= 1 - share) return logNormal(p, median, sigma);
  return logNormal(1 - share, median, sigma) * exp(log(share / (1 - p)) / index);
}

/** The same with the tail among the smallest values. */
export function smallTail(p: number, median: number, sigma: number, { share, index }: Tail): number {
  if (p >= share) return logNormal(p, median, sigma);
  return logNormal(share, median, sigma) * exp(log(p / share) / index);
}

function logNormal(p: number, median: number, sigma: number): number {
  return sigma === 0 ? median : median * exp(sigma * inverseNormal(p));
}
