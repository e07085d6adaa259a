import { InputError } from '../../../base/index.ts';
import { startOf } from '../file-start.ts';
import type { ReadOptions } from '../read-options.ts';
import { eachTextLine, type Fail } from '../text-lines.ts';
import { eachHeritrixLine, isHeritrixLine, type HeritrixLine } from './heritrix-log.ts';
import { isOwnLine, ownFetch } from './own-log.ts';
import { isRobotsTxt, outcomeOf, type LoggedOutcome, type TimedFetch } from './timed-fetch.ts';
import { beginsTimedTable, timedTable } from './timed-table.ts';

/**
 * Reads how long the requests of a crawl took, plain or gzipped: from Orbweaver's own crawl.log, Heritrix's, or
 * a table with a header that has columns for URL, start, duration, bytes and status (timed-table.ts).
 *
 * Errors   InputError with file and line; for a file that is none of these; for a log without times.
 */
export async function readTimedFetches(path: string, options: ReadOptions = {}): Promise<TimedFetch[]> {
  const { firstLine = '' } = await startOf(path);
  const fetches: TimedFetch[] = [];
  if (isHeritrixLine(firstLine)) {
    await eachHeritrixLine(path, options, (line) => {
      if (Number(line.durationMs) < 0) throw new InputError(`${path}: ${line.url}: has a negative duration`);
      const fetch = heritrixFetch(line);
      if (fetch !== undefined) fetches.push(fetch);
    });
    return fetches;
  }
  const isOwn = isOwnLine(firstLine);
  if (!isOwn && !beginsTimedTable(firstLine)) {
    throw new InputError(
      `${path}: is not a log of a crawl with times: neither a crawl.log of orbweaver crawl or of Heritrix, nor a table ` +
        'whose header names the columns url, start, duration, bytes and status',
    );
  }
  let parse: ((line: string, fail: Fail) => TimedFetch | undefined) | undefined = isOwn ? ownFetch : undefined;
  await eachTextLine(path, options, (text, fail) => {
    if (text === '') return;
    if (parse === undefined) {
      parse = timedTable(text, fail);
      return;
    }
    const fetch = parse(text, fail);
    if (fetch === undefined) return;
    if (isBackwards(fetch)) fail('has a negative duration');
    fetches.push(fetch);
  });
  return fetches;
}

function isBackwards({ connectedUs = 0, firstByteUs, endUs, durationUs }: TimedFetch): boolean {
  const end = endUs ?? durationUs;
  const steps = [0, connectedUs, firstByteUs ?? Math.max(0, end), end, durationUs];
  return steps.some((us, i) => i > 0 && us < steps[i - 1]);
}

/** The request to a host; undefined for a look-up of its address, or a URL that was not tried. */
function heritrixFetch(line: HeritrixLine): TimedFetch | undefined {
  const { url, status, startMs, durationMs, bytes, isPrerequisite } = line;
  if (!/^https?:/.test(url)) return undefined;
  const outcome = heritrixOutcome(status);
  if (outcome === undefined || (durationMs === undefined && outcome !== 'robotsDenied')) return undefined;
  const isForRobotsTxt = isPrerequisite && isRobotsTxt(url);
  return {
    url, isForRobotsTxt, bytes, startUs: 1000 * (startMs ?? 0), durationUs: 1000 * (durationMs ?? 0),
    outcome: isForRobotsTxt && (outcome === 'fetched' || outcome === 'notFound') ? 'robotsFetched' : outcome,
  };
}

/** The outcome of a status code in org.archive.modules.fetcher.FetchStatusCodes. */
function heritrixOutcome(status: number): LoggedOutcome | undefined {
  if (status > 0) return outcomeOf(status);
  return ({ '-2': 'refused', '-3': 'refused', '-4': 'timeout', '-9998': 'robotsDenied' } as const)[String(status)];
}
