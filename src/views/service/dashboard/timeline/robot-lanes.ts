import { Heap } from '../../../../core/frontier/index.ts';

/**
 * Lanes of one processor. A download takes the first lane that is free, so there are never more lanes than downloads
 * were open at once. Cost  O(log lanes) per download.
 */
export class RobotLanes {
  /** Lanes by the end of their last download, the earliest first; lanes that are free by now, the first one first. */
  readonly #busy = new Heap<number>();
  readonly #free = new Heap<number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** The lane of a download; downloads are given in order of their start, and of their end among equal starts. */
  take(startedUs: number, finishedUs: number): number {
    for (; this.#busy.size > 0 && -this.#busy.firstRank <= startedUs;) {
      const free = this.#busy.take()!;
      this.#free.add(free, -free);
    }
    const lane = this.#free.take() ?? this.#count++;
    this.#busy.add(lane, -finishedUs);
    return lane;
  }
}
