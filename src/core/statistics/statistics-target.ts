import { grown, InputError } from '../../base/index.ts';
import { threadModule, WorkerHandle } from '../../base/threads/index.ts';
import type { RunSink } from '../events/index.ts';
import { asSharedUint32, type WebGraph } from '../../graphs/graph/index.ts';
import type { OrderedTarget, Settled, StatisticsResult, StatisticsRow, SuperstepRow } from '../measure/index.ts';
import type { MeasureSettings, SettledCrawl } from '../settings/index.ts';
import type { StatisticsMethod, StatisticsSettings } from './growing-statistics.ts';

/** Pages fetched, in their order, and the supersteps that ended among them. */
export interface Fetched {
  readonly pages: Uint32Array;
  /** Their links, by position; absent if the thread has the graph. */
  readonly links?: { readonly offsets: Uint32Array; readonly targets: Uint32Array } | undefined;
  /** Each with the pages before its end. */
  readonly supersteps: readonly { readonly superstep: number; readonly end: number }[];
}

export interface ThreadData {
  readonly settings: StatisticsSettings;
  readonly graph: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined;
}

/** What the root of a run wires; of a run without statistics, nothing. */
export interface Statistics {
  readonly targets: readonly OrderedTarget[];
  readonly sinks: readonly RunSink[];
  /** Once the run has ended. */
  result(): StatisticsResult | undefined;
  close(): Promise<void>;
}

export interface RunStatisticsOptions {
  /** Pages that the run can fetch at most; Infinity if that is not known. */
  readonly maxPages: number;
  readonly seed: number;
  /** The stored graph; without one, links are read from outcomes. */
  readonly graph?: WebGraph | undefined;
  /** Links to pages from this id on are left out: they are not fetched by this run. */
  readonly endOfIds?: number | undefined;
  /** Called with each row when it is there, some supersteps late. */
  readonly onRow?: ((row: StatisticsRow) => void) | undefined;
}

type Thread = WorkerHandle<Fetched | 'end', readonly StatisticsRow[]>;

/** Pages that are sent together, where no one waits for a row. */
const BATCH_PAGES = 1024;
/** Supersteps likewise. */
const BATCH_SUPERSTEPS = 64;
const FETCHED = 0;
/** Bytes of a matrix of distances and a closure, per pair of pages. */
const BYTES_PER_PAIR = 2 + 1 / 8 + 2 / 8;
const MAX_KERNEL_BYTES = 2 ** 32 - 2 ** 16;

/**
 * The statistics of a run, on a thread of their own: the run only passes on which pages were fetched, and in a live
 * crawl their links. If the thread fails, the run goes on without statistics.
 *
 * Errors  InputError where exact figures need more memory than there is, before the run begins.
 */
export class RunStatistics implements Statistics, OrderedTarget {
  readonly targets: readonly OrderedTarget[] = [this];
  /** Readers of the links of a live crawl. */
  readonly sinks: readonly RunSink[];
  /** The rows in order of supersteps, some supersteps late while the run goes on. */
  readonly rows: StatisticsRow[] = [];
  readonly #thread: Thread;
  readonly #hasGraph: boolean;
  readonly #onRow: RunStatisticsOptions['onRow'];
  /** Links of a live crawl's pages that are not settled yet. */
  readonly #links = new Map<number, Uint32Array>();
  /** Fetched and not sent, so many of them. */
  #pages: Uint32Array = new Uint32Array(2 * BATCH_PAGES);
  #fetched = 0;
  #supersteps: { superstep: number; end: number }[] = [];
  #failure: Error | undefined;

