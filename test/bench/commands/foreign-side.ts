import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DrawStream } from '../../../src/base/index.ts';
import { ELSEWHERE, NodeUrls, openLmdbStore, UrlTable, writeCrawledGraph } from '../../../src/core/live/index.ts';
import { addedPages } from '../../../src/core/live/urls/link-numbers.ts';

/** What the bench asks of a process: so many pages of other machines, in memory or in the store. */
export interface ForeignTask {
  readonly pages: number;
  readonly isInStore: boolean;
}

/**
 * By page: memory of the process besides what it had before, at most while `graph.owg` is written; CPU of its first
 * mention, and of one some time later.
 */
export interface ForeignFigures {
  readonly bytes: number;
  readonly graphBytes: number;
  readonly firstUs: number;
  readonly laterUs: number;
}

/** New pages of other machines that a download brings, and downloads that are stored at once. */
const pagesPerNote = 20;
const notesAtOnce = 32;

async function measured({ pages, isInStore }: ForeignTask): Promise<ForeignFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-foreign-'));
  const store = await openLmdbStore(join(folder, 'store'), {});
  try {
    const here = new UrlTable();
    const urls = isInStore ? new NodeUrls({ store, here, isOwn: () => false }) : here;
    const before = memoryBytes();
    const beganUs = cpuUs();
    const notes: Promise<void>[] = [];
    for (let first = 0; first < pages; first += pagesPerNote) {
      const added = addedPages(urls);
      for (let page = first; page < Math.min(pages, first + pagesPerNote); page++) {
        const url = urlOf(page);
        if (urls.find(url) >= 0) throw new Error(`${url}: is new, and was found`);
        urls.add(url, 1, 0);
        (isInStore ? added.elsewhere : added.pages).push({ url, depth: 1, redirects: 0 });
      }
      notes.push(store.note(added));
      if (notes.length === notesAtOnce) await Promise.all(notes.splice(0));
    }
    await Promise.all(notes);
    const [addedUs, bytes] = [cpuUs(), memoryBytes() - before];
    const draws = new DrawStream(1, 'bench');
    const mentions = Math.min(pages, 100_000);
    for (let i = 0; i < mentions; i++) {
      const page = draws.uint32(i, 0) % pages;
      const id = page + (isInStore ? ELSEWHERE : 0);
      if (urls.find(urlOf(page)) !== id || urls.urlOf(id) !== urlOf(page)) throw new Error(`page ${page} is lost`);
    }
    const laterUs = cpuUs() - addedUs;
    const graphBytes = await mostMemory(writeCrawledGraph(store, join(folder, 'graph.owg'), [])) - before;
    return {
      bytes: bytes / pages, graphBytes: graphBytes / pages, firstUs: (addedUs - beganUs) / pages,
      laterUs: laterUs / mentions,
    };
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

/** 60 characters, on one of a thousand hosts. */
const urlOf = (page: number): string => `https://host${page % 1000}.example/a/path/of/the/usual/length/${page}`.padEnd(60, 'x');

/** Until it is fulfilled. */
async function mostMemory(work: Promise<void>): Promise<number> {
  let most = 0;
  const look = (): void => { most = Math.max(most, memoryBytes()); };
  const looks = setInterval(look, 100);
  await work;
  clearInterval(looks);
  look();
  return most;
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Of this process alone: without what the system holds of files. */
function memoryBytes(): number {
  globalThis.gc?.();
  const kilobytes = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1];
  return 1024 * Number(kilobytes);
}

process.once('message', (task: ForeignTask) => {
  measured(task).then(
    (figures) => process.send?.(figures, () => { process.disconnect(); }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
