import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { entriesOf, fileNamesIn, readError } from '../../base/files/index.ts';
import { InputError, LargeMap } from '../../base/index.ts';
import { archiveRecords, htmlFiles, isNamedArchive, SiteFiles } from '../../graphs/formats/index.ts';
import { openLmdbStoreToRead } from '../../core/live/index.ts';
import { canonicalUrl, httpResponse, type WarcRecord } from '../../base/web/index.ts';
import { isPage, type PageTask, type Site } from './page-task.ts';
import type { Tasks } from './task-readers.ts';

/** A source of pages, in a fixed order. */
export interface Source {
  /** As in `crawls/x: the texts of a crawl`. */
  readonly title: string;
  /** Stored bytes, or pages. */
  readonly size: number;
  /** @param reached - called with how much of `size` is read. */
  tasks(reached: (size: number) => void): Tasks;
  /** The files that its links lead to, if it is a folder. */
  readonly site?: Site;
}

export interface SourceOptions {
  readonly recordLimitBytes: number;
  /** Whether each top folder of a folder of HTML is a host, as in imports; by default the whole folder is one. */
  readonly hostPerFolder?: boolean | undefined;
  /** Whether a page need not be read. */
  readonly isKnown: (url: string) => boolean;
  readonly onFault: (fault: string) => void;
}

/**
 * The source that a path names: the folder of a live crawl (its texts, or else its archives), a WARC file or a folder
 * of them, or a folder of HTML files.
 *
 * @throws InputError if it is none of these, cannot be read, or is a crawl with neither texts nor archives.
 */
export async function sourcesAt(path: string, options: SourceOptions): Promise<Source[]> {
  const isFolder = await stat(path).then((entry) => entry.isDirectory(), (error: unknown) => {
    throw readError(path, error);
  });
  if (!isFolder) return [await archive(path, options)];
  const entries = await entriesOf(path);
  const names = entries.map(({ name }) => name).sort();
  const hasStore = entries.some((entry) => entry.name === 'store' && entry.isDirectory());
  if (hasStore && (await entriesOf(join(path, 'store'))).some(({ name }) => name === 'data.mdb')) {
    const stored = await storedTexts(path);
    if (stored !== undefined) return [stored];
    const archives = names.includes('warc') ? await archivesIn(join(path, 'warc'), options) : [];
    if (archives.length > 0) return archives;
    throw new InputError(
      `${path}: the crawl has neither texts (crawl --text) nor WARC archives: there is nothing to index`,
    );
  }
  const archives = await archivesIn(path, options);
  return archives.length > 0 ? archives : [await htmlFolder(path, options)];
}

async function archivesIn(folder: string, options: SourceOptions): Promise<Source[]> {
  const names = (await fileNamesIn(folder)).filter(isNamedArchive);
  return Promise.all(names.map((name) => archive(join(folder, name), options)));
}

/**
 * The texts of a stored crawl in the order in which its pages were fetched, as far as it has come; undefined if it has
 * no texts.
 */
async function storedTexts(folder: string): Promise<Source | undefined> {
  const path = join(folder, 'store');
  const store = await openLmdbStoreToRead(path);
  const fetched: { readonly page: number; readonly finishedAtUs: number }[] = [];
  const urls = new LargeMap<number, string>();
  try {
    if (!store.hasTexts) return undefined;
    for (const { page, kind, finishedAtUs } of store.visits()) {
      if (kind !== 'fetched') continue;
      fetched.push({ page, finishedAtUs });
      urls.set(page, '');
    }
    // All in one pass: the store has many pages per row, and decodes a row for each request.
    let page = 0;
    for (const { url } of store.pages()) {
      // Copied, so that the URLs of other pages can be freed.
      if (urls.has(page)) urls.set(page, Buffer.from(url, 'latin1').toString('latin1'));
      page++;
    }
  } finally {
    await store.close();
  }
  fetched.sort((a, b) => a.finishedAtUs - b.finishedAtUs || a.page - b.page);
  return {
    title: `${folder}: the texts of a crawl`,
    size: fetched.length,
    async *tasks(reached) {
      const reopened = await openLmdbStoreToRead(path);
      try {
        for (const [i, { page }] of fetched.entries()) {
          const text = reopened.text(page);
          if (text !== undefined) yield { kind: 'stored', url: urls.get(page)!, text };
          reached(i + 1);
        }
      } finally {
        await reopened.close();
      }
    },
  };
}

/** The pages of a WARC file: successful answers with HTML; others are no pages. */
async function archive(path: string, options: SourceOptions): Promise<Source> {
  const { size } = await stat(path).catch((error: unknown) => { throw readError(path, error); });
  return {
    title: `${path}: a WARC archive`,
    size,
    async *tasks(reached) {
      let tasks: PageTask[] = [];
      const reading = { ...options, types: ['response'] };
      for await (const storedBytes of archiveRecords(path, reading, (record) => {
        const task = responseIn(record, options);
        if (typeof task === 'object') tasks.push(task);
        return typeof task === 'string' ? task : undefined;
      })) {
        const ready = tasks;
        tasks = [];
        yield* ready;
        reached(storedBytes);
      }
      yield* tasks;
      reached(size);
    },
  };
}

/** The page that a record has, or the fault in it; undefined if it has none, or one that is known. */
function responseIn(record: WarcRecord, { isKnown, recordLimitBytes }: SourceOptions): PageTask | string | undefined {
  if (record.type !== 'response') return undefined;
  const target = record.headers.get('warc-target-uri') ?? '';
  const response = httpResponse(record.block);
  if (response === undefined)
    return /^<?https?:/i.test(target) ? 'its block is not an HTTP response' : undefined;
  // As in imports: wget wrote it in the <> of RFC 3986, appendix C.
  const url = canonicalUrl(target.replace(/^<(.*)>$/, '$1'));
  if (typeof url === 'string') return 'its WARC-Target-URI is not a URL of http or https';
  if (!isPage(response, recordLimitBytes) || url.pathname === '/robots.txt' || isKnown(url.href)) return undefined;
  // Copied: its block is soon another record's, and threads would copy the whole memory behind a view.
  return { kind: 'response', url: url.href, response: { ...response, entity: Uint8Array.from(response.entity) } };
}

/** The HTML files below a folder, in the order of their paths, with the URLs of an import. */
async function htmlFolder(folder: string, { hostPerFolder, isKnown, onFault }: SourceOptions): Promise<Source> {
  const files = new SiteFiles(await htmlFiles(folder, onFault));
  if (files.paths.length === 0)
    throw new InputError(`${folder}: is not a crawl, and contains neither WARC archives nor HTML files`);
  const urls = files.paths.map((_, page) => {
    const [host, path] = files.placeOf(page, folder, hostPerFolder);
    return `http://${host}${path}`;
  });
  return {
    title: `${folder}: a folder of HTML files`,
    size: files.paths.length,
    *tasks(reached) {
      for (const [page, path] of files.paths.entries()) {
        const url = urls[page];
        if (!isKnown(url))
          yield { kind: 'file', url, path: join(folder, path), base: files.urlBelowRoot(page).href };
        reached(page + 1);
      }
    },
    site: { paths: files.paths, urls },
  };
}
