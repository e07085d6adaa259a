import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HeldSlot, MemorySlots, type Slots } from '../../../src/machines/cluster/index.ts';
import { tries } from '../../sweep.ts';

// Goal: no host meets two nodes, or is asked again before its delay has passed: of all processes that were ever given
// a slot, one at most is sure of it, and the next becomes sure no earlier than the delay after it.

const [leaseMs, delayMs] = [100, 30];

/** What may happen, one after another, each at its own time. */
type Event =
  | { readonly kind: 'start' | 'renew' | 'end'; readonly process: number }
  /** The process is stopped for so long. */
  | { readonly kind: 'pause'; readonly process: number; readonly ms: number }
  | { readonly kind: 'loss' };

const process_ = fc.nat(3);
const events = fc.array(fc.tuple(fc.nat(40), fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('renew' as const), process: process_ }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('start' as const), process: process_ }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), process: process_ }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), process: process_, ms: fc.nat(300) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('loss' as const) }) },
)), { minLength: 10, maxLength: 120 });

describe('a slot and the processes that hold it one after another', () => {
  test('one at most is sure, and the next after the delay', async () => {
    let handovers = 0;
    await fc.assert(fc.asyncProperty(events, async (script) => {
      let nowMs = 0;
      let started = 0;
      let storedEpoch = 0;
      const slots = new MemorySlots(leaseMs, () => nowMs);
      const held = new Map<number, HeldSlot>();
      const pausedUntilMs = [0, 0, 0, 0];
      let last: { readonly slot: HeldSlot; readonly atMs: number } | undefined;

      const act = async (event: Event): Promise<void> => {
        if (event.kind === 'loss') {
          slots.lose();
          return;
        }
        const { process } = event;
        if (event.kind === 'end') held.delete(process);
        if (event.kind === 'pause') pausedUntilMs[process] = nowMs + event.ms;
        if (nowMs < pausedUntilMs[process]) return;
        if (event.kind === 'renew') await held.get(process)?.renew().catch(() => held.delete(process));
        if (event.kind !== 'start' || held.has(process)) return;
        const claimant = { slot: 0, token: `process ${started++}`, seenEpoch: storedEpoch };
        const taken = await HeldSlot.take({
          slots, claimant, delayMs, nowMs: () => nowMs, isFirst: storedEpoch === 0,
        }).catch(() => undefined);
        if (taken === undefined) return;
        expect(taken.epoch).toBeGreaterThan(storedEpoch);
        storedEpoch = taken.epoch;
        held.set(process, taken);
      };

      for (const [ms, event] of script) {
        for (let step = 0; step < ms; step++) {
          nowMs++;
          // Paused ones too: what they find when they go on is what they find now.
          const sure = [...held.values()].filter(({ isSure }) => isSure);
          expect(sure.length).toBeLessThanOrEqual(1);
          const [slot] = sure as readonly (HeldSlot | undefined)[];
          if (slot === undefined) continue;
          if (last !== undefined && last.slot !== slot) {
            handovers++;
            expect(nowMs - last.atMs).toBeGreaterThan(delayMs);
          }
          last = { slot, atMs: nowMs };
        }
        await act(event);
      }
    }), { numRuns: tries(1200) });
    expect(handovers).toBeGreaterThan(0);
  });

  test('a renewal counts from when it was sent; its refusal ends the process', async () => {
    let nowMs = 0;
    let answer: (isHeld: boolean) => void = () => undefined;
    const slots: Slots = {
      leaseMs, take: async () => Promise.resolve({ epoch: 1 }), release: async () => Promise.resolve(),
      renew: async () => new Promise((resolve) => { answer = resolve; }),
    };
    const claimant = { slot: 0, token: 'a', seenEpoch: 0 };
    const held = await HeldSlot.take({ slots, claimant, delayMs, nowMs: () => nowMs, isFirst: true });
    expect(held.isSure).toBe(true);
    nowMs = 40;
    const renewed = held.renew();
    nowMs = 80;
    expect(held.isSure).toBe(false);
    answer(true);
    await renewed;
    expect(held.isSure).toBe(true);
    nowMs = 90;
    expect(held.isSure).toBe(false);
    const refused = held.renew();
    answer(false);
    await expect(refused).rejects.toThrow('slot 0 was taken by another process; this one ends');
  });

  test('who asks while another holds it learns for how long', async () => {
    let nowMs = 0;
    const slots = new MemorySlots(15_000, () => nowMs);
    const take = async (token: string): Promise<HeldSlot> =>
      HeldSlot.take({ slots, claimant: { slot: 3, token, seenEpoch: 0 }, delayMs, nowMs: () => nowMs, isFirst: true });
    const held = await take('a');
    nowMs = 2500;
    await expect(take('b')).rejects.toThrow('slot 3 is held by another process, for 13 s more if that has ended');
    await held.release();
    expect((await take('b')).epoch).toBe(2);
  });
});
