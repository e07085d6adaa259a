/** A finished request. */
export interface LoggedRequest {
  /** Number of its connection, from 0. */
  readonly connection: number;
  readonly method: string;
  /** As requested, in lower case; empty if the request could not be read. */
  readonly host: string;
  /** Path and query as sent. */
  readonly path: string;
  /** 0 without a response. */
  readonly status: number;
  /** When its head had arrived, microseconds since the server began, by a clock that never falls. */
  readonly startedAtUs: number;
  /** When the last byte of the response was handed to the system, or the connection was closed. */
  readonly endedAtUs: number;
  /** Bytes of the body that were handed to the connection. */
  readonly bytes: number;
  readonly end: 'sent' | 'closed by client' | 'destroyed';
}

/** A request as a line of JSON, without control characters or marks that change the writing direction. */
export function logLine(request: LoggedRequest): string {
  const json = JSON.stringify(request);
  const invisible = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
  return `${json.replace(invisible, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
