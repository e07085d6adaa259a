/**
 * The World: everything outside the scheduler that has latency, failure or a clock. One World a processor; makers are
 * `simulation/` and `live/`. The scheduler cannot tell which it holds.
 *
 * Contract (test/conformance/world.ts runs it on every maker):
 *  - every started request has exactly one outcome; outcomes come in the order (finishedAtUs, sequence);
 *  - a page's trouble is data (`kind`), never an exception;
 *  - start and next throw WorldError only when the run must stop, AssertionError only for a fault of the caller;
 *  - nowUs never falls, and moves only inside next().
 * The simulated world answers at once with a value, the live one later with a promise; the loop awaits only promises,
 * so that a simulated page costs no turn of the event loop.
 */

/**
 * What became of a request. The position in this list is the code that enters the replay hash. `robotsFetched`: the
 * host's robots.txt was fetched in the place of the page, which is as it was. `rejected`: there is something, and it is
 * not taken: too large, damaged, of a type or at an address that is not allowed.
 */
export const outcomeKinds = [
  'fetched', 'notFound', 'serverError', 'timeout', 'refused', 'robotsDenied', 'robotsFetched', 'rejected',
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

export interface FetchRequest {
  /** Page id, handed out by the World. */
  readonly page: number;
  /** Number of this start on its processor: 0, 1, 2, ... */
  readonly sequence: number;
  /** How often the page was tried before without being fetched; fetches of robots.txt apart. */
  readonly attempt: number;
}

/** How a download ended. A World may use its memory again once the call that passes it on has returned. */
export interface Outcome {
  /** Page id, handed out by the World. */
  readonly page: number;
  /** Number of this start on its processor: 0, 1, 2, ... */
  readonly sequence: number;
  /** What became of the request. */
  readonly kind: OutcomeKind;
  /** Integer microseconds since the run began. */
  readonly startedAtUs: number;
  /** The same, of its end. */
  readonly finishedAtUs: number;
  /** Bytes received. */
  readonly bytes: number;
  /**
   * How long the host asks to be left alone from finishedAtUs on (Crawl-delay, Retry-After), microseconds; 0 where it
   * asks for nothing.
   */
  readonly waitUs: number;
  /**
   * Page ids of the links, in their order, none twice; empty unless fetched. Borrowed: it may be a view of the World's
   * own memory, so copy what is needed later.
   */
  readonly links: Uint32Array;
}

/** A download that was started, and whose outcome has not been reported. */
export interface OpenDownload {
  readonly page: number;
  readonly startedAtUs: number;
}

export interface World {
  /** Integer microseconds since the run began. */
  readonly nowUs: number;
  /** Requests that were started before their host's delay had passed, or while the host had a download open. */
  readonly politenessBreaches: number;
  /** Host id of a page id. */
  hostOf(page: number): number;
  /** Downloads that were started, and whose outcomes have not been reported; in no order. O(robots). */
  openDownloads(): readonly OpenDownload[];
  /** Begins a download at nowUs. */
  start(request: FetchRequest): void;
  /**
   * The earliest unreported outcome with finishedAtUs <= untilUs, and nowUs is set to its finishedAtUs (if that is
   * later); else undefined, and nowUs = untilUs. Infinity with nothing in flight is an AssertionError.
   */
  next(untilUs: number): Outcome | undefined | Promise<Outcome | undefined>;
  /**
   * Ends a wait of `next` that is under way: it brings undefined, and nowUs is the present. Of Worlds that answer with
   * promises alone.
   */
  wake?(): void;
}
