import { isUtf8 } from 'node:buffer';
import type { ReadOptions } from '../read-options.ts';
import { eachByteLine, utf8, type Fail } from '../text-lines.ts';
import type { LoggedFetch } from './heritrix-log.ts';

/** The contents of a dump: links to a page, the state of pages, a segment of a crawl. */
export type NutchKind = 'linkdb' | 'crawldb' | 'segment';

/** Hears the contents of a dump, in their order. */
export interface NutchEvents {
  readonly onPage?: (url: string) => void;
  readonly onLink?: (from: string, to: string) => void;
  /** An outcome, in a segment or the database. */
  readonly onFetch?: (fetch: LoggedFetch) => void;
}

/** The kind of a dump that begins with these lines, the first not blank; undefined if it is none. */
export function nutchKind(lines: readonly string[]): NutchKind | undefined {
  const [first = '', second = ''] = lines.filter((line) => line.trim() !== '');
  if (/^Recno:: [0-9]+\s*$/.test(first)) return 'segment';
  if (/^\S+\tInlinks:\s*$/.test(first)) return 'linkdb';
  return /^\S+\tVersion: [0-9]+\s*$/.test(first) && /^Status: [0-9]+ \(\w+\)/.test(second) ? 'crawldb' : undefined;
}

/**
 * Reads a text that Nutch 1 dumps, plain or gzipped:
 *
 *     readlinkdb -dump   URL TAB Inlinks:, then a line ` fromUrl: URL anchor: text` for each link to it
 *     readdb -dump       URL TAB Version: 7, then Status: 2 (db_fetched), Fetch time: ..., Retry interval: N seconds
 *     readseg -dump      Recno:: 0, URL:: ..., then CrawlDatum::, Content::, ParseData:: with its lines
 *                        `  outlink: toUrl: URL anchor: text`, ParseText::
 *
 * The forms follow `toString` of Inlinks, Inlink, CrawlDatum, ParseData and Outlink, and of SegmentReader, in
 * org.apache.nutch. A page's own text is not parsed: `Recno::` ends it only with the number that must come next.
 *
 * Errors   InputError with file and line.
 */
export async function eachNutchRecord(
  path: string, kind: NutchKind, options: ReadOptions, events: NutchEvents,
): Promise<void> {
  const parser = kind === 'segment' ? new SegmentLines(events) : new DatabaseLines(kind, events);
  await eachByteLine(path, options, (bytes, fail) => {
    // Pages come in any encoding; only lines of Nutch's own matter.
    if (isUtf8(bytes)) parser.take(utf8(bytes), fail);
    else if (kind !== 'segment') fail('is not UTF-8');
  });
  parser.end();
}

/** A CrawlDatum, line by line. */
class Datum {
  readonly #url: string;
  readonly #statuses: RegExp;
  #status = '';
  #timeMs = NaN;
  #intervalMs = 0;

  /** @param from whose view counts: a segment also has the database's view, from before the fetch. */
  constructor(url: string, from: 'db' | 'fetch') {
    this.#url = url;
    this.#statuses = new RegExp(`^${from}_(\\w+)$`);
  }

