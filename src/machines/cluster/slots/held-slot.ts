import { InputError, WorldError } from '../../../base/index.ts';
import type { Claimant, Slots } from './slots.ts';

export interface HeldSlotOptions {
  readonly slots: Slots;
  readonly claimant: Claimant;
  /** A clock that never goes back, of this process alone: clocks of machines are not compared. */
  readonly nowMs: () => number;
  /** The longest delay that a host may be owed: what an earlier holder of the slot requested last may be so recent. */
  readonly delayMs: number;
  /** Whether nobody can have held the slot before. */
  readonly isFirst: boolean;
}

/**
 * A slot that this process holds for as long as it can be sure of it.
 *
 * A process that cannot reach the engine, or was stopped for a while, does not know whether another one has its slot by
 * now. So it requests nothing once half a lease has passed since its last renewal, and a successor waits a whole lease
 * and the delay before its first request. No host then meets two nodes, as long as the engine does not lose what it has
 * more than once in a lease, and no process is stopped for half a lease between its look at `isSure` and the request.
 */
export class HeldSlot {
  readonly #options: HeldSlotOptions;
  /** The first request may be made then. */
  readonly #sureFromMs: number;
  /** When the last renewal that succeeded was sent. */
  #renewedMs: number;
  #epoch: number;

  private constructor(options: HeldSlotOptions, epoch: number, takenMs: number) {
    const { isFirst, delayMs, slots, nowMs } = options;
    this.#options = options;
    this.#epoch = epoch;
    this.#renewedMs = takenMs;
    this.#sureFromMs = isFirst ? takenMs : nowMs() + slots.leaseMs + delayMs;
  }

  /** @throws InputError if another process holds the slot. */
  static async take(options: HeldSlotOptions): Promise<HeldSlot> {
    const { slots, claimant, nowMs } = options;
    const sentMs = nowMs();
    const { epoch, heldForMs } = await slots.take(claimant);
    if (epoch !== undefined) return new HeldSlot(options, epoch, sentMs);
    throw new InputError(
      `slot ${claimant.slot} is held by another process, for ${Math.ceil(heldForMs / 1000)} s more if that has ended`,
      { field: 'node' },
    );
  }

  /** The epoch that the process has come to. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Another node has begun this epoch, and the process follows. */
  follow(epoch: number): void {
    this.#epoch = Math.max(this.#epoch, epoch);
  }

  get isSure(): boolean {
    const { slots, nowMs } = this.#options;
    const now = nowMs();
    return now >= this.#sureFromMs && now - this.#renewedMs < slots.leaseMs / 2;
  }

  /**
   * To be called several times in half a lease.
   * @throws WorldError if another process may have had the slot: it was refused, or the lease has run out meanwhile. An
   * engine that has lost everything since does not know of another holder, who may be sure of the slot.
   */
  async renew(): Promise<void> {
    const { slots, claimant, nowMs } = this.#options;
    const sentMs = nowMs();
    if (!await slots.renew(claimant, this.#epoch))
      throw new WorldError(`slot ${claimant.slot} was taken by another process; this one ends`);
    if (nowMs() - this.#renewedMs >= slots.leaseMs) {
      throw new WorldError(
        `slot ${claimant.slot} was not renewed within its lease, and another process may have had it; this one ends`,
      );
    }
    this.#renewedMs = Math.max(this.#renewedMs, sentMs);
  }

  async release(): Promise<void> {
    await this.#options.slots.release(this.#options.claimant);
  }
}
