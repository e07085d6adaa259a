import { InputError } from '../../../../base/index.ts';
import { recordedKinds, superstepEnds } from '../../../../core/measure/index.ts';
import type { RunSource } from '../runs/run-source.ts';
import type { RunPages } from '../timeline/run-pages.ts';
import { firstAtOrAfter } from '../timeline/timeline.ts';
import type { ListedPage } from './api.ts';
import { isAboutPage } from '../../../../core/world/index.ts';

/** Neither fetched nor known. */
const NEVER = 0xffff_ffff;

/**
 * What became of each page of a graph in a run, as far as it is recorded. A superstep is given by its position among
 * those recorded.
 *
 * Cost  O(pages of the graph + links of the pages fetched + outcomes log supersteps); 9 bytes per page.
 */
export class CrawledPages {
  /** Numbers of the supersteps that are recorded, rising. */
  readonly supersteps: readonly number[];
  /** Pages in the order in which they were fetched, and the superstep of each. */
  readonly order: Uint32Array;
  readonly fetchedIn: Uint32Array;
  readonly failures: RunSource['events']['failures'];
  /** For each page the superstep that fetched it, and the superstep that found it; 0 for a seed page. */
  readonly #fetchedIn: Uint32Array;
  readonly #knownSince: Uint32Array;
  /** For each page its last failure, as a place in `recordedKinds`; 0: none. */
  readonly #failure: Uint8Array;

  /** @throws InputError where the record names a page that the graph does not have. */
  constructor({ order, times, failures, rows }: RunSource['events'], { graph: { graph }, seedPages }: RunPages) {
    const { pages, outOffsets, outTargets } = graph;
    checkPages(order, pages, 'order.u32');
    checkPages(failures.map(({ page }) => page), pages, 'failures.csv');
    const ends = superstepEnds(rows).map((end) => rows[end - 1]);
    if (ends.length === 0 && order.length + failures.length > 0)
      throw new InputError('supersteps.csv: has no row; the record is damaged');
    this.supersteps = ends.map(({ superstep }) => superstep);
    this.order = order;
    this.failures = failures;
    this.fetchedIn = new Uint32Array(order.length);
    this.#fetchedIn = new Uint32Array(pages).fill(NEVER);
    this.#knownSince = new Uint32Array(pages).fill(NEVER);
    this.#failure = new Uint8Array(pages);
    for (const page of seedPages) this.#knownSince[page] = 0;
    const barriers = ends.map(({ barrierUs }) => barrierUs);
    order.forEach((page, i) => {
      const at = firstAtOrAfter(barriers, times[2 * i + 1]);
      this.fetchedIn[i] = at;
      this.#fetchedIn[page] = at;
      this.#know(page, at);
      for (let arc = outOffsets[page]; arc < outOffsets[page + 1]; arc++) this.#know(outTargets[arc], at);
    });
    for (const { page, kind, finishedUs } of failures) {
      if (isAboutPage(kind)) this.#failure[page] = (recordedKinds as readonly string[]).indexOf(kind);
      // A live crawl may be given pages that nothing links to.
      this.#know(page, firstAtOrAfter(barriers, finishedUs));
    }
  }

  /** The superstep that found the page; undefined if none did. */
  knownSince(page: number): number | undefined {
    const since = this.#knownSince[page];
    return since === NEVER ? undefined : since;
  }

  isFetched(page: number): boolean {
    return this.#fetchedIn[page] !== NEVER;
  }

  stateOf(page: number): Pick<ListedPage, 'state' | 'superstep' | 'failure'> {
    const since = this.knownSince(page);
    if (this.isFetched(page))
      return { state: 'fetched', superstep: this.supersteps[this.#fetchedIn[page]], failure: null };
    if (since === undefined) return { state: 'unknown', superstep: null, failure: null };
    const failure = this.#failure[page];
    const superstep = this.supersteps.at(since) ?? null;
    return failure === 0 ? { state: 'known', superstep, failure: null }
      : { state: 'failed', superstep, failure: recordedKinds[failure] };
  }

  #know(page: number, at: number): void {
    if (at < this.#knownSince[page]) this.#knownSince[page] = at;
  }
}

function checkPages(numbers: ArrayLike<number>, pages: number, file: string): void {
  for (let i = 0; i < numbers.length; i++) {
    if (numbers[i] >= pages) {
      throw new InputError(
        `${file}: names page ${numbers[i]}, but the graph has pages 0 to ${pages - 1}; the record is damaged`,
      );
    }
  }
}
