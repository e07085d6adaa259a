import { join } from 'node:path';
import { assert, InputError } from '../../../base/index.ts';
import { archiveRecords } from '../../../graphs/formats/index.ts';
import { httpResponse, type WarcRecord } from '../../../base/web/index.ts';
import { FetchedPage, type FetchedParts } from '../pages/fetched-page.ts';
import { PageReader } from '../pages/read-page.ts';
import type { LiveSettings } from '../settings.ts';
import type { CrawlStore } from '../store/crawl-store.ts';
import { receivedHeaders } from './warc-records.ts';
import { checkWritten, warcFileName } from './warc-writer.ts';

/** Room in a record besides the headers and the body as received. */
const RECORD_MORE_BYTES = 1 << 16;

/** The pages of a file of the archive, by where their records end, ascending. */
interface FilePages {
  readonly ends: number[];
  /** Pages whose links the crawl did not follow, since their body was seen before. */
  readonly repeated: Set<number>;
}

export type StoredPlaces = ReadonlyMap<number, FilePages>;

/**
 * The places of the fetched pages in the archive of a crawl, by number of the file, ascending; redirects are no pages.
 *
 * Cost     O(visits and their links). Memory: 8 bytes per page.
 */
export function storedPlaces(store: CrawlStore, { contentSeen }: LiveSettings): StoredPlaces {
  const files = new Map<number, FilePages>();
  for (const { page, kind, byRedirect, digest, warc } of store.visits()) {
    if (kind !== 'fetched' || byRedirect === true) continue;
    assert(warc !== undefined, () => `page ${page} of a crawl with an archive is not in it`);
    let file = files.get(warc.file);
    if (file === undefined) files.set(warc.file, file = { ends: [], repeated: new Set() });
    file.ends.push(warc.end);
    if (contentSeen && digest === '') file.repeated.add(warc.end);
  }
  for (const { ends } of files.values()) ends.sort((a, b) => a - b);
  return new Map([...files].sort(([a], [b]) => a - b));
}

/**
 * The pages of a crawl as it fetched them, from its archive, in the order of the archive. What the store does not name,
 * such as robots.txt, failures and what lies behind the last page, is left out.
 *
 * @param node - number of the machine, where a crawl has several.
 * @throws InputError, before the first page, for a file that is missing or has been cut; later for one that is damaged.
 * Cost     O(bytes). Memory: two pages, and 2 MiB.
 */
export async function* storedPages(
  folder: string, files: StoredPlaces, settings: LiveSettings, node?: number,
): AsyncGenerator<FetchedPage, void, void> {
  const paths = [...files].map(([file, pages]) => [join(folder, warcFileName(file, node)), pages] as const);
  for (const [path, { ends }] of paths) await checkWritten(path, ends.at(-1)!);
  const reader = new PageReader({ ...settings, text: false, contentSeen: false });
  for (const [path, { ends, repeated }] of paths) {
    for await (const { end, ...parts } of responsesEndingAt(path, ends, settings)) {
      const links = (): readonly string[] => repeated.has(end) ? [] : reader.read(parts).links;
      yield new FetchedPage({ ...parts, links }, settings);
    }
  }
}

type StoredResponse = Omit<FetchedParts, 'links'>;

/** The response before each of these places, which are the ends of records. */
async function* responsesEndingAt(
  path: string, ends: readonly number[], { bodyLimitBytes, headerLimitBytes }: LiveSettings,
): AsyncGenerator<StoredResponse & { readonly end: number }, void, void> {
  let newest: StoredResponse | undefined;
  let last: StoredResponse | undefined;
  let next = 0;
  const passed = (end: number, at = end): StoredResponse & { readonly end: number } => {
    if (last === undefined || at > end)
      throw new InputError(`${path}: no page ends at byte ${end}, where the crawl stored one`);
    const page = { ...last, end };
    last = undefined;
    return page;
  };
  const records = archiveRecords(path, {
    types: ['response'], endBytes: ends.at(-1), expansionLimit: Infinity,
    recordLimitBytes: bodyLimitBytes + 2 * headerLimitBytes + RECORD_MORE_BYTES,
    onFault: (fault) => { throw new InputError(fault); },
  }, (record) => {
    if (record.type !== 'response') return undefined;
    newest = successIn(record);
    return record.block.length < record.blockBytes ? 'is longer than any answer to this crawl' : undefined;
  });
  // Each record is a gzip member: `at` is its beginning.
  for await (const at of records) {
    if (at >= ends[next]) yield passed(ends[next++], at);
    last = newest ?? last;
    newest = undefined;
  }
  for (; next < ends.length; next++) yield passed(ends[next]);
}

/** The answer in a record, if it may be a page; copied, since the next record reuses its block. */
function successIn({ headers, block }: WarcRecord): StoredResponse | undefined {
  const response = httpResponse(block);
  if (response === undefined || response.status < 200 || response.status > 299) return undefined;
  const { status, rawHeaders, entity } = response;
  return {
    url: headers.get('warc-target-uri') ?? '', status, rawHeaders: receivedHeaders(rawHeaders),
    body: Uint8Array.from(entity),
  };
}
