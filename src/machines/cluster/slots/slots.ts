import { InputError } from '../../../base/index.ts';

export interface Claimant {
  readonly slot: number;
  readonly token: string;
  /** The highest epoch that its node has stored, 0 for none: the engine may have lost it. */
  readonly seenEpoch: number;
}

/** What became of a claim: the slot was given, and an epoch began, or another process has it for so long. */
export type Claimed =
  | { readonly epoch: number; readonly heldForMs?: undefined }
  | { readonly epoch?: undefined; readonly heldForMs: number };

/**
 * The slots of a crawl, one for each node, as an engine gives them out for a limited time, the lease.
 *
 *  - *One holder.* Until its lease has run out, or it gives the slot back, nobody else gets the slot.
 *  - *Epochs.* Whoever takes a slot begins an epoch, above all before it and above those that its node has stored.
 *  Lease and epoch change together.
 *
 * The engine may lose everything at any time; two processes may then have been given one slot, in different epochs.
 * `HeldSlot` keeps the earlier one from acting, `Log` from writing.
 */
export interface Slots {
  readonly leaseMs: number;
  /** A process that has the slot takes it again, in a new epoch. */
  take(claimant: Claimant): Promise<Claimed>;
  /**
   * Has the slot for another lease, from now on, even if its own has run out.
   * @param epoch that the process has come to: its own, or a later one of another slot that it follows.
   * @returns false if another process may have had the slot since.
   */
  renew(claimant: Claimant, epoch: number): Promise<boolean>;
  /** Gives the slot back, if it has it. */
  release(claimant: Claimant): Promise<void>;
}

/** Asked before anything is connected to. @throws InputError for a node that there is not. */
export function checkNodeNumber({ node, nodes }: { readonly node: number; readonly nodes: number }): void {
  if (node >= nodes) throw new InputError(`node ${node}: nodes are numbered from 0 to ${nodes - 1}`, { field: 'node' });
}
