/**
 * Live crawls, by the scheduler, the queues and the policies of `simulate`. Whoever crawls answers for it: be reachable
 * at `contact`, and leave the delays as they are unless the hosts are your own.
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
 * @packageDocumentation
 */
export {
  crawlLive, resumeCrawl, type LiveCrawlOptions, type LiveCrawlRequest, type LiveResult,
} from './crawl/index.ts';
