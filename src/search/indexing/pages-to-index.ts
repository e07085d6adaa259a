import { LargeSet } from '../../base/index.ts';
import type { PreparedPages } from '../store/index.ts';
import type { NoText } from './page-task.ts';
import { sourcesAt, type Source, type SourceOptions } from './sources.ts';
import { readTasks } from './task-readers.ts';

export interface PagesOptions {
  /** Threads that read pages; 0: this one reads them. */
  readonly threads: number;
  /** Maximum size of a record, of its decompressed body, and of a file; the rest is skipped. By default 16 MiB. */
  readonly recordLimitBytes?: number | undefined;
  /** Whether each top folder of a folder of HTML is a host, as in imports; by default the whole folder is one. */
  readonly hostPerFolder?: boolean | undefined;
  /** Pages that are left out, such as those that an index has. */
  readonly isKnown?: ((url: string) => boolean) | undefined;
  /** Called with one line of text for each damaged part that is skipped. */
  readonly onFault?: ((fault: string) => void) | undefined;
}

const RECORD_LIMIT_BYTES = 1 << 24;

/**
 * The pages of crawls, archives and folders, in a fixed order: by path, then in the order of their source (files of a
 * folder by name). A URL counts where it comes first. Pages that say `noindex` are left out.
 *
 * Errors   `open` throws InputError if a path is none of these; reading throws it if one turns out to be damaged as a
 *          whole, and WorldError if threads do not start.
 * Cost     reading, on all threads; the caller's thread decompresses archives. Memory: some hundred pages, and a URL
 *          per page.
 */
export class PagesToIndex {
  /** Titles of the sources, in words. */
  readonly titles: readonly string[];
  readonly #sources: readonly Source[];
  readonly #options: PagesOptions & SourceOptions;
  readonly #urls: LargeSet<string>;
  readonly #left: Record<NoText, number> = { noindex: 0, damaged: 0 };
  #done = 0;

  private constructor(sources: readonly Source[], options: PagesOptions & SourceOptions, urls: LargeSet<string>) {
    this.titles = sources.map(({ title }) => title);
    this.#sources = sources;
    this.#options = options;
    this.#urls = urls;
  }

  static async open(paths: readonly string[], options: PagesOptions): Promise<PagesToIndex> {
    const { isKnown = () => false, onFault = () => undefined, recordLimitBytes = RECORD_LIMIT_BYTES } = options;
    const urls = new LargeSet<string>();
    const all = { ...options, onFault, recordLimitBytes, isKnown: (url: string) => urls.has(url) || isKnown(url) };
    const sources: Source[] = [];
    for (const path of paths) sources.push(...await sourcesAt(path, all));
    return new PagesToIndex(sources, all, urls);
  }

  /** The share that is read, from 0 to 1; sources count alike. */
  get share(): number {
    return this.#done / this.#sources.length;
  }

  /** Pages left out so far: by their own wish, or because they cannot be read. */
  get left(): Readonly<Record<NoText, number>> {
    return this.#left;
  }

  /**
   * Some pages at a time.
   *
   * @param stopWords - words that are not indexed.
   */
  async *read(stopWords: ReadonlySet<string> = new Set()): AsyncGenerator<PreparedPages, void, void> {
    for (const [i, source] of this.#sources.entries()) {
      yield* this.#pagesOf(source, i, stopWords);
      this.#done = i + 1;
    }
  }

  async *#pagesOf(
    source: Source, index: number, stopWords: ReadonlySet<string>,
  ): AsyncGenerator<PreparedPages, void, void> {
    const { threads, recordLimitBytes, isKnown, onFault } = this.#options;
    const tasks = source.tasks((reached) => { this.#done = index + reached / source.size; });
    const options = { stopWords, recordLimitBytes, site: source.site };
    for await (const [batch, { left: leftOut, prepared: { pages, postings } }] of readTasks(tasks, threads, options)) {
      const first = pages.map((page, i) => {
        const { url } = batch[i];
        if (isKnown(url)) return undefined;
        const { why, fault } = leftOut[i] ?? {};
        // A later copy may be sound.
        if (why !== 'damaged') this.#urls.add(url);
        if (why !== undefined) this.#left[why]++;
        if (fault !== undefined) onFault(fault);
        return page;
      });
      yield { pages: first, postings };
    }
  }
}
