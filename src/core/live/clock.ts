/**
 * The clock of a live crawl: integer microseconds since the run began, without the pauses between a kill and a
 * resumption. Neither of its two readings ever falls, whatever happens to the system's clock during the session. A
 * speed other than 1 makes both, and its alarms, run that much faster: for tests of waits of minutes.
 */
export class LiveClock {
  readonly #beginUs: number;
  readonly #speed: number;
  readonly #originMs = performance.now();
  readonly #wallOriginMs = Date.now();
  readonly #timers = new Set<NodeJS.Timeout>();

  /** @param beginUs initial reading. */
  constructor(beginUs = 0, speed = 1) {
    this.#beginUs = beginUs;
    this.#speed = speed;
  }

  get nowUs(): number {
    return this.usAt(performance.now());
  }

  /** The reading at a time of `performance.now()` of this session. */
  usAt(ms: number): number {
    return this.#beginUs + Math.floor(1000 * this.#speed * (ms - this.#originMs));
  }

  /** Milliseconds since 1970, for other programs: the system's clock when the session began, plus the time since. */
  get wallMs(): number {
    return Math.round(this.#wallOriginMs + this.#speed * (performance.now() - this.#originMs));
  }

  /** Calls `ring` once the clock has reached `atUs`, never earlier; returns a function that cancels it. */
  alarm(atUs: number, ring: () => void): () => void {
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      if (timer === undefined) return;
      clearTimeout(timer);
      this.#timers.delete(timer);
    };
    const wait = (): void => {
      cancel();
      const leftMs = Math.ceil((atUs - this.nowUs) / 1000 / this.#speed);
      if (leftMs <= 0) {
        ring();
        return;
      }
      // Timers accept at most 2^31 - 1 ms, and may fire early.
      timer = setTimeout(wait, Math.min(leftMs, 2 ** 31 - 1));
      this.#timers.add(timer);
    };
    wait();
    return cancel;
  }

  /** Cancels every alarm, because a rest of a day must not keep the process alive after the crawl. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
