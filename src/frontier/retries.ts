import type { OutcomeKind } from '../world/index.ts';

/** Politeness, and the handling of transient failures. */
export interface HostDelays {
  /** Minimum delay between two downloads from one host, microseconds. */
  readonly politenessUs: number;
  /**
   * Delay after a failure of a host, microseconds; it doubles with each further consecutive failure, up to the maximum.
   */
  readonly backoffUs: number;
  readonly backoffMostUs: number;
}

/** Whether the failure is transient; a definite answer (not found, denied) is final. */
export function mayPass(kind: OutcomeKind): boolean {
  return kind === 'serverError' || kind === 'timeout' || kind === 'refused';
}

/** How long a host rests after its `failures`-th consecutive failure, microseconds; 0 after none. */
export function backoffUs({ backoffUs: first, backoffMostUs: most }: HostDelays, failures: number): number {
  return failures === 0 ? 0 : Math.min(most, first * 2 ** Math.min(failures - 1, 60));
}
