/**
 * The World: everything outside the scheduler that has latency, failure or a clock. One World per processor; they are
 * made by `simulation/` and `live/`. The scheduler does not know which one it has.
 *
 * Contract (test/conformance/world.ts tests every World):
 *  - every started request has exactly one outcome; outcomes come in the order (finishedAtUs, sequence);
 *  - a failed download is data (`kind`), never an exception;
 *  - start and next throw WorldError only when the run must stop, AssertionError only for a bug in the caller;
 *  - nowUs never falls, and moves only inside next().
 * The simulated world answers at once with a value, the live one later with a promise; the loop awaits only promises,
 * so a simulated page costs no turn of the event loop.
 */

/**
 * How a request ended. The position in this list is the code that enters the replay hash. `robotsFetched`: the host's
 * robots.txt was fetched instead of the page, whose state does not change. `rejected`: there was a response, but it was
 * not accepted: too large, damaged, or of a type or at an address that is not allowed. `busy`: nobody was asked,
 * because the host or its address was not free in time.
 */
export const outcomeKinds = [
  'fetched', 'notFound', 'serverError', 'timeout', 'refused', 'robotsDenied', 'robotsFetched', 'rejected', 'busy',
] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** Whether the failure is transient; a definite answer (not found, denied) is final. */
export function isTransient(kind: OutcomeKind): boolean {
  return kind === 'serverError' || kind === 'timeout' || kind === 'refused';
}

/**
 * Why an outcome says nothing about its page, which keeps its tries. `unreachable`: the host's name, a connection, TLS
 * or its robots.txt failed. `noSuchName`: DNS says that the host's name does not exist. `notAllowed`: the crawl must
 * not contact the host's address.
 */
export const hostTroubles = ['unreachable', 'noSuchName', 'notAllowed'] as const;
export type HostTrouble = (typeof hostTroubles)[number];

/** Whether the outcome says something about its page; otherwise the page is asked for again, and has lost no try. */
export function isAboutPage(kind: string): boolean {
  return kind !== 'robotsFetched' && kind !== 'busy';
}

export interface FetchRequest {
  /** Page id, assigned by the World. */
  readonly page: number;
  /** Number of this start on its processor: 0, 1, 2, ... */
  readonly sequence: number;
  /** Failed starts of the page so far, those that were its host's failures too; fetches of robots.txt do not count. */
  readonly attempt: number;
}

/** The address of a host, which others may share, and how long nothing is to be asked of it, microseconds. */
export interface AddressRest {
  readonly address: string;
  readonly restUs: number;
}

/** The addresses of a crawl's hosts, where an address rests after each request. */
export interface HostAddresses {
  readonly nameOf: (host: number) => string;
  /** Between two requests of all processors. */
  readonly delayUs: number;
  /** Processors that have hosts at the address of this one: each leaves it alone for so many delays. */
  readonly sharersOf: (host: number) => number;
}

/** How a download ended. A World may reuse its memory after the call that passes it has returned. */
export interface Outcome {
  /** Page id, assigned by the World. */
  readonly page: number;
  /** Number of this start on its processor: 0, 1, 2, ... */
  readonly sequence: number;
  /** Result of the request. */
  readonly kind: OutcomeKind;
  /** Integer microseconds since the run began. */
  readonly startedAtUs: number;
  /** The same, of its end. */
  readonly finishedAtUs: number;
  /** Bytes received. */
  readonly bytes: number;
  /**
   * How long the host asks not to be contacted from finishedAtUs on (Crawl-delay, Retry-After), microseconds; 0 if it
   * asks for nothing.
   */
  readonly waitUs: number;
  /** The host's trouble, if that is what failed; a kind that is transient goes with it. */
  readonly hostTrouble?: HostTrouble | undefined;
  /** How long its bytes came in, microseconds; undefined where the World does not know. */
  readonly transferUs?: number | undefined;
  /** The part of it by which the processor's own link, shared by its downloads, lengthened it. */
  readonly throttledUs?: number | undefined;
  /** The host's address, which rests from finishedAtUs on; undefined where addresses play no part, or it is unknown. */
  readonly addressRest?: AddressRest | undefined;
  /**
   * Page ids of the links, in page order, without duplicates; empty unless fetched. Borrowed: it may be a view of the
   * World's memory, so copy it for later use.
   */
  readonly links: Uint32Array;
}

/** A download that was started and whose outcome has not been reported. */
export interface OpenDownload {
  readonly page: number;
  readonly startedAtUs: number;
}

export interface World {
  /** Integer microseconds since the run began. */
  readonly nowUs: number;
  /** Requests started before their host's delay had passed, or while the host had a download open. */
  readonly politenessBreaches: number;
  /** Open downloads that were cancelled, since the run ends: they have no outcome. */
  readonly cancelled?: number;
  /** Host id of a page id. */
  hostOf(page: number): number;
  /** Downloads started whose outcomes have not been reported, in no particular order. O(robots). */
  openDownloads(): readonly OpenDownload[];
  /** Whether rules that this World has read deny a page without a request. Undefined in Worlds without rules. */
  readonly denies?: ((page: number) => boolean) | undefined;
  /**
   * Ends a page that rules deny: its outcome is `robotsDenied`, at nowUs. Nobody is asked, and no host notices.
   * Everything that ended by nowUs has been reported before. Undefined where no rule that is known denies the page.
   */
  deny?(request: FetchRequest): Outcome | undefined;
  /**
   * Pages to be announced on account of a fetched page, besides its links: those that came within the limits of the
   * crawl, or came nearer to a seed page where another machine fetches them, because this page was fetched or came
   * nearer itself. Asked when an outcome is observed, and when a message names a page fetched already; each is returned
   * once, or again after a return to a checkpoint. Borrowed, as links are.
   */
  reachedThrough?(page: number): Uint32Array | undefined;
  /** Begins a download at nowUs. */
  start(request: FetchRequest): void;
  /**
   * The earliest unreported outcome with finishedAtUs <= untilUs; nowUs is set to its finishedAtUs (if that is later).
   * If there is none, undefined, and nowUs = untilUs. Infinity with nothing in flight is an AssertionError.
   */
  next(untilUs: number): Outcome | undefined | Promise<Outcome | undefined>;
  /** Ends a pending wait of `next`, which resolves to undefined. Only in Worlds that answer with promises. */
  wake?(): void;
}
