import { join } from 'node:path';
import { openLmdbStore } from '../../../src/core/live/store/lmdb-store.ts';
import { MemoryStore } from './memory-store.ts';
import type { CrawlStore } from '../../../src/core/live/store/crawl-store.ts';
import { describeCrawlStore } from '../../conformance/crawl-store.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const { folder } = temporaryFolder();
const folderOf = new Map<CrawlStore, string>();
let stores = 0;

async function remembered(path: string, store: Promise<CrawlStore>): Promise<CrawlStore> {
  folderOf.set(await store, path);
  return store;
}

describeCrawlStore({
  name: 'MemoryStore', make: (settings) => Promise.resolve(new MemoryStore(settings)), again: undefined,
});
describeCrawlStore({
  name: 'LmdbStore',
  make(settings) {
    const path = join(folder, `store ${stores++}.x`);
    return remembered(path, openLmdbStore(path, settings));
  },
  again(store) {
    const path = folderOf.get(store)!;
    return remembered(path, openLmdbStore(path));
  },
});