  take(line: string, fail: Fail): void {
    const [, name, value] = /^(Status|Fetch time|Retry interval): (.*)$/.exec(line) ?? [];
    if (name === 'Status')
      this.#status = /\((\w+)\)/.exec(value)?.[1] ?? fail('expected a status, as in 2 (db_fetched)');
    if (name === 'Retry interval') this.#intervalMs = 1000 * Number(/^[0-9]{1,12}/.exec(value)?.[0] ?? 0);
    if (name !== 'Fetch time') return;
    this.#timeMs = dateMs(value);
    if (Number.isNaN(this.#timeMs)) fail('expected a time, as in Wed Jun 04 17:00:05 CST 2014');
  }

  /**
   * The outcome of a fetch, if it is one. The database states the time of the next fetch, which is the interval after
   * the last one.
   */
  outcome(): LoggedFetch | undefined {
    const what = this.#statuses.exec(this.#status)?.[1];
    if (what === undefined || what === 'unfetched' || Number.isNaN(this.#timeMs)) return undefined;
    const endMs = this.#timeMs - (this.#status.startsWith('db') ? this.#intervalMs : 0);
    return { url: this.#url, endMs, isFetched: fetchedStatuses.has(what) };
  }
}

const fetchedStatuses = new Set(['success', 'fetched', 'notmodified', 'redir_temp', 'redir_perm']);

/** Passes on what the lines of a dump say. */
abstract class DumpLines {
  protected url: string | undefined;
  protected datum: Datum | undefined;
  protected readonly events: NutchEvents;

  constructor(events: NutchEvents) {
    this.events = events;
  }

  abstract take(line: string, fail: Fail): void;

  /** Ends what was read of a page. */
  end(): void {
    const fetch = this.datum?.outcome();
    if (fetch !== undefined) this.events.onFetch?.(fetch);
    this.datum = undefined;
  }
}

class DatabaseLines extends DumpLines {
  readonly #kind: 'linkdb' | 'crawldb';

  constructor(kind: 'linkdb' | 'crawldb', events: NutchEvents) {
    super(events);
    this.#kind = kind;
  }

  take(line: string, fail: Fail): void {
    if (line.trim() === '') return;
    const begin = this.#kind === 'linkdb' ? /^(\S+)\tInlinks:\s*$/ : /^(\S+)\tVersion: [0-9]+\s*$/;
    const match = begin.exec(line);
    if (match !== null) {
      this.end();
      [, this.url] = match;
      this.events.onPage?.(this.url);
      if (this.#kind === 'crawldb') this.datum = new Datum(this.url, 'db');
      return;
    }
    if (this.url === undefined) fail(`expected a URL, a tab and ${this.#kind === 'linkdb' ? 'Inlinks:' : 'Version:'}`);
    else if (this.#kind === 'crawldb') {
      if (!/^([A-Z][\w ]*:|\s)/.test(line)) fail('expected a line as in Status: 2 (db_fetched), or the next URL');
      this.datum?.take(line, fail);
    } else {
      const [, from] = /^\s+fromUrl: (\S+) anchor:/.exec(line) ??
        fail('expected fromUrl: URL anchor: text, or the next URL');
      this.events.onLink?.(from, this.url);
    }
  }
}

class SegmentLines extends DumpLines {
  #record = -1;
  #section = '';

  take(line: string, fail: Fail): void {
    const recno = /^Recno:: ([0-9]{1,15})\s*$/.exec(line)?.[1];
    const isOfPage = this.#section === 'Content' || this.#section === 'ParseText';
    if (recno !== undefined && (!isOfPage || Number(recno) === this.#record + 1)) {
      this.end();
      [this.#record, this.url, this.#section] = [Number(recno), undefined, ''];
      return;
    }
    if (this.#record < 0) {
      if (line.trim() !== '') fail('expected Recno:: and a number');
      return;
    }
    if (this.url === undefined) {
      if (line.trim() === '') return;
      [, this.url] = /^URL:: (\S+)\s*$/.exec(line) ?? fail('expected URL:: and the URL of the record');
      this.events.onPage?.(this.url);
      return;
    }
    const section = /^(CrawlDatum|Content|ParseData|ParseText)::\s*$/.exec(line)?.[1];
    if (section !== undefined) {
      this.end();
      this.#section = section;
      if (section === 'CrawlDatum') this.datum = new Datum(this.url, 'fetch');
    } else if (this.#section === 'CrawlDatum') this.datum?.take(line, fail);
    else if (this.#section === 'ParseData' && line.startsWith('  outlink: ')) {
      const [, to] = /^ {2}outlink: toUrl: (\S+) anchor:/.exec(line) ??
        fail('expected outlink: toUrl: URL anchor: text');
      this.events.onLink?.(this.url, to);
    }
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Zones in summer, an hour ahead of themselves in winter. */
const summer = /^([A-Z]+DT|BST|CEST|EEST|WEST|MSD)$/;

/**
 * The time in a text of java.util.Date (`Wed Jun 04 17:00:05 CST 2014`), or of ISO 8601. A zone's letters are
 * ambiguous, but a dump is written in one zone: only its summer time is taken into account, so times compare within a
 * dump and are not UTC.
 */
function dateMs(text: string): number {
  const match = /^\w{3} (\w{3}) (\d\d) (\d\d):(\d\d):(\d\d) (\S+) (\d{4})\s*$/.exec(text);
  if (match === null) return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text.trim()) : NaN;
  const [, month, day, hour, minute, second, zone, year] = match;
  if (!months.includes(month)) return NaN;
  const hours = Number(hour) - (summer.test(zone) ? 1 : 0);
  return Date.UTC(Number(year), months.indexOf(month), Number(day), hours, Number(minute), Number(second));
}
