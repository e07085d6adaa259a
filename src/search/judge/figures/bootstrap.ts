import { DrawStream } from '../../../base/index.ts';

/** A figure and its resamples. */
export interface Resampled {
  readonly mean: number;
  /** One value per resample. */
  readonly values: Float64Array;
}

/** The middle 95 % of the resamples around a mean. */
export interface ResampledInterval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface BootstrapOptions {
  readonly seed: number;
  /** 2,000 in reports. */
  readonly resamples: number;
}

/**
 * Means of values per query and seed, and of resamples of both (Efron & Tibshirani, "An introduction to the bootstrap",
 * 1993): queries are drawn with repetition, and so are the seeds of each policy. All policies meet the same draws, so
 * differences between them are paired. All have the same queries.
 *
 * @param policies `policies[policy][seed][query]`, at least one seed.
 * Cost   O(resamples * values).
 */
export function bootstrap(
  policies: readonly (readonly Float64Array[])[], { seed, resamples }: BootstrapOptions,
): Resampled[] {
  const queries = policies[0]?.[0]?.length ?? 0;
  const [queryDraws, seedDraws] = [new DrawStream(seed, 'bootstrap queries'), new DrawStream(seed, 'bootstrap seeds')];
  const results = policies.map((seeds): Resampled => ({
    mean: meanOf(seeds.map(meanOf)), values: new Float64Array(resamples),
  }));
  const times = new Float64Array(queries);
  for (let resample = 0; resample < resamples; resample++) {
    times.fill(0);
    for (let i = 0; i < queries; i++) times[queryDraws.uint32(resample, i) % queries]++;
    policies.forEach((seeds, policy) => {
      let sum = 0;
      for (let i = 0; i < seeds.length; i++) {
        const values = seeds[seedDraws.uint32(resample, i) % seeds.length];
        for (let query = 0; query < queries; query++) sum += times[query] * values[query];
      }
      results[policy].values[resample] = queries === 0 ? 0 : sum / (queries * seeds.length);
    });
  }
  return results;
}

export function intervalOf({ mean, values }: Resampled): ResampledInterval {
  const sorted = values.slice().sort();
  return { mean, low: quantile(sorted, 0.025), high: quantile(sorted, 0.975) };
}

/** The interval of `other` minus `base`. */
export function differenceOf(base: Resampled, other: Resampled): ResampledInterval {
  return intervalOf({ mean: other.mean - base.mean, values: other.values.map((value, i) => value - base.values[i]) });
}

/** The policy with the greatest mean; the first of equals. */
export interface Best {
  readonly best: number;
  /** Policies whose difference to it is 0 or has 0 in its interval: chance may have put it first. */
  readonly rivals: readonly number[];
}

/** @param numbers - of the policies that can be the best; at least one. */
export function bestOf(policies: readonly Resampled[], numbers: readonly number[]): Best {
  const best = numbers.reduce((first, other) => (policies[other].mean > policies[first].mean ? other : first));
  const isRival = (other: number): boolean => differenceOf(policies[best], policies[other]).high >= 0;
  return { best, rivals: numbers.filter((other) => other !== best && isRival(other)) };
}

export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return values.length === 0 ? 0 : sum / values.length;
}

/** Between the two nearest values, in proportion. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}
