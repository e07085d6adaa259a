import type { Claimant, Claimed, Slots } from './slots.ts';

/** Slots in this process, on a clock of the caller's own, for tests and crawls in virtual time. */
export class MemorySlots implements Slots {
  readonly leaseMs: number;
  readonly #nowMs: () => number;
  #holders = new Map<number, { readonly token: string; readonly untilMs: number }>();
  #epoch = 0;

  constructor(leaseMs: number, nowMs: () => number) {
    this.leaseMs = leaseMs;
    this.#nowMs = nowMs;
  }

  async take({ slot, token, seenEpoch }: Claimant): Promise<Claimed> {
    await Promise.resolve();
    const holder = this.#holderOf(slot);
    if (holder !== undefined && holder.token !== token) return { heldForMs: holder.untilMs - this.#nowMs() };
    this.#epoch = Math.max(this.#epoch, seenEpoch) + 1;
    this.#hold(slot, token);
    return { epoch: this.#epoch };
  }

  async renew({ slot, token }: Claimant, epoch: number): Promise<boolean> {
    await Promise.resolve();
    const holder = this.#holderOf(slot);
    if (holder === undefined ? this.#epoch > epoch : holder.token !== token) return false;
    this.#epoch = Math.max(this.#epoch, epoch);
    this.#hold(slot, token);
    return true;
  }

  async release({ slot, token }: Claimant): Promise<void> {
    await Promise.resolve();
    if (this.#holderOf(slot)?.token === token) this.#holders.delete(slot);
  }

  lose(): void {
    this.#holders.clear();
    this.#epoch = 0;
  }

  /** Returns what loses all that comes from now on: an engine may end without having written its last changes. */
  save(): () => void {
    const [holders, epoch] = [new Map(this.#holders), this.#epoch];
    return () => {
      this.#holders = new Map(holders);
      this.#epoch = epoch;
    };
  }

  #hold(slot: number, token: string): void {
    this.#holders.set(slot, { token, untilMs: this.#nowMs() + this.leaseMs });
  }

  #holderOf(slot: number): { readonly token: string; readonly untilMs: number } | undefined {
    const holder = this.#holders.get(slot);
    return holder !== undefined && holder.untilMs > this.#nowMs() ? holder : undefined;
  }
}
