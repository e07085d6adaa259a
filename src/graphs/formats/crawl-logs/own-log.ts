import { isIP } from 'node:net';
import type { Fail } from '../text-lines.ts';
import type { LoggedOutcome, TimedFetch } from './timed-fetch.ts';

const outcomes: readonly string[] = [
  'fetched', 'notFound', 'serverError', 'timeout', 'refused', 'robotsDenied', 'robotsFetched', 'rejected', 'busy',
];

/** The columns of core/live/archive/crawl-log.ts; earlier versions had the first nine, or all but the address. */
const form = new RegExp(
  '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z +(?:\\d+|-) +(\\d+) (\\w+) +\\d+ (\\S+) \\S+ \\S+ (\\S+)' +
    '(?:( (?:-?\\d+|-) (?:-?\\d+|-) (?:-?\\d+|-) (?:-?\\d+|-) (?:-?\\d+|-) -?\\d+)(?: (\\S+))?)?$',
);

/** Whether it is a line of the crawl.log of a live crawl, of this version or an earlier one. */
export function isOwnLine(line: string): boolean {
  const match = form.exec(line);
  return match !== null && outcomes.includes(match[2]);
}

/** A line as a request; undefined if nobody was asked. Fails for another line, and for a line without times. */
export function ownFetch(line: string, fail: Fail): TimedFetch | undefined {
  const [, bytes, outcome, url, reason, times, address = '-'] = (form.exec(line) as (string | undefined)[] | null) ??
    fail('is not a line of a crawl.log');
  if (outcome === 'busy') return undefined;
  if (times === undefined)
    return fail('has no times of the request, because an earlier version of orbweaver wrote the log');
  const [startUs, connectedUs, firstByteUs, endUs, storedUs, pauseUs] = times.trim().split(' ')
    .map((text) => (text === '-' ? undefined : Number(text)));
  const isForRobotsTxt = outcome === 'robotsFetched' || reason?.startsWith('robots.txt:') === true;
  return {
    url: url ?? '', outcome: outcome as LoggedOutcome, bytes: Number(bytes), pauseUs, isForRobotsTxt,
    startUs: startUs ?? 0, durationUs: storedUs ?? 0, connectedUs, firstByteUs, endUs,
    address: isIP(address) === 0 ? undefined : address,
  };
}
