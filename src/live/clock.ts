/**
 * The clock of a live crawl: integer microseconds since the run began, pauses between a kill and a resumption left out.
 * Neither of its two readings ever falls, whatever becomes of the system's clock during the session.
 */
export class LiveClock {
  readonly #beginUs: number;
  readonly #originMs = performance.now();
  readonly #wallOriginMs = Date.now();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** @param beginUs where it stands now. */
  constructor(beginUs = 0) {
    this.#beginUs = beginUs;
  }

  get nowUs(): number {
    return this.#beginUs + Math.floor(1000 * (performance.now() - this.#originMs));
  }

  /** Milliseconds since 1970, for what other programs read: the system's when the session began, and the time since. */
  get wallMs(): number {
    return Math.round(this.#wallOriginMs + performance.now() - this.#originMs);
  }

  /** Calls `ring` once the clock has come to `atUs`, and not before; returns a function that cancels it. */
  alarm(atUs: number, ring: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
    const wait = (): void => {
      cancel();
      const leftMs = Math.ceil((atUs - this.nowUs) / 1000);
      if (leftMs <= 0) {
        ring();
        return;
      }
      // Timers take at most 2^31 - 1 ms, and may ring early.
      timer = setTimeout(wait, Math.min(leftMs, 2 ** 31 - 1));
      this.#timers.add(timer);
    };
    wait();
    return cancel;
  }

  /** Cancels every alarm: a rest of a day must not keep the process alive when the crawl is over. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
