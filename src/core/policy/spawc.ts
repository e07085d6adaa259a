import { breadthFirst } from './breadth-first.ts';
import { definePolicy } from './define-policy.ts';

/**
 * First published, first crawled, as in SPAWC (Shantz, "SPAWC: A Scalable Parallel Web Crawler", 2010, algorithms
 * PUBLISH URLS and PROCESS NEXT REPLY). Its limit, published_count < max_urls, counts URLs crawled and in the crawl
 * queue, and a failure gives its place back. `--max-pages` does the same with any policy: pages fetched and in
 * flight never exceed it, failures do not count. O(1) per event, no memory.
 */
export const spawc = definePolicy({
  name: 'spawc',
  title: 'as breadth-first; --max-pages is its limit of published URLs',
  source: 'Shantz 2010, PUBLISH URLS',
  make: (context) => breadthFirst.make(context),
});
