import { urlInHeader } from '../../base/web/index.ts';
import { isTransient, type HostTrouble, type OutcomeKind } from '../world/index.ts';
import { faultOutcomes, header, hostFaults, type Answer, type Fault } from './fetch/answer.ts';

/** What the answer to a request, or its failure, means for the page. */
export interface Meaning {
  readonly kind: OutcomeKind;
  /** In words, for the log; '' if there is nothing to say. */
  readonly reason: string;
  /** How long the host asks not to be contacted. */
  readonly waitUs: number;
  /** As of an Outcome. */
  readonly hostTrouble?: HostTrouble | undefined;
  /** Canonical URLs of pages that it leads to, and how these are found. */
  readonly links: readonly string[];
  /** As of a PageRead. */
  readonly hops?: Uint8Array | undefined;
  readonly byRedirect: boolean;
  /** Of the body; '' if digests are not used. */
  readonly digest: string;
  /** Its text, packed; undefined if it is not stored. */
  readonly text: Uint8Array | undefined;
}

export const nothing = { reason: '', waitUs: 0, links: [], byRedirect: false, digest: '', text: undefined } as const;

/** Why less of a body was read than there was: its gzip, deflate or br ended before the data did. */
export const CUT_SHORT = 'content coding cut short';

/** Whether a status may be different on a later try (RFC 9110, section 15; RFC 6585). */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/** Where an answer redirects to, relative to its URL; undefined if it does not. */
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

/** The meaning of a robots.txt that could not be read, for the page that it was fetched for: none. */
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
