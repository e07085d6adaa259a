import { expect, test } from 'vitest';
import type { Claimant, Slots } from '../../src/machines/cluster/index.ts';

/** Slots of a lease that is short, and what may happen to their engine. */
export interface SlotsEngine {
  readonly slots: Slots;
  /** Everything is lost. */
  readonly loseAll: () => Promise<void>;
  /** Time passes, at least a lease. */
  readonly passLease: () => Promise<void>;
}

/**
 * The contract of Slots. Memory and Redis are tested with it. @param withEngine slots that nobody has, for one test.
 */
export function describeSlots(withEngine: (work: (engine: SlotsEngine) => Promise<void>) => Promise<void>): void {
  const by = (token: string, slot = 0, seenEpoch = 0): Claimant => ({ slot, token, seenEpoch });

  test('a slot has one holder; each taking begins a later epoch', async () => {
    await withEngine(async ({ slots }) => {
      expect(await slots.take(by('a'))).toEqual({ epoch: 1 });
      expect(await slots.take(by('b', 1))).toEqual({ epoch: 2 });
      const { epoch, heldForMs = 0 } = await slots.take(by('c'));
      expect(epoch).toBeUndefined();
      expect(heldForMs).toBeGreaterThan(0);
      expect(heldForMs).toBeLessThanOrEqual(slots.leaseMs);
      expect(await slots.take(by('a'))).toEqual({ epoch: 3 });
    });
  });

  test('of many that take at once, one succeeds', async () => {
    await withEngine(async ({ slots }) => {
      const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => slots.take(by(`process ${i}`))));
      expect(claims.filter(({ epoch }) => epoch !== undefined)).toEqual([{ epoch: 1 }]);
    });
  });

  test('a slot that is given back is free at once; only its holder can give it back', async () => {
    await withEngine(async ({ slots }) => {
      await slots.take(by('a'));
      await slots.release(by('b'));
      expect((await slots.take(by('b'))).epoch).toBeUndefined();
      await slots.release(by('a'));
      expect(await slots.take(by('b'))).toEqual({ epoch: 2 });
    });
  });

  test('a lease that has run out is renewed unless another process came between', async () => {
    await withEngine(async ({ slots, passLease }) => {
      await slots.take(by('a'));
      await passLease();
      expect(await slots.renew(by('a'), 1)).toBe(true);
      await passLease();
      expect(await slots.take(by('b'))).toEqual({ epoch: 2 });
      expect(await slots.renew(by('a'), 1)).toBe(false);
      await slots.release(by('b'));
      expect(await slots.renew(by('a'), 1)).toBe(false);
      // It has gone back, with all others, to a later epoch: nobody else did that for it.
      expect(await slots.renew(by('c', 1), 2)).toBe(true);
    });
  });

  test('what is lost turns no epoch back, as long as nodes have stored it', async () => {
    await withEngine(async ({ slots, loseAll }) => {
      for (const slot of [0, 1, 2]) await slots.take(by(`process ${slot}`, slot));
      await loseAll();
      expect(await slots.renew(by('process 1', 1), 3)).toBe(true);
      expect(await slots.take(by('a', 0))).toEqual({ epoch: 4 });
      await loseAll();
      expect(await slots.take(by('b', 0, 4))).toEqual({ epoch: 5 });
      expect(await slots.renew(by('a', 0), 4)).toBe(false);
    });
  });
}
