/** Politeness, and the handling of transient failures. */
export interface HostDelays {
  /** Minimum delay between two downloads from one host, microseconds. */
  readonly politenessUs: number;
  /** Delay after a failure of a host, microseconds; each further consecutive failure doubles it, up to the maximum. */
  readonly backoffUs: number;
  readonly maxBackoffUs: number;
}

/** How long a host rests after its `failures`-th consecutive failure, microseconds; 0 after none. */
export function backoffUs({ backoffUs: first, maxBackoffUs: max }: HostDelays, failures: number): number {
  return failures === 0 ? 0 : Math.min(max, first * 2 ** Math.min(failures - 1, 60));
}
