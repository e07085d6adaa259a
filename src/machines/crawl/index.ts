export { crawlLive, isResumable, resumeCrawl, type LiveCrawlRequest } from './crawl-live.ts';
export { crawledPages } from './crawled-pages.ts';
export { writeInto } from './folder.ts';
export type { NodeOptions } from './nodes/node-options.ts';
export type { LiveCrawlOptions, LiveExperiment, LiveProgress, LiveResult } from './live-crawl.ts';
