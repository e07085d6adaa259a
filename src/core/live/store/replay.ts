import { LargeMap } from '../../../base/index.ts';
import type { Download } from '../live-world.ts';
import type { CrawlStore, StoredOutcome } from './crawl-store.ts';

const noLinks = new Uint32Array(0);

/**
 * The outcomes since a checkpoint, to be given again in their old order and at their old times. Whoever asks for the
 * same pages in the same order goes through the same states.
 *
 * Memory  some 150 bytes per outcome, until it is taken.
 */
export class Replay {
  readonly #store: Pick<CrawlStore, 'visit'>;
  /** The outcomes of each page that are to come, in order. */
  readonly #coming = new LargeMap<number, StoredOutcome[]>();
  /** When the robots.txt of a host was first fetched. */
  readonly #rulesReadUs = new LargeMap<number, number>();
  /** When the last of them ended; the checkpoint's barrier if there are none. */
  readonly endUs: number;
  readonly size: number;

  /** @param barrierUs of the checkpoint, which contains the outcomes up to then. */
  constructor(
    store: Pick<CrawlStore, 'visit' | 'outcomes'>, barrierUs: number, hostOf: (page: number) => number,
  ) {
    this.#store = store;
    let endUs = barrierUs;
    let size = 0;
    for (const outcome of store.outcomes()) {
      if (outcome.finishedAtUs <= barrierUs) continue;
      const pageOutcomes = this.#coming.get(outcome.page);
      if (pageOutcomes === undefined) this.#coming.set(outcome.page, [outcome]);
      else pageOutcomes.push(outcome);
      endUs = Math.max(endUs, outcome.finishedAtUs);
      size++;
      if (outcome.kind !== 'robotsFetched') continue;
      const host = hostOf(outcome.page);
      this.#rulesReadUs.set(host, Math.min(this.#rulesReadUs.get(host) ?? Infinity, outcome.finishedAtUs));
    }
    this.endUs = endUs;
    this.size = size;
  }

  /** True if the robots.txt of a host was first fetched later than this. */
  readsRulesAfter(host: number, nowUs: number): boolean {
    return (this.#rulesReadUs.get(host) ?? -Infinity) > nowUs;
  }

  /** The next outcome of the page, which stays; undefined if there is none. */
  peek(processor: number, page: number): StoredOutcome | undefined {
    const next = this.#coming.get(page)?.at(0);
    return next?.processor === processor ? next : undefined;
  }

  /** The next outcome of the page, once; undefined if there is none. */
  take(processor: number, page: number): Download | undefined {
    const next = this.peek(processor, page);
    if (next === undefined) return undefined;
    const pageOutcomes = this.#coming.get(page)!;
    pageOutcomes.shift();
    if (pageOutcomes.length === 0) this.#coming.delete(page);
    const { kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs } = next;
    const links = kind === 'fetched' ? this.#store.visit(page)?.links : undefined;
    return { kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs, links: links ?? noLinks };
  }
}
