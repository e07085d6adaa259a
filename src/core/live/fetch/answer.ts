import type { RawHeaders } from '../../../base/web/index.ts';
import type { HostTrouble, OutcomeKind } from '../../world/index.ts';

export { header } from '../../../base/web/index.ts';

export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: RawHeaders;
  /** As received, without transfer coding, with content codings. Empty if only the headers were wanted. */
  readonly body: Buffer;
  readonly address: string;
  /** Head of the request, as sent: for the archive. */
  readonly requestHead: string;
}

/** The steps of the last request of a download, by `performance.now()`; undefined if one was not reached. */
export interface RequestTimes {
  /** Undefined if an open connection was used. */
  connectedMs?: number | undefined;
  /** The headers of the answer had arrived. */
  firstByteMs?: number | undefined;
  endMs?: number | undefined;
}

/** The times of a page, from the moment when its robot took it up. */
export interface PageTimes extends RequestTimes {
  /** On the crawl's clock; the wait until its host or address is free is added. */
  startUs: number;
}

/** Why there is no answer; each reason has one outcome. */
export const faultOutcomes = {
  'address not allowed': 'rejected',
  'no such name': 'rejected',
  'name lookup failed': 'refused',
  'connection refused': 'refused',
  'connection reset': 'refused',
  'TLS not valid': 'rejected',
  'connect time-out': 'timeout',
  'headers time-out': 'timeout',
  'body time-out': 'timeout',
  'download time-out': 'timeout',
  'not asked in time': 'busy',
  'headers too long': 'rejected',
  'body too long': 'rejected',
  'wrong length': 'rejected',
  'malformed answer': 'rejected',
  'type not taken': 'rejected',
} as const satisfies Record<string, OutcomeKind>;
export type FaultReason = keyof typeof faultOutcomes;

/** Faults that say nothing about a page: its host could not be reached. */
export const hostFaults: Readonly<Partial<Record<FaultReason, HostTrouble>>> = {
  'address not allowed': 'notAllowed',
  'no such name': 'noSuchName',
  'name lookup failed': 'unreachable',
  'connection refused': 'unreachable',
  'TLS not valid': 'unreachable',
  'connect time-out': 'unreachable',
};

export interface Fault {
  readonly reason: FaultReason;
  /** What the system or the host said, not yet escaped for printing. */
  readonly detail: string;
  readonly bytes: number;
}
