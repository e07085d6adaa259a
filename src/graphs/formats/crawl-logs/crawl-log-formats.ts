import { InputError } from '../../../base/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { canonicalUrl, queryDropper } from '../../../base/web/index.ts';
import { CrawlPages } from '../crawl-pages.ts';
import { startOf, type FileStart } from '../file-start.ts';
import type { Format } from '../format.ts';
import { graphNameOfParts } from '../graph-name.ts';
import { buildNoting, type OpenOptions, type WarcOptions } from '../read-options.ts';
import { eachHeritrixLine, isHeritrixLine } from './heritrix-log.ts';
import { eachNutchRecord, nutchKind } from './nutch-dump.ts';

export const heritrix = {
  name: 'heritrix',
  title: 'Heritrix crawl log',
  holds: 'crawl.log, whose links are those of discovery alone',
  several: true,
  dropsQuery: true,
  begins: ({ firstLine = '' }) => isHeritrixLine(firstLine),
  read: readHeritrixLog,
} as const satisfies Format;

export const nutch = {
  name: 'nutch',
  title: 'Nutch dump',
  holds: 'the text of readseg -dump or readlinkdb -dump',
  several: true,
  dropsQuery: true,
  begins: (start) => kindOf(start) !== undefined,
  read: readNutchDumps,
} as const satisfies Format;

function kindOf({ lines, isMarkup }: FileStart): ReturnType<typeof nutchKind> {
  return isMarkup ? undefined : nutchKind(lines);
}

/** Pages by URL; others are left out and counted. */
class LoggedPages {
  readonly pages = new CrawlPages();
  readonly #dropped: (url: URL) => URL;
  #odd = 0;

  /** @throws InputError as queryDropper. */
  constructor({ dropQuery = [] }: WarcOptions) {
    this.#dropped = queryDropper(dropQuery);
  }

  idOf(text: string): number | undefined {
    const url = canonicalUrl(text);
    if (typeof url !== 'string') return this.pages.idOf(this.#dropped(url));
    this.#odd++;
    return undefined;
  }

  /** A redirect from http to https leads from a page to itself, as a graph has no schemes. */
  link(source: number | undefined, target: number | undefined): void {
    if (source !== undefined && target !== undefined && source !== target) this.pages.link(source, target);
  }

  graph(name: string, { fetchedOnly = false, onNote }: WarcOptions, hasBytes: boolean): WebGraph {
    if (this.#odd > 0) {
      const mentions = this.#odd === 1 ? '1 mention of a URL' : `${this.#odd} mentions of URLs`;
      onNote?.(`${name}: ${mentions} left out: not valid, or not of http or https`);
    }
    const { bytes, ...parts } = this.pages.parts(fetchedOnly);
    return buildNoting({ name, ...parts, ...(hasBytes && { bytes }) }, onNote);
  }
}

/**
 * Reads crawl logs of Heritrix 3 (heritrix-log.ts); several make one graph. Pages are the URLs of http and https that
 * were not only needed for others (robots.txt, addresses of hosts): first the fetched pages, with their sizes, then
 * those that failed or are only referrers. The links are those by which pages were discovered, mostly one to each page:
 * a warning says so. Lines without a referrer are the seed pages.
 * Errors   InputError with file and line, or if there is no page.
 * Cost     O(bytes + n + m), some 3 microseconds per line; memory: about 200 bytes per page.
 */
export async function readHeritrixLog(paths: readonly string[], options: OpenOptions = {}): Promise<WebGraph> {
  const logged = new LoggedPages(options);
  const { pages } = logged;
  let prerequisites = 0;
  for (const path of paths) {
    await eachHeritrixLine(path, options, ({ url, via, bytes, isFetched, isPrerequisite }) => {
      if (isPrerequisite) {
        prerequisites++;
        return;
      }
      const id = logged.idOf(url);
      if (id === undefined) return;
      if (isFetched && !pages.isCaptured(id)) pages.capture(id, bytes);
      if (via === undefined) pages.seed(id);
      else logged.link(logged.idOf(via), id);
    });
  }
  if (pages.mentioned === 0 || (options.fetchedOnly === true && pages.captured === 0))
    throw new InputError(`${paths[0]}: contains no page; expected lines of URLs of http or https that were fetched`);
  const name = options.name ?? graphNameOfParts(paths);
  const { onNote, onFault = onNote } = options;
  onFault?.(
    `${name}: a crawl log has only the links by which pages were discovered, about one per page: ` +
      'PageRank and orders on this graph differ from those of the crawled web',
  );
  if (prerequisites > 0) {
    const lines = prerequisites === 1 ? '1 line' : `${prerequisites} lines`;
    onNote?.(`${name}: ${lines} of robots.txt and host addresses left out`);
  }
  const others = pages.mentioned - pages.captured;
  if (others > 0 && options.fetchedOnly !== true)
    onNote?.(`${name}: ${others} ${others === 1 ? 'page was' : 'pages were'} not fetched`);
  return logged.graph(name, options, true);
}

/**
 * Reads texts that Nutch dumps (nutch-dump.ts); several make one graph: segments with the links that were found on each
 * page, and databases of links to each page. Fetched pages come first. Nutch leaves out links by its settings, and a
 * warning says so.
 * Errors   InputError with file and line; for a dump of the CrawlDb, which has no links; if there is no page.
 * Cost     as readHeritrixLog.
 */
export async function readNutchDumps(paths: readonly string[], options: OpenOptions = {}): Promise<WebGraph> {
  const logged = new LoggedPages(options);
  const { pages } = logged;
  const kinds = new Set<string>();
  for (const path of paths) {
    const kind = kindOf(await startOf(path));
    if (kind === undefined) throw new InputError(`${path}: line 1: is not the beginning of a text that Nutch dumps`);
    if (kind === 'crawldb') {
      throw new InputError(
        `${path}: is a dump of Nutch's CrawlDb, which has no links; read that of a segment (readseg -dump) or of the ` +
          'LinkDb (readlinkdb -dump). orbweaver compare RUN FILE reads it as the order of a crawl',
      );
    }
    kinds.add(kind);
    await eachNutchRecord(path, kind, options, {
      onPage: (url) => { logged.idOf(url); },
      onLink: (from, to) => { logged.link(logged.idOf(from), logged.idOf(to)); },
      onFetch: ({ url, isFetched }) => {
        const id = logged.idOf(url);
        if (id !== undefined && isFetched && !pages.isCaptured(id)) pages.capture(id, 0);
      },
    });
  }
  if (pages.mentioned === 0 || (options.fetchedOnly === true && pages.captured === 0))
    throw new InputError(`${paths[0]}: contains no page; expected URLs of http or https that were fetched`);
  const name = options.name ?? graphNameOfParts(paths);
  const { onNote, onFault = onNote } = options;
  if (kinds.has('linkdb')) {
    onFault?.(
      `${name}: Nutch's LinkDb lacks links within a host, unless linkdb.ignore.internal.links was false, and those ` +
        'beyond linkdb.max.inlinks to a page',
    );
  }
  if (kinds.has('segment')) onFault?.(`${name}: Nutch's segments lack links beyond db.max.outlinks.per.page of a page`);
  return logged.graph(name, options, false);
}
