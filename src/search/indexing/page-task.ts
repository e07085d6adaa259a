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
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly base: string }
);

/** Why a page has no text to be indexed. */
export type NoText = 'noindex' | 'damaged';

/** What reading a page found. */
export type TaskResult =
  | { readonly without: NoText }
  | { readonly without: undefined; readonly page: PreparedPage };

export interface TaskOptions {
  readonly stopWords: ReadonlySet<string>;
  /** Maximum size of a decompressed body, bytes. */
  readonly recordLimitBytes: number;
}

/** Links of a page that are looked at, as in imports. */
const MAX_LINKS = 50_000;

/** Reads a page. Cost   O(its bytes). */
export function readTask(task: PageTask, options: TaskOptions): TaskResult {
  const text = textOf(task, options);
  return typeof text === 'string'
    ? { without: text } : { without: undefined, page: preparedPage({ url: task.url, text }, options.stopWords) };
}

function textOf(task: PageTask, { recordLimitBytes }: TaskOptions): PageText | NoText {
  if (task.kind === 'stored') return unpackText(task.text) ?? 'damaged';
  if (task.kind === 'file') {
    // Files have no headers, and links of files lead to files.
    return htmlPageText(htmlText(task.bytes, undefined), new URL(task.base), pageUrl, {});
  }
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
