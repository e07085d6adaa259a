/** How a request ended: the outcomes of `world/`. */
export type LoggedOutcome = 'fetched' | 'notFound' | 'serverError' | 'timeout' | 'refused' | 'robotsDenied' |
  'robotsFetched' | 'rejected';

/** A request of a crawl and how long it took; times in microseconds. */
export interface TimedFetch {
  readonly url: string;
  readonly outcome: LoggedOutcome;
  readonly isForRobotsTxt: boolean;
  /** From any origin, the same for all of a log. */
  readonly startUs: number;
  /** 0 if no request was made. */
  readonly durationUs: number;
  /** The four are undefined where the log does not have them; `connectedUs` also where a connection was open. */
  readonly connectedUs?: number | undefined;
  readonly firstByteUs?: number | undefined;
  readonly endUs?: number | undefined;
  readonly pauseUs?: number | undefined;
  /** The IP address that was asked, where the log has it. */
  readonly address?: string | undefined;
  readonly bytes: number;
}

/** The outcome of an HTTP status. A status that may change on a later try is an error of the server. */
export function outcomeOf(status: number): LoggedOutcome {
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'serverError';
  return status >= 200 && status < 400 ? 'fetched' : 'notFound';
}

export function isRobotsTxt(url: string): boolean {
  return /^https?:\/\/[^/]+\/robots\.txt$/.test(url);
}
