import type { OutcomeKind } from '../../world/index.ts';

/** What a host answered to one request. */
export interface Answer {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  /** Names and values by turns, as received; names in their own spelling, bytes as latin1. */
  readonly rawHeaders: readonly string[];
  /**
   * As received, transfer coding taken off, content codings still on. Empty where the answer was told to be left at its
   * headers.
   */
  readonly body: Buffer;
  /** The address that it came from. */
  readonly address: string;
  /** Head of the request, as sent: for the archive. */
  readonly requestHead: string;
}

/** Why there is no answer: each reason one outcome. */
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
  'headers too long': 'rejected',
  'body too long': 'rejected',
  'wrong length': 'rejected',
  'malformed answer': 'rejected',
  'type not taken': 'rejected',
} as const satisfies Record<string, OutcomeKind>;
export type FaultReason = keyof typeof faultOutcomes;

export interface Fault {
  readonly reason: FaultReason;
  /** What the system or the host said, not yet fit to be printed. */
  readonly detail: string;
  /** Bytes of the body that came. */
  readonly bytes: number;
}

/** Value of a header, the first of that name; `name` in small letters. */
export function header(rawHeaders: readonly string[], name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i].toLowerCase() === name) return rawHeaders[i + 1];
  return undefined;
}
