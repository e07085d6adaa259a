import { fieldsOf, separators, type Separator } from '../columns/csv-fields.ts';
import type { Fail } from '../text-lines.ts';
import { isRobotsTxt, outcomeOf, type LoggedOutcome, type TimedFetch } from './timed-fetch.ts';

/** Names of columns, in any case and with any punctuation; a unit at the end of a name counts. */
const names = {
  url: ['url', 'uri', 'page'],
  start: ['start', 'started', 'startedat', 'time', 'timestamp'],
  duration: ['duration', 'downloadlatency', 'elapsed', 'requesttime', 'responsetime', 'latency'],
  bytes: ['bytes', 'size', 'length', 'bodybytessent', 'responsebytes'],
  status: ['status', 'statuscode', 'code', 'responsestatus'],
} as const;
type Column = keyof typeof names;
const columns = Object.keys(names) as Column[];

const units = { us: 1, ms: 1000, s: 1e6, seconds: 1e6, '': 1e6 } as const;

interface Layout {
  readonly separator: Separator;
  readonly fields: number;
  readonly places: Readonly<Record<Column, number>>;
  /** Microseconds in the unit of the two columns of time. */
  readonly start: number;
  readonly duration: number;
}

/** Whether a line is the header of such a table: it names URLs and at least one time. */
export function beginsTimedTable(line: string): boolean {
  return separators.some((separator) => {
    const places = placesIn(line, separator)?.places;
    return places !== undefined && places.url >= 0 && (places.duration >= 0 || places.start >= 0);
  });
}

/**
 * The parser of the lines after this header. Times are seconds unless the column's name ends in ms or us; a start may
 * also be a date of ISO 8601. A status is an HTTP status, or the name of an outcome.
 */
export function timedTable(header: string, fail: Fail): (line: string, fail: Fail) => TimedFetch {
  const layouts = separators.map((separator) => placesIn(header, separator));
  const layout = layouts.find((some) => some !== undefined && some.places.url >= 0) ??
    fail('is not a header');
  const absent = columns.filter((column) => layout.places[column] < 0);
  if (absent.length > 0) fail(`names no column ${absent.join(', nor ')}`);
  return (line, failAt) => rowOf(layout, line, failAt);
}

function placesIn(header: string, separator: Separator): Layout | undefined {
  const fields = fieldsOf(header, separator);
  if (!Array.isArray(fields) || fields.length < 2) return undefined;
  const plain = fields.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  const unitOf: Partial<Record<Column, number>> = {};
  const places = Object.fromEntries(columns.map((column) => {
    for (const [unit, us] of Object.entries(units)) {
      const place = plain.findIndex((name) => names[column].some((word) => name === word + unit));
      if (place < 0) continue;
      unitOf[column] = us;
      return [column, place];
    }
    return [column, -1];
  })) as Record<Column, number>;
  const { start = 1e6, duration = 1e6 } = unitOf;
  return { separator, fields: fields.length, places, start, duration };
}

function rowOf({ separator, fields, places, ...us }: Layout, line: string, fail: Fail): TimedFetch {
  const row = fieldsOf(line, separator);
  if (!Array.isArray(row) || row.length !== fields) return fail(`has not the ${fields} fields of the header`);
  const at = (column: Column): string => row[places[column]];
  const start = at('start');
  const startUs = /^\d{4}-\d\d-\d\d/.test(start) ? 1000 * Date.parse(start) : us.start * numberIn(start);
  const durationUs = us.duration * numberIn(at('duration'));
  const bytes = at('bytes') === '' || at('bytes') === '-' ? 0 : numberIn(at('bytes'));
  if (Number.isNaN(startUs)) fail('its start is neither a number nor a date');
  if (Number.isNaN(durationUs)) fail('its duration is not a number');
  if (!(bytes >= 0)) fail('its size is not a number of bytes');
  const url = at('url');
  const outcome = outcomeIn(at('status')) ?? fail('its status is neither an HTTP status nor an outcome');
  const isForRobotsTxt = isRobotsTxt(url);
  return {
    url, startUs: Math.round(startUs), durationUs: Math.round(durationUs), bytes, isForRobotsTxt,
    outcome: isForRobotsTxt && (outcome === 'fetched' || outcome === 'notFound') ? 'robotsFetched' : outcome,
  };
}

const numberIn = (text: string): number => (text.trim() === '' ? NaN : Number(text));

function outcomeIn(text: string): LoggedOutcome | undefined {
  if (/^[1-5]\d\d$/.test(text)) return outcomeOf(Number(text));
  const words: Readonly<Record<string, LoggedOutcome>> = { timeout: 'timeout', refused: 'refused', error: 'refused' };
  return words[text.toLowerCase()];
}
