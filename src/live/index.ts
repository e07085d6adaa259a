export { CrawlLog, type LogLine } from './out/crawl-log.ts';
export { writeCrawledGraph } from './out/crawled-graph.ts';
export { WarcWriter, type WarcPlace } from './out/warc-writer.ts';
export type { CrawlStore, NewPage, Note, RobotsNote, Visit } from './store/crawl-store.ts';
export { openLmdbStore } from './store/lmdb-store.ts';
export { MemoryStore } from './store/memory-store.ts';
