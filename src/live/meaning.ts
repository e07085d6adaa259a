import type { OutcomeKind } from '../world/index.ts';
import { faultOutcomes, type Answer, type Fault } from './fetch/answer.ts';

/** What the answer to a request, or its failure, means for the page. */
export interface Meaning {
  readonly kind: OutcomeKind;
  /** In words, for the log; '' if there is nothing to say. */
  readonly reason: string;
  /** How long the host asks not to be contacted. */
  readonly waitUs: number;
  /** Canonical URLs of pages that it leads to, and how these are found. */
  readonly links: readonly string[];
  readonly byRedirect: boolean;
  /** Of the body; '' if digests are not used. */
  readonly digest: string;
  /** Its text, packed; undefined if it is not stored. */
  readonly text: Uint8Array | undefined;
}

export const nothing = { reason: '', waitUs: 0, links: [], byRedirect: false, digest: '', text: undefined } as const;

/** Whether a status may be different on a later try (RFC 9110, section 15; RFC 6585). */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

export function robotsKind(end: Answer | Fault): OutcomeKind {
  return 'reason' in end ? faultOutcomes[end.reason] : isTransientStatus(end.status) ? 'serverError' : 'robotsFetched';
}

/** The host or address is busy, or rests, for longer than a download may take. */
export function tooLate(place: string): Fault {
  return { reason: 'download time-out', detail: `${place} may not be contacted for longer`, bytes: 0 };
}

export function faultMeaning({ reason, detail }: Fault): Meaning {
  return { ...nothing, kind: faultOutcomes[reason], reason: detail === '' ? reason : `${reason}: ${detail}` };
}

export function reasonOf(end: Answer | Fault): string {
  return 'reason' in end ? faultMeaning(end).reason : `status ${end.status}`;
}
