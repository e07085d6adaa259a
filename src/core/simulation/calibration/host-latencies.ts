import { beyond, upperNormal } from './normal.ts';

/** Logarithms of the latencies of a host. */
export interface HostSample {
  readonly observed: readonly number[];
  /** Requests that were given up after so long: the latency is longer, or no answer would ever have come. */
  readonly censored: readonly number[];
}

/** Latencies whose logarithm is normal around the mean of their host, and the means normal over hosts. */
export interface LatencyFit {
  /** Mean of the hosts' means. */
  readonly mean: number;
  readonly between: number;
  /** Deviation of single requests from the mean of their host. */
  readonly within: number;
  /** Estimates of each host's mean: between its own mean and the mean of all, which weighs more if requests are few. */
  readonly hosts: Float64Array;
  /** Share of requests that are never answered, beyond those whose latency explains the time-out. */
  readonly lostShare: number;
  /** Per host: how many of its censored requests were lost. */
  readonly lost: Float64Array;
}

/** Below these two deviations, nothing that a crawl measures can distinguish from 0. */
const MIN_DEVIATION = 1e-4;
const MAX_ITERATIONS = 1000;
const PRECISION = 1e-7;

/**
 * Fits by expectation-maximisation. A censored request counts as an answer that was too late with the probability that
 * its host's latency gives, and with its expected latency then; otherwise as lost.
 *
 * Cost     O(iterations * requests); a few dozen iterations, at most 1000.
 */
export function fitLatencies(samples: readonly HostSample[]): LatencyFit {
  const fitting = new Fitting(samples);
  for (let i = 0; i < MAX_ITERATIONS; i++) if (fitting.step() < PRECISION) break;
  return fitting.result();
}

class Fitting {
  readonly #samples: readonly (HostSample & { readonly sum: number; readonly squares: number })[];
  readonly #hosts: Float64Array;
  readonly #variances: Float64Array;
  readonly #lost: Float64Array;
  readonly #requests: number;
  #mean: number;
  #between: number;
  #within: number;
  #lostShare: number;

  constructor(samples: readonly HostSample[]) {
    this.#samples = samples.map((sample) => {
      const sum = sample.observed.reduce((total, y) => total + y, 0);
      const average = sum / Math.max(1, sample.observed.length);
      return { ...sample, sum, squares: sample.observed.reduce((total, y) => total + (y - average) ** 2, 0) };
    });
    this.#hosts = new Float64Array(samples.length);
    this.#variances = new Float64Array(samples.length);
    this.#lost = new Float64Array(samples.length);
    const answered = this.#samples.filter(({ observed }) => observed.length > 0);
    const observed = answered.reduce((total, sample) => total + sample.observed.length, 0);
    const censored = samples.reduce((total, sample) => total + sample.censored.length, 0);
    this.#requests = observed + censored;
    const means = answered.map((sample) => sample.sum / sample.observed.length);
    this.#mean = means.reduce((total, y) => total + y, 0) / Math.max(1, means.length);
    const spread = means.reduce((total, y) => total + (y - this.#mean) ** 2, 0) / Math.max(1, means.length);
    const squares = answered.reduce((total, sample) => total + sample.squares, 0);
    this.#between = Math.max(MIN_DEVIATION, Math.sqrt(spread));
    this.#within = Math.max(MIN_DEVIATION, Math.sqrt(squares / Math.max(1, observed - answered.length)));
    this.#lostShare = censored / Math.max(1, this.#requests) / 2;
    this.#hosts.fill(this.#mean);
  }

  /** One round. @returns the greatest change of a parameter. */
  step(): number {
    const previous = [this.#mean, this.#between, this.#within, this.#lostShare];
    let [count, squares, losses] = [0, 0, 0];
    let [hosts, sum, sumOfSquares] = [0, 0, 0];
    for (const [host, sample] of this.#samples.entries()) {
      const late = this.#late(host, sample.censored);
      const n = sample.observed.length + late.count;
      const within = this.#within ** 2;
      const variance = 1 / (n / within + 1 / this.#between ** 2);
      const mean = variance * ((sample.sum + late.sum) / within + this.#mean / this.#between ** 2);
      this.#hosts[host] = mean;
      this.#variances[host] = variance;
      this.#lost[host] = sample.censored.length - late.count;
      losses += this.#lost[host];
      if (n === 0) continue;
      const average = sample.sum / Math.max(1, sample.observed.length);
      squares += sample.squares + sample.observed.length * (average - mean) ** 2 + n * variance;
      squares += late.squares - 2 * mean * late.sum + late.count * mean ** 2;
      count += n;
      hosts++;
      sum += mean;
      sumOfSquares += mean ** 2 + variance;
    }
    if (hosts === 0) return 0;
    this.#mean = sum / hosts;
    this.#between = Math.max(MIN_DEVIATION, Math.sqrt(Math.max(0, sumOfSquares / hosts - this.#mean ** 2)));
    this.#within = Math.max(MIN_DEVIATION, Math.sqrt(squares / count));
    this.#lostShare = losses / this.#requests;
    const after = [this.#mean, this.#between, this.#within, this.#lostShare];
    return Math.max(...after.map((value, i) => Math.abs(value - previous[i])));
  }

  /** Expected number, sum and sum of squares of the host's answers that were too late. */
  #late(host: number, censored: readonly number[]): { count: number; sum: number; squares: number } {
    const late = { count: 0, sum: 0, squares: 0 };
    const deviation = this.#within;
    for (const limit of censored) {
      const x = (limit - this.#hosts[host]) / deviation;
      const isLate = (1 - this.#lostShare) * upperNormal(x);
      const share = isLate / (this.#lostShare + isLate || 1);
      const { mean, variance } = beyond(x);
      const expected = this.#hosts[host] + deviation * mean;
      late.count += share;
      late.sum += share * expected;
      late.squares += share * (expected ** 2 + deviation ** 2 * variance);
    }
    return late;
  }

  result(): LatencyFit {
    return {
      mean: this.#mean, between: this.#between, within: this.#within, hosts: this.#hosts, lostShare: this.#lostShare,
      lost: this.#lost,
    };
  }
}
