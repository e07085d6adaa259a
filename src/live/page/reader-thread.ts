import { Piscina } from 'piscina';
import { WorldError } from '../../std/index.ts';
import type { LiveSettings } from '../settings.ts';
import { packed, unpacked, type PackedRead } from './packed-read.ts';
import type { PageRead, RawPage } from './page.ts';
import { faulty, headersRead } from './read-page.ts';

export interface ThreadOptions {
  /** Longest time that a page is read for, milliseconds. By default 30 s: a page of 64 MiB takes one. */
  readonly timeoutMs?: number | undefined;
  /** What the thread runs, for tests of threads that die. */
  readonly worker?: URL | undefined;
}

type Pool = Piscina<readonly RawPage[] | undefined, readonly PackedRead[] | undefined>;

const TIMEOUT_MS = 30_000;
const START_TIMEOUT_MS = 60_000;
/** A thread that ends its time: told from one that dies. */
const tooLong = new Error('takes too long');

/**
 * A thread that reads pages, one after the other. It starts with its first page; where a page ends it, or takes too long, the page has that
 * fault and the next one a new thread; pages that were handed over together are then read again one by one, to see which it is. It is a pool of one: a pool of several leaves a task waiting for ever once one of its threads has died
 * before it was ready (piscina 5).
 *
 * Memory  its heap is limited: what a page of decodedLimitBytes may take in any encoding, several times over.
 */
export class ReaderThread {
  readonly #settings: LiveSettings;
  readonly #options: ThreadOptions;
  #pool: Pool | undefined;
  /** Ends what is waited for: a thread that dies while it has no page yet tells so by an event alone. */
  #fail: (error: Error) => void = () => undefined;
  #isClosed = false;

  constructor(settings: LiveSettings, options: ThreadOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  /**
   * What pages bring, in their order. Together they cost one message there and one back, and as much time as one may take.
   * Errors   WorldError where no thread can be started, or it is closed.
   */
  async read(pages: readonly RawPage[]): Promise<PageRead[]> {
    const pool = (this.#pool ??= await this.#started());
    // The archive still needs the bodies: copies are handed over. To send a view would copy twice, and all of the buffer under it.
    const given = pages.map(({ url, rawHeaders, body }) => ({ url, rawHeaders: headersRead(rawHeaders), body: new Uint8Array(body) }));
    try {
      const reply = pool.run(given, { transferList: given.map(({ body }) => body.buffer) });
      const reads = await this.#within(reply, this.#options.timeoutMs ?? TIMEOUT_MS);
      return pages.map((_, i) => unpacked(reads?.[i] ?? packed(faulty('reader died'))));
    } catch (error) {
      await this.#end();
      if (this.#isClosed) throw new WorldError('the threads that read pages were closed');
      if (pages.length === 1) return [faulty(error === tooLong ? 'reading time-out' : 'reader died')];
    }
    const reads: PageRead[] = [];
    for (const page of pages) reads.push(...await this.read([page]));
    return reads;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #started(): Promise<Pool> {
    for (let deaths = 0; ; ) {
      if (this.#isClosed) throw new WorldError('the threads that read pages were closed');
      const pool = (this.#pool = this.#newPool());
      try {
        await this.#within(pool.run(undefined), START_TIMEOUT_MS);
        return pool;
      } catch (error) {
        await this.#end();
        const why = error instanceof Error ? error.message : String(error);
        if (++deaths > 1) throw new WorldError(`the threads that read pages do not start (${why})`);
      }
    }
  }

  #newPool(): Pool {
    // From source, under a test runner or tsx, the worker is TypeScript too and needs the loader.
    const isSource = import.meta.url.endsWith('.ts');
    const pool: Pool = new Piscina({
      filename: (this.#options.worker ?? new URL(isSource ? './page-worker.ts' : './page-worker.js', import.meta.url)).href,
      ...(isSource ? { execArgv: ['--import', import.meta.resolve('tsx')] } : {}),
      resourceLimits: { maxOldGenerationSizeMb: 256 + Math.ceil((6 * this.#settings.decodedLimitBytes) / 2 ** 20) },
      minThreads: 1,
      maxThreads: 1,
      workerData: this.#settings,
    });
    pool.on('error', (error: Error) => {
      if (pool === this.#pool) this.#fail(error);
    });
    return pool;
  }

  /** The thread's reply, or an error where it dies or takes too long. */
  #within<T>(reply: Promise<T>, timeoutMs: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(tooLong);
      }, timeoutMs);
      this.#fail = (error) => {
        clearTimeout(timer);
        reject(error);
      };
      reply.then((value) => {
        clearTimeout(timer);
        resolve(value);
      }, this.#fail);
    });
  }

  async #end(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    this.#fail(new Error('ended'));
    await pool?.destroy();
  }
}
