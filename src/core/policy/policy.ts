import type { OptionValue } from '../settings/index.ts';
import type { PolicyState, SavedState } from './policy-state.ts';

/**
 * The order of the pages that one processor knows. It identifies a page by its local index, 0, 1, 2, ... in order of
 * discovery, and learns links only from outcomes: it never has the true graph. The same events give the same answers:
 * it reads no clock, and draws random numbers from (seed, processor, local index) alone.
 */
export interface PageOrder {
  /** `page` of `host` has become known as `local`, the next index; the columns of its state have an element for it. */
  know?(local: number, page: number, host: number): void;
  /**
   * The key with which the page would be queued now, an integer from 0 to 0x7fefffff. Greater keys leave first, and of
   * equal keys the one with the lower local index.
   */
  key(local: number): number;
  /**
   * The score behind the key, finite and at least 0: a queued page that was touched is inserted again when its score
   * has grown or fallen by the factor `reinsert`, and its key with it. Ratios of scores must be meaningful, so that
   * policy `weighted` can multiply them.
   */
  score(local: number): number;
  /** Present where links pass an amount on. Without it each page is sent to its processor once. */
  readonly amounts?: Amounts | undefined;
  /**
   * The page was fetched; `know` was called for each page that it is the first to link to. `targets` has the local
   * indices of its links to pages of this processor, in order, all known; the view is valid during this call only.
   * `links` counts all its links.
   */
  fetched?(local: number, targets: Uint32Array, links: number): void;
  /** The page failed for good. */
  failed?(local: number): void;
  /**
   * All messages of a superstep are received; not called while the processor is at rest, which begins after a call that
   * left nothing to do. Only now may the scores of pages that were not credited change; call `touch` for each such
   * page.
   */
  settle?(touch: (local: number) => void): void;
}

/** Amounts that links pass on: OPIC's cash, or counts of links. Amounts for the same page are added up on their way. */
export interface Amounts {
  /** `local` is a seed page. */
  seed?(local: number): void;
  /** `amount` has arrived for the page. */
  credit(local: number, amount: number): void;
  /** The page was fetched and has `links` links: returns the amount that each of them passes on. */
  spread(local: number, links: number): number;
  /** Present where amounts are conserved. Ignored in user policies. */
  readonly cash?: Cash | undefined;
}

/** Amounts that are neither created nor lost. */
export interface Cash {
  /** The sum over all processors at any time, in integer coins. */
  readonly total: number;
  /** The sum over this processor's pages and root, recounted: O(known). */
  held(): number;
  /** Whether all known pages get an equal share at barriers: their order does not change, and none is touched. */
  readonly isGivenToAll: boolean;
}

/** Facts about the run, for each policy and each order that it is composed of. */
export interface RunFacts {
  readonly processor: number;
  /** Processors of the run. */
  readonly processors: number;
  /** Root seed of the run. */
  readonly seed: number;
  /** Seed pages of the whole run. */
  readonly seedPages: number;
  /** Pending jobs that the processor aims at in the superstep that begins; the target may grow from one to the next. */
  readonly pendingTarget: () => number;
  /** Factor by which a score must change before its page is reinserted. */
  readonly reinsert: number;
  /** True PageRank of each page id, only for policies that declare it in `needs`, and so declare that they cheat. */
  readonly ranks?: Float64Array | undefined;
  /** Score of each page id, from a file; only for policies that declare it in `needs`. */
  readonly scores?: Float64Array | undefined;
}

/** The parts from which a policy is made. */
export interface PolicyContext<Options = Readonly<Record<string, OptionValue>>> extends RunFacts {
  /** Its own settings. */
  readonly options: Options;
  /** Its memory, which is saved and restored with the processor. */
  readonly state: PolicyState;
  /** Makes the order of another policy of the run, to use inside this one; its state is saved with this one's. */
  readonly order: (name: string) => PageOrder;
}

/** A policy at work on one processor. */
export interface Policy extends PageOrder {
  know(local: number, page: number, host: number): void;
  /** Its whole memory, as a copy that can be cloned. */
  save(): SavedState;
  /** Size of its memory in bytes, spare capacity included. */
  stateBytes(): number;
}
