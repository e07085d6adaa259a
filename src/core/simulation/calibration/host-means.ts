/** A host's own estimate, and how far off it may be. */
export interface HostEstimate {
  readonly value: number;
  /** Variance of its error. */
  readonly variance: number;
}

/** Normal over hosts. */
export interface MeansFit {
  readonly mean: number;
  readonly deviation: number;
  /** Estimates of each host, shrunk towards the mean by what its own is uncertain. */
  readonly hosts: Float64Array;
}

/** Distribution of hosts' own estimates (DerSimonian & Laird, "Meta-analysis in clinical trials", 1986). */
export function fitMeans(estimates: readonly HostEstimate[]): MeansFit {
  const n = estimates.length;
  if (n === 0) return { mean: 0, deviation: 0, hosts: new Float64Array(0) };
  const simple = estimates.reduce((sum, { value }) => sum + value, 0) / n;
  const spread = estimates.reduce((sum, { value }) => sum + (value - simple) ** 2, 0) / Math.max(1, n - 1);
  const error = estimates.reduce((sum, { variance }) => sum + variance, 0) / n;
  const between = Math.max(0, spread - error);
  const weightOf = (variance: number): number => 1 / (variance + between + 1e-12);
  const weights = estimates.reduce((sum, { variance }) => sum + weightOf(variance), 0);
  const mean = estimates.reduce((sum, { value, variance }) => sum + weightOf(variance) * value, 0) / weights;
  const hosts = Float64Array.from(estimates, ({ value, variance }) =>
    mean + (value - mean) * (between / (between + variance + 1e-12)));
  return { mean, deviation: Math.sqrt(between), hosts };
}

/** Failures of a host among its requests. */
export interface HostFailures {
  readonly failures: number;
  readonly requests: number;
}

/**
 * The share of failures of each host as a factor of the share of all, shrunk: shares have a beta distribution over
 * hosts, whose spread is found from its moments (Kleinman, JASA 68, 1973). 1 for all where hosts do not differ by more
 * than chance.
 */
export function failureFactors(hosts: readonly HostFailures[]): Float64Array {
  const requests = hosts.reduce((sum, host) => sum + host.requests, 0);
  const failures = hosts.reduce((sum, host) => sum + host.failures, 0);
  const factors = new Float64Array(hosts.length).fill(1);
  const observed = hosts.filter((host) => host.requests > 0);
  const share = failures / Math.max(1, requests);
  if (share === 0 || share === 1 || observed.length < 2) return factors;
  const spread = observed.reduce((sum, host) => sum + host.requests * (host.failures / host.requests - share) ** 2, 0);
  const squares = observed.reduce((sum, host) => sum + host.requests ** 2, 0);
  const chance = share * (1 - share);
  const correlation = (spread - chance * (observed.length - 1)) /
    (chance * (requests - squares / requests - (observed.length - 1)));
  if (!(correlation > 0)) return factors;
  const weight = (1 - Math.min(correlation, 1)) / Math.min(correlation, 1);
  hosts.forEach((host, i) => {
    if (host.requests > 0) factors[i] = (host.failures + weight * share) / (host.requests + weight) / share;
  });
  return factors;
}
