export { crawlLive, resumeCrawl, type LiveCrawlInput } from './crawl-live.ts';
export type { LiveCrawlOptions, LiveExperiment, LiveProgress } from './session.ts';
