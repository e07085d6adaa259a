import { setTimeout } from 'node:timers/promises';
import { InputError, RestartError, WorldError } from '../../../base/index.ts';
import { goodbye } from '../goodbye.ts';
import type { EpochEnded } from '../log/log.ts';
import { HeldSlot, type HeldSlotOptions } from '../slots/held-slot.ts';
import type { Claimant } from '../slots/slots.ts';

/** The clock of a node for leases, and for waiting for them. */
export interface MemberClock {
  /** Never goes back. */
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

export const systemClock: MemberClock = {
  nowMs: () => performance.now(), sleep: async (ms) => setTimeout(ms, undefined, { ref: false }),
};

/** A `seenEpoch` of 0 means that nobody can have held the slot before. */
export interface MemberOptions
  extends Pick<HeldSlotOptions, 'slots' | 'delayMs'>, Pick<Claimant, 'token' | 'seenEpoch'> {
  readonly node: number;
  readonly clock: MemberClock;
  /** Stores an epoch, before anything is written under it. */
  readonly storeEpoch: (epoch: number) => Promise<void>;
  /** Called while this process waits for the slot. @throws to end the wait. */
  readonly onWait?: (() => void) | undefined;
  /** The slot was taken by another process: whatever this one does must end. */
  readonly onLost: (error: unknown) => void;
}

/** Renewals per lease: several in the half of it in which requests may be made. */
const renewalsPerLease = 8;
/** Pause between two looks whether requests may be made again. */
const lookMs = 20;

/** A node that takes part in a live crawl: it holds the slot, and follows the epochs. */
export class Member {
  readonly #options: MemberOptions;
  readonly #held: HeldSlot;
  #lost: { readonly error: unknown } | undefined;
  #hasLeft = false;

  private constructor(options: MemberOptions, slot: HeldSlot) {
    this.#options = options;
    this.#held = slot;
    void this.#renew();
  }

  /**
   * Takes the slot. A process that was killed has it until its lease runs out, which is waited for.
   * @throws InputError if it is renewed meanwhile, by a process that lives.
   */
  static async enter(options: MemberOptions): Promise<Member> {
    const { slots, node: slot, token, seenEpoch, clock, delayMs, storeEpoch } = options;
    const untilMs = clock.nowMs() + 1.5 * slots.leaseMs;
    for (;;) {
      const triedMs = clock.nowMs();
      try {
        const heldSlot = await HeldSlot.take({
          slots, claimant: { slot, token, seenEpoch }, nowMs: clock.nowMs, delayMs, isFirst: seenEpoch === 0,
        });
        await storeEpoch(heldSlot.epoch);
        return new Member(options, heldSlot);
      } catch (error) {
        if (!(error instanceof InputError) || triedMs >= untilMs) throw error;
        options.onWait?.();
        await clock.sleep(Math.min(200, slots.leaseMs / 10));
      }
    }
  }

  get epoch(): number {
    return this.#held.epoch;
  }

  /**
   * Follows to the epoch that another node has begun.
   * @throws RestartError if it was begun in this node's own slot: another process has that.
   */
  async follow({ epoch, node }: EpochEnded): Promise<void> {
    if (node === this.#options.node)
      throw new RestartError(`slot ${node} was taken by another process; this one ends`);
    this.#held.follow(epoch);
    await this.#options.storeEpoch(epoch);
  }

  /** Resolves when a request may be made at once. @throws RestartError if the slot was lost. */
  async permit(): Promise<void> {
    while (!this.#held.isSure) {
      if (this.#lost !== undefined) throw this.#lost.error;
      if (this.#hasLeft) throw new WorldError('the crawl has ended');
      await this.#options.clock.sleep(lookMs);
    }
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    if (this.#lost === undefined) await goodbye(this.#held.release());
  }

  async #renew(): Promise<void> {
    const { slots, clock, onLost } = this.#options;
    while (!this.#mustStop()) {
      await clock.sleep(slots.leaseMs / renewalsPerLease);
      if (this.#mustStop()) return;
      try {
        await this.#held.renew();
      } catch (error) {
        if (this.#mustStop()) return;
        this.#lost = { error: error instanceof WorldError ? new RestartError(error.message) : error };
        onLost(this.#lost.error);
      }
    }
  }

  /** A method, for the compiler: it changes while others are awaited. */
  #mustStop(): boolean {
    return this.#hasLeft || this.#lost !== undefined;
  }
}
