/**
 * Live crawls, with the scheduler, queues and policies of `simulate`. You are responsible for what you crawl: be
 * reachable at `contact`, and shorten delays only for your own hosts.
 *
 * @example
 * ```ts
 * import { crawlLive } from 'orbweaver/crawl';
 *
 * const { run, graph } = await crawlLive('crawls/example', {
 *   experiment: { policy: 'opic', processors: 2, maxPages: 1000 },
 *   live: { contact: 'you@example.org' },
 *   seeds: ['https://example.org/'],
 * });
 * console.log(run.summary.pagesFetched, graph.arcs);
 * ```
 *
 * With `onPage`, a crawl is the source of a corpus. It stores the title of each page here; after a kill, `resumeCrawl`
 * with the same `onPage` goes on.
 *
 * ```ts
 * import { appendFile } from 'node:fs/promises';
 *
 * await crawlLive('crawls/titles', request, {
 *   onPage: async (page) => {
 *     const { title, language } = page.content();
 *     await appendFile('titles.jsonl', `${JSON.stringify({ url: page.url, title, language })}\n`);
 *   },
 * });
 * ```
 *
 * `crawledPages` gives the same pages of a crawl that is stored.
 *
 * @packageDocumentation
 */
export {
  crawledPages, crawlLive, resumeCrawl, type LiveCrawlOptions, type LiveCrawlRequest, type LiveResult,
} from './machines/crawl/index.ts';
export type { FetchedPage, PageContent } from './core/live/index.ts';
