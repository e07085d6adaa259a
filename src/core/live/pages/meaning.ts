import { urlInHeader } from '../../../base/web/index.ts';
import { isTransient, type Outcome, type OutcomeKind } from '../../world/index.ts';
import { faultOutcomes, header, hostFaults, type Answer, type Fault } from '../fetch/answer.ts';
import type { PageRead } from './page.ts';

/** What the answer to a request, or its failure, means for the page. */
export interface Meaning extends Pick<Outcome, 'kind' | 'waitUs' | 'hostTrouble'>, Pick<PageRead, 'hops'> {
  /** A text for the log; '' if there is nothing to say. */
  readonly reason: string;
  /** Canonical URLs of pages that it leads to, and how these are found. */
  readonly links: readonly string[];
  readonly byRedirect: boolean;
  /** Digest of the body; '' if digests are not used. */
  readonly digest: string;
  /** Its text, packed; undefined if it is not stored. */
  readonly text: Uint8Array | undefined;
}

export const nothing = { reason: '', waitUs: 0, links: [], byRedirect: false, digest: '', text: undefined } as const;

/** Why less of a body was read than there was: its gzip, deflate or br ended before the data did. */
export const CUT_SHORT = 'content coding cut short';

/** True if a status may be different on a later try (RFC 9110, section 15; RFC 6585). */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** The target of a redirect, relative to its URL; undefined if the answer is none. */
export function locationOf({ status, rawHeaders }: Answer): string | undefined {
  const location = status >= 300 && status <= 399 ? header(rawHeaders, 'location') : undefined;
  return location === undefined ? undefined : urlInHeader(location);
}

export function robotsKind(end: Answer | Fault): OutcomeKind {
  return 'reason' in end ? faultOutcomes[end.reason] : isTransientStatus(end.status) ? 'serverError' : 'robotsFetched';
}

/** The host or address is busy, or rests, for longer than a download may take: nobody was asked. */
export function tooLate(place: string): Fault {
  return { reason: 'not asked in time', detail: `${place} may not be contacted for longer`, bytes: 0 };
}

/** @param hasPatience whether faults of hosts are theirs, and not their pages'. */
export function faultMeaning({ reason, detail }: Fault, hasPatience = false): Meaning {
  const hostTrouble = hasPatience ? hostFaults[reason] : undefined;
  const kind = faultOutcomes[reason];
  return {
    ...nothing, kind: hostTrouble === undefined || isTransient(kind) ? kind : 'refused', hostTrouble,
    reason: detail === '' ? reason : `${reason}: ${detail}`,
  };
}

/** The meaning of an unreadable robots.txt for the page that it was fetched for. */
export function robotsTrouble(end: Answer | Fault): Meaning {
  const kind = robotsKind(end);
  const reason = `robots.txt: ${reasonOf(end)}`;
  if (kind === 'busy') return { ...nothing, kind, reason };
  const hostTrouble = ('reason' in end ? hostFaults[end.reason] : undefined) ?? 'unreachable';
  return { ...nothing, kind: isTransient(kind) ? kind : 'refused', hostTrouble, reason };
}

export function reasonOf(end: Answer | Fault): string {
  return 'reason' in end ? faultMeaning(end).reason : `status ${end.status}`;
}
