import type { QueueMaker, WorldMaker } from '../../src/experiment/index.ts';
import { createQueue, type PriorityQueue } from '../../src/queue/index.ts';
import type { DrawStream } from '../../src/std/index.ts';
import type { FetchRequest, Outcome, World } from '../../src/world/index.ts';

// What the World and the queue of each processor saw, written down on their side of the contract before the scheduler hears of it.

/** Shares of requests and hosts that meet trouble. Every draw is keyed by page and try, or by host. */
export interface Troubles {
  readonly draws: DrawStream;
  /** Requests that fail and may pass another time. */
  readonly passing: number;
  /** Pages that fail for good. */
  readonly lasting: number;
  /** Hosts whose robots.txt comes first. */
  readonly robots: number;
  /** Hosts that ask to be left alone after an answer. */
  readonly waits: number;
}

/** An entry of a queue. */
export interface Entry {
  readonly key: number;
  /** Local index of the page. */
  readonly local: number;
}

export type Seen =
  | { readonly what: 'insert'; readonly entries: readonly Entry[] }
  | { readonly what: 'extract'; readonly wanted: number; readonly entries: readonly Entry[] }
  | { readonly what: 'start'; readonly page: number; readonly attempt: number; readonly atUs: number }
  | { readonly what: 'next'; readonly untilUs: number; readonly fromUs: number; readonly toUs: number; readonly outcome: Outcome | undefined };

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

const passing = ['serverError', 'timeout', 'refused'] as const;
const lasting = ['notFound', 'robotsDenied'] as const;
const waitsUs = [1, 700_000, 6_000_000] as const;

/** A World that troubles the answers of another. */
class TroubledWorld implements World {
  readonly #world: World;
  readonly #troubles: Troubles;
  readonly #attempts = new Map<number, number>();
  /** Hosts whose robots.txt was fetched. */
  readonly #asked = new Set<number>();

  constructor(world: World, troubles: Troubles) {
    this.#world = world;
    this.#troubles = troubles;
  }

  get nowUs(): number {
    return this.#world.nowUs;
  }

  get politenessBreaches(): number {
    return this.#world.politenessBreaches;
  }

  hostOf(page: number): number {
    return this.#world.hostOf(page);
  }

  start(request: FetchRequest): void {
    this.#attempts.set(request.page, request.attempt);
    this.#world.start(request);
  }

  next(untilUs: number): Outcome | undefined {
    const outcome = this.#world.next(untilUs) as Outcome | undefined;
    if (outcome?.kind !== 'fetched') return outcome;
    const { draws } = this.#troubles;
    const { page } = outcome;
    const host = this.hostOf(page);
    const attempt = this.#attempts.get(page) ?? 0;
    const waitUs = Math.max(outcome.waitUs, draws.uniform(host, 1_000_003) < this.#troubles.waits ? waitsUs[draws.uint32(page, attempt) % 3] : 0);
    const failed = { ...outcome, waitUs, links: new Uint32Array(0) };
    if (!this.#asked.has(host) && draws.uniform(host, 1_000_001) < this.#troubles.robots) {
      this.#asked.add(host);
      return { ...failed, kind: 'robotsFetched' };
    }
    if (draws.uniform(page, 1_000_002) < this.#troubles.lasting) return { ...failed, kind: lasting[page % lasting.length] };
    if (draws.uniform(page, attempt) < this.#troubles.passing) return { ...failed, kind: passing[(page + attempt) % passing.length] };
    return { ...outcome, waitUs };
  }
}

/** Puts trouble before the Worlds of a crawl. */
export function troubled(troubles: Troubles): WorldMaker {
  return (world) => new TroubledWorld(world, troubles);
}

/** Watches a crawl: the lives of each processor, in their order. */
export class Watch {
  readonly lives: Life[][] = [];
  readonly #queues: Seen[][] = [];

  readonly queueOf: QueueMaker = (options, processor) => {
    const queue = createQueue(options);
    // The queue of a life is made before its World.
    const seen: Seen[] = (this.#queues[processor] = []);
    return watchedQueue(queue, seen);
  };

  /** @param trouble stands between the World and the watch, so that what it answers is what is written down. */
  worldOf(trouble: WorldMaker): WorldMaker {
    return (world, processor) => {
      const inner = trouble(world, processor);
      const life = { seen: this.#queues[processor], world: inner };
      (this.lives[processor] ??= []).push(life);
      return watchedWorld(inner, life.seen);
    };
  }
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
