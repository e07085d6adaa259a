import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { checkText, InputError } from '../../base/index.ts';
import {
  liveSchema, openLmdbStoreToRead, storedPages, storedPlaces, type FetchedPage, type LiveSettings, type StoredPlaces,
} from '../../core/live/index.ts';
import { withCurrentNames } from '../../core/settings/index.ts';

const storedSchema = z.object({
  live: z.preprocess(withCurrentNames, liveSchema), cluster: z.object({ node: z.int() }).optional(),
});

/**
 * The pages of a crawl that is stored, one by one, in the order in which they were fetched: each page once, with all
 * that `onPage` has of it, so one function serves both. They come from the WARC archives of the crawl. A crawl that was
 * killed has the pages that it had stored, and one that goes on those that it has stored so far. Of a crawl on several
 * nodes each folder has the pages of its node.
 *
 * Cost  O(bytes of the archives), some 0.2 ms for a page of 28 KB, besides what is asked of the page. Memory: two
 * pages, and 8 bytes per page of the crawl.
 *
 * @example
 * ```ts
 * import { crawledPages } from 'orbweaver/crawl';
 *
 * for await (const page of crawledPages('crawls/titles')) console.log(page.url, page.content().title);
 * ```
 *
 * @param folder - path of the crawl's folder.
 * @returns the pages; each keeps its body as long as the program has it.
 * @throws InputError, at the first page, for a folder without a stored crawl, such as that of `cluster merge`, for a
 * crawl that was not archived, and for an archive that is missing or cut; at a later page for one that is damaged.
 */
export async function* crawledPages(folder: string): AsyncGenerator<FetchedPage, void, void> {
  checkText('folder', folder);
  const { files, live, node } = await openCrawl(folder);
  yield* storedPages(join(folder, 'warc'), files, live, node);
}

interface CrawlToRead {
  readonly files: StoredPlaces;
  readonly live: LiveSettings;
  readonly node: number | undefined;
}

async function openCrawl(folder: string): Promise<CrawlToRead> {
  const path = join(folder, 'store');
  if (!existsSync(path)) {
    throw new InputError(
      `${folder}: contains no stored crawl; name the folder of a live crawl, or of a node of one (cluster merge ` +
      'leaves the pages in the folders of the nodes)',
    );
  }
  const store = await openLmdbStoreToRead(path);
  try {
    const stored = storedSchema.safeParse(store.settings);
    if (!stored.success) throw new InputError(`${path}: contains settings that this version does not understand`);
    const { live, cluster } = stored.data;
    if (!live.warc)
      throw new InputError(`${folder}: the crawl has no archives of its pages (warc: false, or crawl --no-warc)`);
    return { files: storedPlaces(store, live), live, node: cluster?.node };
  } finally {
    await store.close();
  }
}
