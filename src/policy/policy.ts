/**
 * A policy orders the pages that one processor knows. It sees a page by its local index, 0, 1, 2, ... in order of
 * discovery, and learns links from outcomes only: it never holds the true graph.
 */
export interface Policy {
  /** `page` of `host` has become known as `local`, the next index. */
  know(local: number, page: number, host: number): void;
  /** The u32 key with which the page would be queued now, in [0, keyLimit); greater leaves first. */
  key(local: number): number;
  /**
   * The score behind the key, >= 0: a queued page that was touched is inserted again when its score has grown or fallen
   * by the factor `reinsert`, and its key with it. Ratios of it mean something, so that policy `weighted` can multiply
   * it.
   */
  score(local: number): number;
  /** Present where links pass an amount on. Without it each page is sent to its processor once. */
  readonly amounts?: Amounts;
  /**
   * The page was fetched. `own` has the local indices of those of its links that lead to pages of this processor, in
   * their order, all known; a view that is good for this call only. `links` counts all of them.
   */
  fetched?(local: number, own: Uint32Array, links: number): void;
  /** The page failed for good. */
  failed?(local: number): void;
  /**
   * All messages of a superstep are received: scores may change now, of pages other than those credited; `touch` names
   * each such page.
   */
  settle?(touch: (local: number) => void): void;
  /** All that is kept, as a copy that can be cloned; a policy made with it as `saved` goes on from there. */
  save(): unknown;
  /** Bytes of what it keeps by page and by link, spare room included; nothing where this is absent. */
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
  /** Processors of the run. */
  readonly processors: number;
  /** Root seed of the run. */
  readonly seed: number;
  /** Seed pages of the whole run. */
  readonly seedPages: number;
  /** Pending jobs that the processor fills up to. */
  readonly pending: number;
  /** Growth or fall of a score that has a page inserted again. */
  readonly reinsert: number;
  readonly options: PolicyOptions;
  /** True PageRank of each page id, for policies that need an oracle; it shows at the call site that they cheat. */
  readonly ranks?: Float64Array | undefined;
  /** Score of each page id, as a file gave it. */
  readonly scores?: Float64Array | undefined;
  /** What `save` of the same policy gave, to go on from there. */
  readonly saved?: unknown;
}

/** Settings of single policies; each reads its own. */
export interface PolicyOptions {
  /** What becomes of a root's coins: it keeps them, or gives them to the pages known to its processor. */
  readonly opicRoot: 'keep' | 'known';
  /** Window of opic-window: how often all cash of the run is moved in it. */
  readonly opicWindow: number;
  /** Pages that the run fetches between two rankings. */
  readonly rankEveryPages: number;
  /** Most pages that compass takes from a host at once. */
  readonly hostUrls: number;
  /** Hosts that compass goes through before it begins again; twice as many the next time, then thrice, ... */
  readonly resetHosts: number;
  /** Weights of policy weighted, by the name of the policy. */
  readonly weights?: Readonly<Record<string, number | undefined>> | undefined;
}
