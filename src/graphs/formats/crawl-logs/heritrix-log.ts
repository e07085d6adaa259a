import type { ReadOptions } from '../read-options.ts';
import { eachTextLine } from '../text-lines.ts';

/** A URL that a crawler processed, or tried to. */
export interface LoggedFetch {
  readonly url: string;
  /** When it ended; milliseconds since 1970. */
  readonly endMs: number;
  readonly isFetched: boolean;
}

/** A line of a crawl log. */
export interface HeritrixLine extends LoggedFetch {
  /** Bytes of the document; 0 if unknown. */
  readonly bytes: number;
  /** The URL where it was discovered; undefined for a seed. */
  readonly via: string | undefined;
  /** It was needed for another URL, as robots.txt is. */
  readonly isPrerequisite: boolean;
  /** The status of HTTP, or one of Heritrix's own, which are negative. */
  readonly status: number;
  /** Both undefined if it was not tried; start since 1970. */
  readonly startMs: number | undefined;
  readonly durationMs: number | undefined;
}

const form = new RegExp(
  '^(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z) +(-?\\d{1,5}) +(\\d{1,15}|-) (\\S+) (\\S+) (\\S+) \\S+ ' +
    '#\\d+ (?:(\\d{17})\\+(-?\\d{1,12})|-)(?: |$)',
);

export function isHeritrixLine(line: string): boolean {
  return form.test(line);
}

/**
 * Reads the `crawl.log` of Heritrix 3, plain or gzipped: one line per URL, with blanks between time, status, size, URL,
 * discovery path, the URL where it was discovered, type, thread, start and duration, digest, source tag, annotations.
 * The form follows org.archive.crawler.io.UriProcessingFormatter and "crawl.log" in Heritrix's wiki (Logs). A URL
 * counts as fetched if its status is from 200 to 399; Heritrix's own statuses are negative. A time is the end of the
 * download; if it is unknown, the time of the line.
 *
 * Errors   InputError with file and line.
 */
export async function eachHeritrixLine(
  path: string, options: ReadOptions, take: (line: HeritrixLine) => void,
): Promise<void> {
  await eachTextLine(path, options, (text, fail) => {
    if (text === '') return;
    const match = form.exec(text) ?? fail(
      "expected a line of Heritrix's crawl log: time, status, size, URL, discovery path, referrer, type, #thread, " +
        'start+milliseconds',
    );
    const [, time, status, size, url, discovery, via, start, duration] = match as (string | undefined)[];
    const endMs = start === undefined ? Date.parse(time ?? '') : msOf(start) + Number(duration);
    if (Number.isNaN(endMs)) fail('its time is not one of the calendar');
    take({
      url: url ?? '', endMs, isFetched: Number(status) >= 200 && Number(status) < 400,
      bytes: size === '-' ? 0 : Number(size),
      via: via === '-' ? undefined : via,
      isPrerequisite: discovery?.endsWith('P') === true,
      status: Number(status),
      startMs: start === undefined ? undefined : msOf(start),
      durationMs: start === undefined ? undefined : Number(duration),
    });
  });
}

/** The time in 17 digits, yyyyMMddHHmmssSSS, of UTC. */
function msOf(digits: string): number {
  const [, year, month, day, hour, minute, second, ms] = /^(....)(..)(..)(..)(..)(..)(...)$/.exec(digits) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`);
}
