/** The clock of a live crawl: integer microseconds since the run began, pauses between a kill and a resumption left out. It never falls. */
export class LiveClock {
  readonly #beginUs: number;
  readonly #originMs = performance.now();

  /** @param beginUs where it stands now. */
  constructor(beginUs = 0) {
    this.#beginUs = beginUs;
  }

  get nowUs(): number {
    return this.#beginUs + Math.floor(1000 * (performance.now() - this.#originMs));
  }

  /** Milliseconds since 1970, for what other programs read. */
  get wallMs(): number {
    return Date.now();
  }

  /** Calls `ring` once the clock has come to `atUs`, and not before; returns what calls that off. */
  alarm(atUs: number, ring: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const wait = (): void => {
      const leftMs = Math.ceil((atUs - this.nowUs) / 1000);
      if (leftMs <= 0) ring();
      // Timers take at most 2^31 - 1 ms, and may ring early.
      else timer = setTimeout(wait, Math.min(leftMs, 2 ** 31 - 1));
    };
    wait();
    return () => { clearTimeout(timer); };
  }
}
