import { LargeMap } from '../../../base/index.ts';
import type { Download } from '../live-world.ts';
import type { CrawlStore, StoredOutcome } from './crawl-store.ts';

const noLinks = new Uint32Array(0);

/**
 * The outcomes since a checkpoint, to be given again in the order and at the times of then. Whoever asks for the pages
 * that were asked for then, in the same order, goes through the same states.
 *
 * Memory  some 150 bytes per outcome, until it is taken.
 */
export class Replay {
  readonly #store: Pick<CrawlStore, 'visit'>;
  /** By page: what became of it, in order. */
  readonly #left = new LargeMap<number, StoredOutcome[]>();
  /** By host: when its robots.txt was first fetched. */
  readonly #rulesReadUs = new LargeMap<number, number>();
  /** When the last of them ended; the checkpoint's barrier if there are none. */
  readonly endUs: number;
  /** How many there are. */
  readonly size: number;

  /** @param barrierUs of the checkpoint: what ended by then is part of it. */
  constructor(
    store: Pick<CrawlStore, 'visit' | 'outcomes'>, barrierUs: number, hostOf: (page: number) => number,
  ) {
    this.#store = store;
    let endUs = barrierUs;
    let size = 0;
    for (const outcome of store.outcomes()) {
      if (outcome.finishedAtUs <= barrierUs) continue;
      const ofPage = this.#left.get(outcome.page);
      if (ofPage === undefined) this.#left.set(outcome.page, [outcome]);
      else ofPage.push(outcome);
      endUs = Math.max(endUs, outcome.finishedAtUs);
      size++;
      if (outcome.kind !== 'robotsFetched') continue;
      const host = hostOf(outcome.page);
      this.#rulesReadUs.set(host, Math.min(this.#rulesReadUs.get(host) ?? Infinity, outcome.finishedAtUs));
    }
    this.endUs = endUs;
    this.size = size;
  }

  /** Whether the robots.txt of a host was fetched, and that not before a later time than this. */
  readsRulesAfter(host: number, nowUs: number): boolean {
    return (this.#rulesReadUs.get(host) ?? -Infinity) > nowUs;
  }

  /** What became of the page next, without a change; undefined if that is not known. */
  peek(processor: number, page: number): StoredOutcome | undefined {
    const next = this.#left.get(page)?.at(0);
    return next?.processor === processor ? next : undefined;
  }

  /** What became of the page next; undefined if that is not known. */
  take(processor: number, page: number): Download | undefined {
    const ofPage = this.#left.get(page);
    const next = this.peek(processor, page);
    if (ofPage === undefined || next === undefined) return undefined;
    ofPage.shift();
    if (ofPage.length === 0) this.#left.delete(page);
    const { kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs } = next;
    const links = kind === 'fetched' ? this.#store.visit(page)?.links : undefined;
    return { kind, bytes, waitUs, hostTrouble, addressRest, startedAtUs, finishedAtUs, links: links ?? noLinks };
  }
}
