import { isAnswered, type Observation } from './observation.ts';

/** A slope counts only where this many times its own error: otherwise sizes say nothing about durations. */
const MIN_SLOPE_ERRORS = 3;

/**
 * Divides durations into latency and transfer where a log has none of the two: the transfer is what durations grow with
 * sizes on the same host, by least squares over all hosts; the rest is latency.
 * @returns the same observations, with both.
 */
export function separated(observations: readonly Observation[]): readonly Observation[] {
  const whole = observations.filter((observation) => isAnswered(observation) && observation.latencyUs === undefined);
  if (whole.length === 0) return observations;
  const usPerByte = slopeOf(whole);
  return observations.map((observation) => {
    if (observation.latencyUs !== undefined || !isAnswered(observation)) return observation;
    const restUs = observation.durationUs - (observation.connectUs ?? 0);
    const transferUs = Math.min(usPerByte * observation.bytes, 0.9 * restUs);
    return { ...observation, latencyUs: restUs - transferUs, transferUs };
  });
}

/** Microseconds per byte: how durations grow with sizes within hosts; 0 if they do not. */
function slopeOf(observations: readonly Observation[]): number {
  const hosts = new Map<string, { count: number; bytes: number; us: number }>();
  for (const { host, bytes, durationUs } of observations) {
    const sums = hosts.get(host) ?? { count: 0, bytes: 0, us: 0 };
    hosts.set(host, { count: sums.count + 1, bytes: sums.bytes + bytes, us: sums.us + durationUs });
  }
  let [xx, xy, yy] = [0, 0, 0];
  for (const { host, bytes, durationUs } of observations) {
    const { count, bytes: sumOfBytes, us } = hosts.get(host)!;
    const [x, y] = [bytes - sumOfBytes / count, durationUs - us / count];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const free = observations.length - hosts.size - 1;
  if (xx === 0 || free < 1) return 0;
  const slope = xy / xx;
  const error = Math.sqrt(Math.max(0, yy - slope * xy) / free / xx);
  return slope > MIN_SLOPE_ERRORS * error ? slope : 0;
}
