import { WorldError } from '../../../base/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { PageRead, PageReaders, RawPage } from './page.ts';
import { faulty, PageReader } from './read-page.ts';
import { ReaderPool, type ReaderOptions } from './reader-pool.ts';

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
  return settings.readerThreads === 0 ? new InlineReaders(reader) : new ThreadedReaders(settings, options);
}

class InlineReaders implements PageReaders {
  readonly #reader: PageReader;

  constructor(reader: PageReader) {
    this.#reader = reader;
  }

  read(page: RawPage): Promise<PageRead> {
    try {
      return Promise.resolve(this.#reader.read(page));
    } catch {
      return Promise.resolve(faulty('reader died'));
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

interface Job {
  readonly page: RawPage;
  readonly resolve: (read: PageRead) => void;
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

  /** How many waiting pages go to the next thread: its share. */
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
