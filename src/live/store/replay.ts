import { LargeMap } from '../../base/index.ts';
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
  /** When the last of them ended; the checkpoint's barrier if there are none. */
  readonly endUs: number;
  /** How many there are. */
  readonly size: number;

  /** @param barrierUs of the checkpoint: what ended by then is part of it. */
  constructor(store: Pick<CrawlStore, 'visit' | 'outcomes'>, barrierUs: number) {
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
    }
    this.endUs = endUs;
    this.size = size;
  }

  /** What became of the page next; undefined if that is not known. */
  take(processor: number, page: number): Download | undefined {
    const ofPage = this.#left.get(page);
    const next = ofPage?.at(0);
    if (ofPage === undefined || next?.processor !== processor) return undefined;
    ofPage.shift();
    if (ofPage.length === 0) this.#left.delete(page);
    const { kind, bytes, waitUs, hostTrouble, startedAtUs, finishedAtUs } = next;
    const links = kind === 'fetched' ? this.#store.visit(page)?.links : undefined;
    return { kind, bytes, waitUs, hostTrouble, startedAtUs, finishedAtUs, links: links ?? noLinks };
  }
}
