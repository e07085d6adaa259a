import { readError } from '../../base/files/index.ts';
import { InputError, remembering } from '../../base/index.ts';
import { headOfFile, SiteFiles, siteRoot } from '../../formats/index.ts';
import {
  AGENT, canonicalUrl, decodedEntity, htmlLinks, htmlText, isHtml, pageUrl, resolvedText, robotsTag, saysNofollow,
  saysNoindex, statedType, unpackText, type HttpResponse, type PageText,
} from '../../web/index.ts';
import { preparedPage, type PreparedPage } from '../store/index.ts';

/** A page before it is read: plain data that can be sent to another thread. */
export type PageTask = { readonly url: string } & (
  /** As a crawl stored it (`packText` of `web/`). */
  | { readonly kind: 'stored'; readonly text: Uint8Array }
  /** An answer with a page. */
  | { readonly kind: 'response'; readonly response: HttpResponse }
  /** A file of a folder. `base`: the URL that its links are relative to. */
  | { readonly kind: 'file'; readonly path: string; readonly base: string }
);

/** Why a page has no text to be indexed. */
export type NoText = 'noindex' | 'damaged';

/** What reading a page found. */
export type TaskResult =
  | { readonly without: NoText; readonly fault?: string }
  | { readonly without: undefined; readonly page: PreparedPage; readonly fault?: undefined };

export interface TaskOptions {
  readonly stopWords: ReadonlySet<string>;
  /** Maximum size of a decompressed body, bytes. */
  readonly recordLimitBytes: number;
  /** The folder of the tasks, if they are files. */
  readonly site?: Site | undefined;
}

/** A folder of HTML files: their paths in it, with `/` between, and their URLs. */
export interface Site {
  readonly paths: readonly string[];
  readonly urls: readonly string[];
}

/** Links of a page that are looked at, as in imports. */
const MAX_LINKS = 50_000;
const MAX_REMEMBERED_LINKS = 1 << 15;

/**
 * Makes what reads pages.
 *
 * Errors   the reader throws WorldError if a disk fails.
 * Cost     O(bytes of the page).
 */
export function taskReader(options: TaskOptions): (task: PageTask) => TaskResult {
  const targetOf = siteTargets(options.site ?? { paths: [], urls: [] });
  const textIn = (task: PageTask): PageText | NoText =>
    task.kind === 'file' ? fileText(task, options, targetOf) : textOf(task, options);
  return (task) => {
    try {
      const text = textIn(task);
      if (typeof text === 'string') return { without: text };
      return { without: undefined, page: preparedPage({ url: task.url, text }, options.stopWords) };
    } catch (error) {
      // Of a file that cannot be read.
      if (!(error instanceof InputError)) throw error;
      return { without: 'damaged', fault: error.message };
    }
  };
}

/** Files have no headers, and links of files lead to files. */
function fileText(
  { path, base }: PageTask & { readonly kind: 'file' }, { recordLimitBytes }: TaskOptions,
  targetOf: (link: string) => string | undefined,
): PageText | NoText {
  const text = htmlPageText(htmlText(headOf(path, recordLimitBytes), undefined), new URL(base), pageUrl, {});
  if (typeof text === 'string') return text;
  const anchors = text.anchors.flatMap((anchor) => {
    const url = targetOf(anchor.url);
    return url === undefined ? [] : { url, text: anchor.text };
  });
  return { ...text, anchors };
}

function headOf(path: string, limitBytes: number): Uint8Array {
  try {
    return headOfFile(path, limitBytes).bytes;
  } catch (error) {
    throw readError(path, error);
  }
}

/** The URL of the file that a link of a file leads to; undefined out of the folder. */
function siteTargets({ paths, urls }: Site): (link: string) => string | undefined {
  const files = new SiteFiles(paths);
  // Pages of a folder share most of their links.
  return remembering(MAX_REMEMBERED_LINKS, (link) => {
    const { host, pathname } = new URL(link);
    const page = host === siteRoot.host ? files.pageAt(pathname) : undefined;
    return page === undefined ? undefined : urls[page];
  });
}

function textOf(task: Exclude<PageTask, { kind: 'file' }>, { recordLimitBytes }: TaskOptions): PageText | NoText {
  if (task.kind === 'stored') return unpackText(task.text) ?? 'damaged';
  const { response, url } = task;
  const words = robotsTag([response.headers.get('x-robots-tag') ?? ''], AGENT);
  if (saysNoindex(words)) return 'noindex';
  const body = decodedEntity(response, recordLimitBytes);
  if (body === undefined) return 'damaged';
  const contentType = response.headers.get('content-type');
  return htmlPageText(htmlText(body, contentType), new URL(url), canonicalUrl, {
    isNofollow: saysNofollow(words), isXhtml: statedType(contentType) === 'application/xhtml+xml',
  });
}

function htmlPageText(
  document: string, here: URL, resolve: typeof pageUrl,
  { isNofollow = false, isXhtml = false }: { isNofollow?: boolean; isXhtml?: boolean },
): PageText | NoText {
  const { text, links, base, noindex } = htmlLinks(document, { agent: AGENT, most: MAX_LINKS, isXhtml, text: true });
  if (noindex) return 'noindex';
  const stated = base === undefined ? here : pageUrl(base, here);
  const from = stated instanceof URL ? stated : here;
  return resolvedText(text!, (link) => {
    const url = isNofollow ? 'notHttp' : resolve(links[link], from);
    return url instanceof URL ? url.href : undefined;
  });
}

/** Whether an answer is a page: a successful one with HTML. */
export function isPage(response: HttpResponse): boolean {
  return response.status >= 200 && response.status < 300 && isHtml(response);
}
