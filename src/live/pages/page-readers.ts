import { WorldError } from '../../base/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { PageRead, PageReaders, RawPage } from './page.ts';
import { faulty, PageReader } from './read-page.ts';
import { ReaderPool, type ReaderOptions } from './reader-pool.ts';

/**
 * Readers of pages on `readerThreads` threads, or in this one where there are to be none; what is read is the same. A
 * page whose reading ends in an error has the fault 'reader died'; one that takes too long, on a thread, 'reading
 * time-out'.
 *
 * Errors   InputError where the settings' filters are none. `read` rejects with WorldError where threads do not start,
 *          or once closed.
 * Memory   a thread's pages, MAX_BATCH_PAGES at once; those beyond wait, as they came in, in the order in which they
 *          came.
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
 * Pages that go to a thread together, and their bytes but for the last: to wake a thread costs as much as to read a
 * page.
 */
const MAX_BATCH_PAGES = 16;
const MAX_BATCH_BYTES = 1 << 20;

class ThreadedReaders implements PageReaders {
  readonly #threads: number;
  readonly #pool: ReaderPool;
  readonly #waiting: Job[] = [];
  #idle: number;
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
      this.#next();
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

  /** How many of those that wait go to the next thread: its share of them. */
  #countTogether(): number {
    const most = Math.min(MAX_BATCH_PAGES, Math.ceil(this.#waiting.length / this.#threads));
    let count = 0;
    for (let bytes = 0; count < most && bytes < MAX_BATCH_BYTES; count++)
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
  return new WorldError('the threads that read pages were closed');
}
