import { InputError, LargeMap } from '../../../base/index.ts';
import { canonicalUrl } from '../../../base/web/index.ts';
import { startOf } from '../file-start.ts';
import type { ReadOptions } from '../read-options.ts';
import { eachHeritrixLine, isHeritrixLine, type LoggedFetch } from './heritrix-log.ts';
import { eachNutchRecord, nutchKind } from './nutch-dump.ts';

/** The order in which another crawler fetched pages. */
export interface CrawlOrder {
  /** What it was read from, as in `a Heritrix crawl log`. */
  readonly source: string;
  /** Host and path of each page, without repetition, by the end of its first download. */
  readonly pages: readonly { readonly host: string; readonly path: string }[];
  /** Pages that share their time with the page before: they are in the order of the file. */
  readonly ties: number;
  /** URLs without a fetched page: failed, of other schemes, only needed for others (robots.txt). */
  readonly leftOut: number;
}

/**
 * Reads a crawl log of Heritrix, or a dump of Nutch's CrawlDb or of a segment, as an order of pages; undefined if the
 * file begins as none of these. Redirects count as pages, as in archives. The first fetch of a page counts; the CrawlDb
 * has the last one (nutch-dump.ts), to the second.
 * Errors   InputError with file and line; for a dump of the LinkDb, which has no times; if nothing was fetched.
 * Memory   about 200 bytes per page.
 */
export async function readCrawlOrder(path: string, options: ReadOptions = {}): Promise<CrawlOrder | undefined> {
  const start = await startOf(path);
  const isHeritrix = isHeritrixLine(start.firstLine ?? '');
  const kind = isHeritrix ? undefined : nutchKind(start.lines);
  if (!isHeritrix && kind === undefined) return undefined;
  if (kind === 'linkdb')
    throw new InputError(`${path}: is a dump of Nutch's LinkDb, which has no times; the CrawlDb's (readdb -dump) has`);
  const first = new LargeMap<string, { readonly host: string; readonly path: string; endMs: number }>();
  let lines = 0;
  const take = ({ url: text, endMs, isFetched }: LoggedFetch): void => {
    lines++;
    const url = isFetched ? canonicalUrl(text) : 'invalid';
    if (typeof url === 'string') return;
    const key = url.host + url.pathname + url.search;
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, { host: url.host, path: url.pathname + url.search, endMs });
    else earlier.endMs = Math.min(earlier.endMs, endMs);
  };
  const unless = (isPrerequisite: boolean, line: LoggedFetch): void => {
    take(isPrerequisite ? { ...line, isFetched: false } : line);
  };
  if (kind === undefined) await eachHeritrixLine(path, options, (line) => { unless(line.isPrerequisite, line); });
  else await eachNutchRecord(path, kind, options, { onFetch: take });
  const pages = [...first.values()].sort((a, b) => a.endMs - b.endMs);
  if (pages.length === 0) throw new InputError(`${path}: contains no page that was fetched`);
  const ties = pages.filter(({ endMs }, i) => i > 0 && endMs === pages[i - 1].endMs).length;
  const source = kind === undefined ? 'a Heritrix crawl log'
    : kind === 'crawldb' ? "a dump of Nutch's CrawlDb" : "a dump of a Nutch segment";
  return { source, pages, ties, leftOut: lines - pages.length };
}
