import { WorldError } from '../../../base/index.ts';
import { EndedThread, threadModule, WorkerPool } from '../../../base/threads/index.ts';
import { shared } from '../fetch/shared-body.ts';
import type { LiveSettings } from '../settings.ts';
import { packed, unpacked, type PackedRead, type PageRead, type PageReaders, type RawPage } from './page.ts';
import { faulty, headersRead, PageReader } from './read-page.ts';

export interface ReaderOptions {
  /** Maximum time for reading a page, milliseconds. Default 30 s; a page of 64 MiB takes one second. */
  readonly timeoutMs?: number | undefined;
  /** The script that the threads run; set by tests of threads that die. */
  readonly worker?: URL | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Readers of pages on `readerThreads` threads, or on this thread if that is 0; the results are the same. A page whose
 * reading throws has the fault 'reader died'; one that takes too long, on a thread, 'reading time-out'.
 *
 * Errors   InputError if the settings' filters are invalid. `read` rejects with WorldError if threads do not start, or
 *          after `close`.
 * Memory   up to MAX_BATCH_PAGES pages per thread; further pages wait, as received, in order of arrival.
 */
export function pageReaders(settings: LiveSettings, options: ReaderOptions = {}): PageReaders {
  const reader = new PageReader(settings);
  if (settings.readerThreads > 0) return new ThreadedReaders(settings, options);
  const readHere = (page: RawPage): PageRead => {
    try {
      return reader.read(page);
    } catch {
      return faulty('reader died');
    }
  };
  return { read: (page) => Promise.resolve(readHere(page)), close: () => Promise.resolve() };
}

interface Job {
  readonly page: RawPage;
  readonly resolve: (page: PageRead) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Pages that are sent to a thread together, and the bytes of all but the last of them: waking a thread costs as much as
 * reading a page.
 */
const MAX_BATCH_PAGES = 16;
const MAX_BATCH_BYTES = 1 << 20;

class ThreadedReaders implements PageReaders {
  readonly #threads: number;
  readonly #pool: ReaderPool;
  readonly #waiting: Job[] = [];
  #idle: number;
  #isSending = false;
  #isClosed = false;

  constructor(settings: LiveSettings, options: ReaderOptions) {
    this.#threads = settings.readerThreads;
    this.#pool = new ReaderPool(settings, options);
    this.#idle = this.#threads;
  }

  read(page: RawPage): Promise<PageRead> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ page, resolve, reject });
      if (this.#isSending) return;
      this.#isSending = true;
      // What arrives in the same turn of the event loop goes together.
      setImmediate(() => {
        this.#isSending = false;
        this.#next();
      });
    });
  }

  #next(): void {
    if (this.#idle === 0 || this.#waiting.length === 0) return;
    this.#idle--;
    const jobs = this.#waiting.splice(0, this.#countTogether());
    void this.#pool.read(jobs.map(({ page }) => page)).then(
      (reads) => { jobs.forEach(({ resolve }, i) => { resolve(reads[i]); }); },
      (error: unknown) => { for (const { reject } of jobs) reject(error); },
    ).then(() => {
      this.#idle++;
      this.#next();
    });
  }

  #countTogether(): number {
    const max = Math.min(MAX_BATCH_PAGES, Math.ceil(this.#waiting.length / this.#threads));
    let count = 0;
    for (let bytes = 0; count < max && bytes < MAX_BATCH_BYTES; count++)
      bytes += this.#waiting[count].page.body.length;
    return count;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
    await this.#pool.close();
  }
}

function closed(): WorldError {
  return new WorldError('the page readers were closed');
}

/**
 * Threads that read pages. If a page ends its thread, or takes too long, the page has that fault and the next page gets
 * a new thread; pages that were sent together are then read again one by one, to find the one at fault.
 *
 * Memory  a thread's heap is limited to several times what a page of decodedLimitBytes may take in any encoding.
 */
class ReaderPool {
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
    const raws = pages.map(({ url, rawHeaders, body }) => (
      { url, rawHeaders: headersRead(rawHeaders), body: shared(body) }
    ));
    let timer: NodeJS.Timeout | undefined;
    const reading = { isTooLong: false };
    try {
      const reads = await this.#pool.run(raws, {
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
