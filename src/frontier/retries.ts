import type { OutcomeKind } from '../world/index.ts';

/** Politeness, and what is done about trouble that may pass. */
export interface HostDelays {
  /** Least delay between two downloads from one host, microseconds. */
  readonly politenessUs: number;
  /** Delay after a failure of a host, microseconds; it doubles with each further failure in a row, up to the most. */
  readonly backoffUs: number;
  readonly backoffMostUs: number;
}

/** Whether the page may be there another time; what a host says for good (not found, denied) is believed. */
export function mayPass(kind: OutcomeKind): boolean {
  return kind === 'serverError' || kind === 'timeout' || kind === 'refused';
}

/** How long a host rests after its `failures`-th failure in a row, microseconds; 0 after none. */
export function backoffUs({ backoffUs: first, backoffMostUs: most }: HostDelays, failures: number): number {
  return failures === 0 ? 0 : Math.min(most, first * 2 ** Math.min(failures - 1, 60));
}
