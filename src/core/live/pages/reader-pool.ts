import { WorldError } from '../../../base/index.ts';
import { EndedThread, threadModule, WorkerPool } from '../../../base/threads/index.ts';
import { shared } from '../fetch/shared-body.ts';
import type { LiveSettings } from '../settings.ts';
import { packed, unpacked, type PackedRead } from './packed-read.ts';
import type { PageRead, RawPage } from './page.ts';
import { faulty, headersRead } from './read-page.ts';

export interface ReaderOptions {
  /** Maximum time for reading a page, milliseconds. Default 30 s; a page of 64 MiB takes one second. */
  readonly timeoutMs?: number | undefined;
  /** The script that the threads run; set by tests of threads that die. */
  readonly worker?: URL | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Threads that read pages. If a page ends its thread, or takes too long, the page has that fault and the next page gets
 * a new thread; pages that were sent together are then read again one by one, to find the one at fault.
 *
 * Memory  a thread's heap is limited to several times what a page of decodedLimitBytes may take in any encoding.
 */
export class ReaderPool {
  readonly #pool: WorkerPool<readonly RawPage[], readonly PackedRead[]>;
  readonly #timeoutMs: number;
  #isClosed = false;

  constructor(settings: LiveSettings, { timeoutMs, worker }: ReaderOptions) {
    this.#timeoutMs = timeoutMs ?? TIMEOUT_MS;
    this.#pool = new WorkerPool({
      name: 'the page readers',
      module: worker ?? threadModule(import.meta.url, 'page-worker'),
      threads: settings.readerThreads,
      data: settings,
      heapMegabytes: 256 + Math.ceil((6 * settings.decodedLimitBytes) / 2 ** 20),
    });
  }

  /**
   * Reads pages; results in the same order. Together they cost one message each way, and may take as long as one page.
   * Errors   WorldError if no thread can be started, or the pool is closed.
   */
  async read(pages: readonly RawPage[]): Promise<PageRead[]> {
    const sent = pages.map(({ url, rawHeaders, body }) => (
      { url, rawHeaders: headersRead(rawHeaders), body: shared(body) }
    ));
    let timer: NodeJS.Timeout | undefined;
    const reading = { isTooLong: false };
    try {
      const reads = await this.#pool.run(sent, {
        onBegin: (end) => {
          timer = setTimeout(() => {
            reading.isTooLong = true;
            end();
          }, this.#timeoutMs);
        },
      });
      return pages.map((_, i) => unpacked(reads.at(i) ?? packed(faulty('reader died'))));
    } catch (error) {
      if (this.#isClosed || (error instanceof WorldError && !(error instanceof EndedThread))) throw error;
      if (pages.length === 1) return [faulty(reading.isTooLong ? 'reading time-out' : 'reader died')];
    } finally {
      clearTimeout(timer);
    }
    const reads: PageRead[] = [];
    for (const page of pages) reads.push(...await this.read([page]));
    return reads;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#pool.close();
  }
}
