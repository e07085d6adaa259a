import { readError } from '../../base/files/index.ts';
import { InputError, remembering } from '../../base/index.ts';
import { headOfFile, SiteFiles, siteRoot } from '../../graphs/formats/index.ts';
import {
  AGENT, canonicalUrl, decodedEntity, header, headers, htmlLinks, htmlText, isHtml, pageUrl, resolvedText, robotsTag,
  saysNofollow, saysNoindex, statedType, unpackRuns, type HtmlText, type HttpResponse, type LinedText,
} from '../../base/web/index.ts';
import { preparedPages, type PreparedPages, type ReadPage } from '../store/index.ts';

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

/** The results of some tasks, in their order. */
export interface TaskResults {
  /** Undefined for tasks that have a text, whose page is in `prepared`. */
  readonly left: readonly (LeftOut | undefined)[];
  readonly prepared: PreparedPages;
}

/** A page without a text. */
export interface LeftOut {
  readonly why: NoText;
  /** Its fault, in words. */
  readonly fault?: string | undefined;
}

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
/** Links whose target is remembered, of a folder, and folders. */
const MAX_REMEMBERED_LINKS = 1 << 12;
const MAX_REMEMBERED_FOLDERS = 8;

/**
 * A function that reads pages.
 *
 * Errors   the reader throws WorldError if a disk fails.
 * Cost     O(bytes of the pages).
 */
export function taskReader(options: TaskOptions): (tasks: readonly PageTask[]) => TaskResults {
  const targetOf = siteTargets(options.site ?? { paths: [], urls: [] });
  const resolvers = {
    page: linkResolver((link, from) => {
      const url = canonicalUrl(link, from);
      return url instanceof URL ? url.href : undefined;
    }),
    file: linkResolver((link, from) => targetOf(pageUrl(link, from))),
  };
  const textIn = (task: PageTask): ReadPage['text'] | NoText => {
    if (task.kind === 'stored') return unpackRuns(task.text) ?? 'damaged';
    return task.kind === 'file' ? fileText(task, options, resolvers.file) : textOf(task, options, resolvers.page);
  };
  const readTask = (task: PageTask): ReadPage | LeftOut => {
    try {
      const text = textIn(task);
      return typeof text === 'string' ? { why: text } : { url: task.url, text };
    } catch (error) {
      // A file cannot be read.
      if (!(error instanceof InputError)) throw error;
      return { why: 'damaged', fault: error.message };
    }
  };
  return (tasks) => {
    const results = tasks.map(readTask);
    return {
      left: results.map((result) => 'why' in result ? result : undefined),
      prepared: preparedPages(results.map((result) => 'why' in result ? undefined : result), options.stopWords),
    };
  };
}

/** The text of a file, which has no headers. */
function fileText(
  { path, base }: PageTask & { readonly kind: 'file' }, { recordLimitBytes }: TaskOptions, targetOf: Resolve,
): LinedText | NoText {
  let bytes: Uint8Array;
  try {
    ({ bytes } = headOfFile(path, recordLimitBytes));
  } catch (error) {
    throw readError(path, error);
  }
  return htmlPageText(htmlText(bytes, undefined), new URL(base), targetOf, {});
}

/** The URL of the file that a link of a file leads to; undefined out of the folder. */
function siteTargets({ paths, urls }: Site): (link: URL | string) => string | undefined {
  const files = new SiteFiles(paths);
  return (link) => {
    const page = link instanceof URL && link.host === siteRoot.host ? files.pageAt(link.pathname) : undefined;
    return page === undefined ? undefined : urls[page];
  };
}

/** Canonical URL of a link of a page; undefined if it is left out. */
type Resolve = (link: string, from: URL) => string | undefined;

/** These links lead to the same page from all pages of a folder. */
const isOfFolder = /^(?:https?:\/\/|(?![?#])[!-~][^:]*$)/i;

/** Resolves links as `resolve` does. Pages of a folder share most of their links, and resolving is costly. */
function linkResolver(resolve: Resolve): Resolve {
  const inFolder = remembering(MAX_REMEMBERED_FOLDERS, (folder) => {
    const base = new URL(folder);
    return remembering(MAX_REMEMBERED_LINKS, (link) => resolve(link, base));
  });
  let [page, folder] = [siteRoot, inFolder(siteRoot.href)];
  return (link, from) => {
    if (from !== page) [page, folder] = [from, inFolder(new URL('.', from).href)];
    return isOfFolder.test(link) ? folder(link) : resolve(link, from);
  };
}

function textOf(
  { response, url }: PageTask & { readonly kind: 'response' }, { recordLimitBytes }: TaskOptions, urlOf: Resolve,
): LinedText | NoText {
  const words = robotsTag(headers(response.rawHeaders, 'x-robots-tag'), AGENT);
  if (saysNoindex(words)) return 'noindex';
  const body = decodedEntity(response, recordLimitBytes);
  if (body === undefined) return 'damaged';
  const contentType = header(response.rawHeaders, 'content-type');
  return htmlPageText(htmlText(body.bytes, contentType), new URL(url), urlOf, {
    isNofollow: saysNofollow(words), isXhtml: statedType(contentType) === 'application/xhtml+xml',
  });
}

function htmlPageText(
  document: HtmlText, here: URL, urlOf: Resolve,
  { isNofollow = false, isXhtml = false }: { isNofollow?: boolean; isXhtml?: boolean },
): LinedText | NoText {
  const { text, links, base, noindex } = htmlLinks(document.text, {
    encoding: document.encoding, agent: AGENT, most: MAX_LINKS, isXhtml, text: true,
  });
  if (noindex) return 'noindex';
  const baseUrl = base === undefined ? here : pageUrl(base, here);
  const from = baseUrl instanceof URL ? baseUrl : here;
  return resolvedText(text!, (link) => isNofollow ? undefined : urlOf(links[link], from));
}

/** Whether an answer is a page: a successful one with HTML. */
export function isPage(response: HttpResponse, limitBytes: number): boolean {
  return response.status >= 200 && response.status < 300 && isHtml(response, limitBytes);
}
