import type { OptionValue } from '../settings/index.ts';
import type { PolicyState, SavedState } from './policy-state.ts';

/**
 * The order of the pages that one processor knows. It sees a page by its local index, 0, 1, 2, ... in order of
 * discovery, and learns links from outcomes only: it never holds the true graph. The same events give the same answers:
 * it asks no clock, and draws numbers from (seed, processor, local index) alone.
 */
export interface PageOrder {
  /** `page` of `host` has become known as `local`, the next index; the columns of its state have an element for it. */
  know?(local: number, page: number, host: number): void;
  /**
   * The key with which the page would be queued now, an integer from 0 to 0x7fefffff; greater leaves first, and of
   * equal keys the lower local index.
   */
  key(local: number): number;
  /**
   * The score behind the key, finite and at least 0: a queued page that was touched is inserted again when its score
   * has grown or fallen by the factor `reinsert`, and its key with it. Ratios of it mean something, so that policy
   * `weighted` can multiply it.
   */
  score(local: number): number;
  /** Present where links pass an amount on. Without it each page is sent to its processor once. */
  readonly amounts?: Amounts | undefined;
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
}

/** Amounts that links pass on: OPIC's cash, or counts of links. Amounts for one page are added up on their way. */
export interface Amounts {
  /** `local` is a seed page. */
  seed?(local: number): void;
  /** `amount` has arrived for the page. */
  credit(local: number, amount: number): void;
  /** The page was fetched and has `links` links: returns what each of them gets. */
  spread(local: number, links: number): number;
  /** Present where amounts are conserved. Of a user's policy it is ignored. */
  readonly cash?: Cash | undefined;
}

/** Amounts that are neither made nor lost. */
export interface Cash {
  /** What all processors together hold at any time, in integer coins. */
  readonly total: number;
  /** What this processor's pages and root hold, recounted: O(known). */
  held(): number;
  /** Whether at barriers all pages known get the same more: no order among them changes, and none is touched. */
  readonly isGivenToAll: boolean;
}

/** What a run tells each of its policies, and any order that these are composed of. */
export interface RunFacts {
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
  /** True PageRank of each page id; a policy has it that `needs` it: it shows there that it cheats. */
  readonly ranks?: Float64Array | undefined;
  /** Score of each page id, as a file gave it; a policy has it that `needs` it. */
  readonly scores?: Float64Array | undefined;
}

/** What a policy is made from. */
export interface PolicyContext<Options = Readonly<Record<string, OptionValue>>> extends RunFacts {
  /** Its own settings. */
  readonly options: Options;
  /** What it remembers goes here, so that it is saved and restored with the processor. */
  readonly state: PolicyState;
  /** Makes the order of another policy of the run, to be asked beside this one; its state is saved with this one's. */
  readonly order: (name: string) => PageOrder;
}

/** A policy at work on one processor. */
export interface Policy extends PageOrder {
  know(local: number, page: number, host: number): void;
  /** All that it remembers, as a copy that can be cloned. */
  save(): SavedState;
  /** Bytes of what it remembers, spare room included. */
  stateBytes(): number;
}
