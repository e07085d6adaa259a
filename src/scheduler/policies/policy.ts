/**
 * A policy orders the pages that one processor knows. It sees a page by its local index, 0, 1, 2, ... in order of discovery,
 * and learns links from outcomes only: it never holds the true graph.
 */
export interface Policy {
  /** `page` of `host` has become known as `local`, the next index. */
  know(local: number, page: number, host: number): void;
  /** The u32 key with which the page would be queued now, in [0, keyLimit); greater leaves first. */
  key(local: number): number;
  /**
   * The score behind the key, >= 0: a queued page that was touched is inserted again when its score has grown or fallen by the factor
   * `reinsert`, and its key with it. Absent where a page's key never changes.
   */
  score?(local: number): number;
  /** Present where links pass an amount on. Without it each page is sent to its processor once. */
  readonly amounts?: Amounts;
  /**
   * The page was fetched. `own` has the local indices of those of its links that lead to pages of this processor, in their order,
   * all known; a view that is good for this call only. `links` counts all of them.
   */
  fetched?(local: number, own: Uint32Array, links: number): void;
  /** The page failed for good. */
  failed?(local: number): void;
  /** All messages of a superstep are received: scores may change now, of pages other than those credited; `touch` names each such page. */
  settle?(touch: (local: number) => void): void;
  /** All that is kept, as a copy that can be cloned; a policy made with it as `saved` goes on from there. */
  save(): unknown;
  /** Bytes of what it keeps by page, spare room included; nothing where this is absent. */
  stateBytes?(): number;
}

/** Amounts that links pass on: OPIC's cash, or counts of links. Amounts for one page are added up on their way. */
export interface Amounts {
  /** `local` is a seed page. */
  seed?(local: number): void;
  credit(local: number, amount: number): void;
  /** The page was fetched and has `links` links: returns what each of them gets. */
  spread(local: number, links: number): number;
  /** Present where amounts are conserved. */
  readonly cash?: Cash;
}

/** Amounts that are neither made nor lost. */
export interface Cash {
  /** What all processors together hold at any time, in integer coins. */
  readonly total: number;
  /** What this processor's pages and root hold, recounted: O(known). */
  held(): number;
}

export interface PolicyContext {
  readonly processor: number;
  /** Root seed of the run. */
  readonly seed: number;
  /** Seed pages of the whole run. */
  readonly seedPages: number;
  /** Score of each page id, for policies that need an oracle; it shows at the call site that they cheat. */
  readonly scores?: Float64Array | undefined;
  /** What `save` of the same policy gave, to go on from there. */
  readonly saved?: unknown;
}
