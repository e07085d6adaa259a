import type { QueueMaker, WorldMaker } from '../../src/core/engine/index.ts';
import { createQueue, type PriorityQueue } from '../../src/core/queue/index.ts';
import type { Visit } from '../../src/core/simulation/index.ts';
import type { Outcome, World } from '../../src/core/world/index.ts';

// What the World and the queue of each processor saw, written down on their side of the contract before the scheduler
// hears of it.

/** An entry of a queue. */
export interface Entry {
  readonly key: number;
  /** Local index of the page. */
  readonly local: number;
}

export type Seen =
  | { readonly what: 'insert'; readonly entries: readonly Entry[] }
  | { readonly what: 'extract'; readonly wanted: number; readonly entries: readonly Entry[] }
  | { readonly what: 'deny'; readonly page: number; readonly outcome: Outcome }
  | { readonly what: 'start'; readonly page: number; readonly attempt: number; readonly atUs: number }
  | {
    readonly what: 'next'; readonly untilUs: number; readonly fromUs: number; readonly toUs: number;
    readonly outcome: Outcome | undefined;
  };

/** A processor from its start, or its last crash, to its next crash, or the end. */
export interface Life {
  readonly seen: Seen[];
  readonly world: World;
}

const bits = new DataView(new ArrayBuffer(8));

/** Key above, complement of the index below. */
function entryOf(packed: number): Entry {
  bits.setFloat64(0, packed);
  return { key: bits.getUint32(0), local: ~bits.getUint32(4) >>> 0 };
}

/** Watches a crawl: the lives of each processor, in their order. */
export class Watch {
  readonly lives: Life[][] = [];
  /** The network's own log, by processor. */
  readonly visits: Visit[][] = [];
  readonly #queues: Seen[][] = [];

  readonly makeQueue: QueueMaker = (options, processor) => {
    const queue = createQueue(options);
    // The queue of a life is made before its World.
    const seen: Seen[] = (this.#queues[processor] = []);
    return watchedQueue(queue, seen);
  };

  readonly makeWorld: WorldMaker = (world, processor) => {
    const life = { seen: this.#queues[processor], world };
    (this.lives[processor] ??= []).push(life);
    world.onVisit = (visit) => { (this.visits[processor] ??= []).push(visit); };
    return watchedWorld(world, life.seen);
  };
}

function watchedQueue(queue: PriorityQueue, seen: Seen[]): PriorityQueue {
  return {
    get size() { return queue.size; },
    get comparisons() { return queue.comparisons; },
    get structure() { return queue.structure; },
    ...(queue.io !== undefined && { get io() { return queue.io!; } }),
    insertMany: (entries, from, to) => {
      seen.push({ what: 'insert', entries: [...entries.subarray(from, to)].map(entryOf) });
      queue.insertMany(entries, from, to);
    },
    extractTop: (k, into) => {
      const taken = queue.extractTop(k, into);
      seen.push({ what: 'extract', wanted: k, entries: [...into.subarray(0, taken)].map(entryOf) });
      return taken;
    },
    checkInvariants: () => queue.checkInvariants(),
    dispose: () => queue.dispose(),
  };
}

function watchedWorld(world: World, seen: Seen[]): World {
  return {
    get nowUs() { return world.nowUs; },
    get politenessBreaches() { return world.politenessBreaches; },
    hostOf: (page) => world.hostOf(page),
    openDownloads: () => world.openDownloads(),
    denies: world.denies,
    deny: (request) => {
      const outcome = world.deny?.(request);
      if (outcome !== undefined) seen.push({ what: 'deny', page: request.page, outcome });
      return outcome;
    },
    start: (request) => {
      seen.push({ what: 'start', page: request.page, attempt: request.attempt, atUs: world.nowUs });
      world.start(request);
    },
    next: (untilUs) => {
      const fromUs = world.nowUs;
      const outcome = world.next(untilUs) as Outcome | undefined;
      seen.push({ what: 'next', untilUs, fromUs, toUs: world.nowUs, outcome });
      return outcome;
    },
  };
}