  /** @param module what the thread runs; set by tests of threads that die. */
  constructor(
    method: StatisticsMethod, { maxPages, seed, graph, endOfIds = Infinity, onRow }: RunStatisticsOptions,
    module = threadModule(import.meta.url, 'statistics-thread'),
  ) {
    if (method === 'exact') checkMemory(maxPages);
    this.#hasGraph = graph !== undefined;
    this.#onRow = onRow;
    this.sinks = graph === undefined ? [this.#linkSink(endOfIds)] : [];
    const data: ThreadData = {
      settings: { method, maxPages, seed },
      graph: graph && { outOffsets: asSharedUint32(graph.outOffsets), outTargets: asSharedUint32(graph.outTargets) },
    };
    this.#thread = new WorkerHandle({ name: 'statistics', module, data });
  }

  settled({ outcomes, rows }: Settled): void {
    if (this.#failure !== undefined) return;
    const { pages, kinds, times } = outcomes;
    let next = 0;
    this.#pages = grown(this.#pages, this.#fetched + outcomes.size);
    const fetchUntil = (us: number): void => {
      for (; next < outcomes.size && times[2 * next + 1] <= us; next++)
        if (kinds[next] === FETCHED) this.#pages[this.#fetched++] = pages[next];
    };
    for (const [i, { superstep, barrierUs }] of rows.entries()) {
      if (!beginsSuperstep(rows, i)) continue;
      fetchUntil(barrierUs);
      this.#supersteps.push({ superstep, end: this.#fetched });
    }
    fetchUntil(Infinity);
    const isFull = this.#fetched >= BATCH_PAGES || this.#supersteps.length >= BATCH_SUPERSTEPS;
    if (isFull || !this.#hasGraph) this.#send();
  }

  /** Waits for the figures of the last superstep. */
  async ended(end: string): Promise<void> {
    if (end === 'failed') return;
    this.#send();
    await this.#ask('end');
  }

  /** What there is; the failure of the thread, if it failed. */
  result(): StatisticsResult {
    return { rows: this.rows, failure: this.#failure };
  }

  close(): Promise<void> {
    return this.#thread.close();
  }

  #send(): void {
    if (this.#supersteps.length === 0) return;
    const pages = this.#pages.slice(0, this.#fetched);
    const links = this.#hasGraph ? undefined : this.#linksOf(pages);
    const fetched: Fetched = { pages, links, supersteps: this.#supersteps };
    this.#fetched = 0;
    this.#supersteps = [];
    void this.#ask(fetched);
  }

  /** Never rejects: a failure is remembered, and nothing is asked any more. */
  async #ask(question: Fetched | 'end'): Promise<void> {
    try {
      if (this.#failure !== undefined) return;
      for (const row of await this.#thread.ask(question)) {
        this.rows.push(row);
        this.#onRow?.(row);
      }
    } catch (error) {
      this.#failure ??= error as Error;
    }
  }

  #linksOf(pages: Uint32Array): { offsets: Uint32Array; targets: Uint32Array } {
    const offsets = new Uint32Array(pages.length + 1);
    const lists = Array.from(pages, (page, i) => {
      const list = this.#links.get(page) ?? new Uint32Array(0);
      this.#links.delete(page);
      offsets[i + 1] = offsets[i] + list.length;
      return list;
    });
    const targets = new Uint32Array(offsets[pages.length]);
    for (const [i, list] of lists.entries()) targets.set(list, offsets[i]);
    return { offsets, targets };
  }

  #linkSink(endOfIds: number): RunSink {
    return {
      readsLinks: true,
      outcome: (_processor, { kind, page, links }) => {
        if (kind === 'fetched') this.#links.set(page, links.filter((target) => target < endOfIds));
      },
    };
  }
}

const noStatistics: Statistics = {
  targets: [], sinks: [], result: () => undefined, close: () => Promise.resolve(),
};

/** The statistics that a run's settings ask for. */
export function runStatistics(
  { statistics, seed }: Pick<MeasureSettings & SettledCrawl, 'statistics' | 'seed'>,
  options: Omit<RunStatisticsOptions, 'seed'>,
): Statistics {
  return statistics === 'off' ? noStatistics : new RunStatistics(statistics, { ...options, seed });
}

/** Whether the row is the first of its superstep; after a crash there may be two of the same number. */
export function beginsSuperstep(rows: readonly SuperstepRow[], i: number): boolean {
  if (i === 0) return true;
  const [previous, row] = [rows[i - 1], rows[i]];
  return previous.superstep !== row.superstep || previous.barrierUs !== row.barrierUs;
}

function checkMemory(maxPages: number): void {
  if (maxPages === Infinity) return;
  const bytes = Math.ceil(maxPages * maxPages * BYTES_PER_PAIR);
  const available = Math.min(process.availableMemory(), MAX_KERNEL_BYTES);
  if (bytes > available)
    throw new InputError(
      `statistics: exact distances between ${maxPages} pages take ${bytes} bytes, and ${available} can be had; ` +
        'set max pages, or use estimate or auto', { field: 'statistics' },
    );
}
