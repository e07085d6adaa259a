import { Heap } from '../../../../core/frontier/index.ts';
import type { HostQueue } from './host-queue.ts';
import { LazyHeap } from './lazy-heap.ts';

const sides = ['best', 'due'] as const;

/**
 * Which queue of a crawl hands out URLs next: the one with the best discovered URL, and the one with the earliest date,
 * in turn. A queue is listed under its ranks, and once more when a rank rises; it is looked at again when it is taken,
 * so that a listing may be out of date. A queue that is blocked, or whose delay has not passed, is parked until then.
 *
 * Cost   O(log queues) for a change and for a queue that is taken or found parked.
 */
export class QueueOrder {
  readonly #listed = { best: new LazyHeap<HostQueue>(), due: new LazyHeap<HostQueue>() };
  readonly #parked = new Heap<HostQueue>();
  #turn: 0 | 1 = 0;

  /** Bytes of V8's heap for its listings, about. */
  get bytes(): number {
    return this.#listed.best.bytes + this.#listed.due.bytes;
  }

  /** Something of the queue has changed. */
  list(queue: HostQueue): void {
    if (queue.isDeleted || queue.isAtLimit || queue.parkedUntilMs > 0) return;
    for (const side of sides) {
      const rank = queue[side];
      if (rank <= queue.listed[side]) continue;
      queue.listed[side] = rank;
      this.#listed[side].add(queue, rank, (other, of) => !other.isDeleted && other.listed[side] === of);
    }
  }

  park(queue: HostQueue, untilMs: number): void {
    queue.parkedUntilMs = untilMs;
    this.#parked.add(queue, -untilMs);
  }

  /** Its delay or its block has changed. */
  unpark(queue: HostQueue): void {
    queue.parkedUntilMs = 0;
    this.list(queue);
  }

  /** Takes out the next queue that has a URL for now and for which `isOpen` holds; `list` or `park` it afterwards. */
  next(nowMs: number, isOpen: (queue: HostQueue) => boolean): HostQueue | undefined {
    this.#unparkUntil(nowMs);
    const side = sides[this.#turn];
    this.#turn = this.#turn === 0 ? 1 : 0;
    return this.#take(side, nowMs, isOpen) ?? this.#take(sides[this.#turn], nowMs, isOpen);
  }

  #take(side: 'best' | 'due', nowMs: number, isOpen: (queue: HostQueue) => boolean): HostQueue | undefined {
    const heap = this.#listed[side];
    while (heap.size > 0) {
      if (side === 'due' && -heap.firstRank > Math.floor(nowMs / 1000)) return undefined;
      const rank = heap.firstRank;
      const queue = heap.take()!;
      if (queue.isDeleted || queue.listed[side] !== rank) continue;
      queue.listed[side] = -Infinity;
      if (queue.parkedUntilMs > 0) continue;
      if (queue[side] !== rank) this.list(queue);
      else if (isOpen(queue)) return queue;
    }
    return undefined;
  }

  #unparkUntil(nowMs: number): void {
    while (-this.#parked.firstRank <= nowMs) {
      const untilMs = -this.#parked.firstRank;
      const queue = this.#parked.take()!;
      if (queue.parkedUntilMs === untilMs && !queue.isDeleted) this.unpark(queue);
    }
  }
}
