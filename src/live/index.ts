export type { CrawlStore, NewPage, Note, RobotsNote, Visit } from './store/crawl-store.ts';
export { openLmdbStore } from './store/lmdb-store.ts';
export { MemoryStore } from './store/memory-store.ts';
