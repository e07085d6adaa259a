import { assert, WorldError } from '../../../base/index.ts';
import type { Download, Starter } from '../live-world.ts';

interface Claim {
  readonly starter: Starter;
  readonly resolve: (download: Download | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface OpenDownload {
  /** Undefined where it was let go, and nobody has asked for its page since. */
  claim: Claim | undefined;
  /** Its result is being stored: it can no longer be cancelled, nor let go. */
  isStored: boolean;
  over: Promise<unknown>;
  readonly waiting: (() => void)[];
}

/**
 * The downloads under way, by page. One that was let go goes on, and is handed to the next who asks for its page: a
 * crawl that goes back to a checkpoint requests nothing twice. Its outcome is fixed by whom it is handed to.
 */
export class OpenDownloads {
  readonly #open = new Map<number, OpenDownload>();
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  has(page: number): boolean {
    return this.#open.has(page);
  }

  /** Begins `work`, unless the page is under way. @returns undefined if the crawl ended first. */
  begin(page: number, starter: Starter, work: () => Promise<Download>): Promise<Download | undefined> {
    return new Promise((resolve, reject) => {
      const underWay = this.#open.get(page);
      const open = underWay ?? { claim: undefined, isStored: false, over: Promise.resolve(), waiting: [] };
      assert(open.claim === undefined, () => `page ${page} is under way, and asked for again`);
      open.claim = { starter, resolve, reject };
      for (const go of open.waiting.splice(0)) go();
      if (underWay !== undefined) return;
      this.#open.set(page, open);
      open.over = work().then(
        (download) => { open.claim?.resolve(download); }, (error: unknown) => { open.claim?.reject(error); },
      ).finally(() => this.#open.delete(page));
    });
  }

  /**
   * Fixes the outcome of a page as soon as somebody waits for it.
   * @returns who waits. @throws WorldError if the crawl has ended.
   */
  async storeOnceClaimed(page: number): Promise<Starter> {
    const open = this.#open.get(page);
    while (open?.claim === undefined && open !== undefined && !this.#isOver)
      await new Promise<void>((resolve) => { open.waiting.push(resolve); });
    return this.store(page);
  }

  /** The outcome of a page is fixed now. @returns who waits for it. @throws WorldError if the crawl has ended. */
  store(page: number): Starter {
    const open = this.#open.get(page);
    if (this.#isOver || open?.claim === undefined) throw new WorldError('the crawl has ended');
    open.isStored = true;
    return open.claim.starter;
  }

  /** Nobody waits for them any more; they go on. Resolves when the current stores end. */
  async letGo(): Promise<void> {
    const stored = [...this.#open.values()].filter(({ isStored }) => isStored);
    for (const open of this.#open.values()) if (!open.isStored) open.claim = undefined;
    await Promise.allSettled(stored.map(({ over }) => over));
  }

  /** Resolves when all downloads have ended that somebody waits for. */
  async over(): Promise<void> {
    const claimed = [...this.#open.values()].filter(({ claim }) => claim !== undefined);
    await Promise.allSettled(claimed.map(({ over }) => over));
  }

  /**
   * Cancels those whose results are not being stored yet. @returns how many were cancelled, and when the others end.
   */
  cancel(): { readonly cancelled: number; readonly stored: Promise<unknown> } {
    this.#isOver = true;
    const open = [...this.#open.values()];
    const cancelled = open.filter(({ isStored }) => !isStored);
    for (const { claim, waiting } of cancelled) {
      claim?.resolve(undefined);
      for (const go of waiting.splice(0)) go();
    }
    return {
      cancelled: cancelled.length,
      stored: Promise.allSettled(open.filter(({ isStored }) => isStored).map(({ over }) => over)),
    };
  }
}
