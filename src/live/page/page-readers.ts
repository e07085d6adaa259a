import { WorldError } from '../../std/index.ts';
import type { LiveSettings } from '../settings.ts';
import type { PageRead, PageReaders, RawPage } from './page.ts';
import { faulty, PageReader } from './read-page.ts';
import { ReaderThread, type ThreadOptions } from './reader-thread.ts';

/**
 * Readers of pages on `readerThreads` threads, or in this one where there are to be none; what is read is the same. A page whose reading
 * ends in an error has the fault 'reader died'; one that takes too long, on a thread, 'reading time-out'.
 *
 * Errors   InputError where the settings' filters are none. `read` rejects with WorldError where threads do not start, or once closed.
 * Memory   as many pages as threads; those beyond wait, as they came in, in the order in which they came.
 */
export function pageReaders(settings: LiveSettings, options: ThreadOptions = {}): PageReaders {
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

class ThreadedReaders implements PageReaders {
  readonly #threads: readonly ReaderThread[];
  readonly #idle: ReaderThread[];
  readonly #waiting: Job[] = [];

  constructor(settings: LiveSettings, options: ThreadOptions) {
    this.#threads = Array.from({ length: settings.readerThreads }, () => new ReaderThread(settings, options));
    this.#idle = [...this.#threads].reverse();
  }

  read(page: RawPage): Promise<PageRead> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ page, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    const thread = this.#idle.at(-1);
    const job = this.#waiting.at(0);
    if (thread === undefined || job === undefined) return;
    this.#idle.pop();
    this.#waiting.shift();
    void thread.read(job.page).then(job.resolve, job.reject).then(() => {
      this.#idle.push(thread);
      this.#next();
    });
  }

  async close(): Promise<void> {
    for (const { reject } of this.#waiting.splice(0)) reject(new WorldError('the threads that read pages were closed'));
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
