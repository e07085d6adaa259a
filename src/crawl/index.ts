export { crawlLive, resumeCrawl, type LiveCrawlInput } from './crawl-live.ts';
export { writeInto } from './folder.ts';
export type { LiveCrawlOptions, LiveExperiment, LiveResult, LiveProgress } from './session.ts';
export { liveSchema, type LiveInput, type LiveSettings } from '../live/index.ts';
