import type { OutcomeKind } from '../../world/index.ts';

/** One request of a finished crawl, without what politeness made it wait. */
export interface Observation {
  readonly host: string;
  readonly path: string;
  readonly kind: OutcomeKind;
  /** It was for the robots.txt of its host. */
  readonly isForRobotsTxt: boolean;
  /** From any origin, the same for all. */
  readonly startUs: number;
  /** Until its robot was free; 0 if no request was made. */
  readonly durationUs: number;
  /** Set-up of its connection; undefined if one was open, or if it is not known. */
  readonly connectUs: number | undefined;
  /** From connection to first byte, and from the end until its robot was free; undefined if it is not known. */
  readonly latencyUs: number | undefined;
  /** From first byte to end; undefined if it is not known. */
  readonly transferUs: number | undefined;
  readonly bytes: number;
  /** How long its host asked not to be contacted. */
  readonly pauseUs: number;
  /** Undefined if it is not known. */
  readonly address?: string | undefined;
}

/** Whether the host answered, whatever it was. */
export function isAnswered({ kind, durationUs }: Observation): boolean {
  return durationUs > 0 && kind !== 'timeout' && kind !== 'refused' && kind !== 'robotsDenied' && kind !== 'busy';
}
