/**
 * Lanes of one processor. A download takes the first lane that is free, so there are never more lanes than downloads
 * were open at once. Cost  O(lanes) per download.
 */
export class RobotLanes {
  readonly #freeFromUs: number[] = [];

  get count(): number {
    return this.#freeFromUs.length;
  }

  /** The lane of a download; downloads are given in order of their start, and of their end among equal starts. */
  take(startedUs: number, finishedUs: number): number {
    const free = this.#freeFromUs.findIndex((us) => us <= startedUs);
    const lane = free === -1 ? this.#freeFromUs.length : free;
    this.#freeFromUs[lane] = finishedUs;
    return lane;
  }
}
