import { describe, expect, test } from 'vitest';
import { Member, type MemberOptions } from '../../../src/machines/cluster/live/member.ts';
import { EpochEnded } from '../../../src/machines/cluster/log/log.ts';
import { MemorySlots } from '../../../src/machines/cluster/index.ts';

// Goal: a process whose slot has another owner never goes on in the name of that owner. The seeded crawls of
// test/swarm/cluster/ meet the case too rarely: the engine must lose all between two renewals.

const leaseMs = 100;

async function entered(slots: MemorySlots, more: Partial<MemberOptions>): Promise<Member> {
  return Member.enter({
    slots, node: 0, token: 'first', clock: { nowMs: () => 0, sleep: () => new Promise(() => undefined) }, delayMs: 10,
    seenEpoch: 0, storeEpoch: () => Promise.resolve(), onLost: () => undefined, ...more,
  });
}

describe('a process that learns of a new epoch', () => {
  test('follows one of another node, and stores it first', async () => {
    const stored: number[] = [];
    const slots = new MemorySlots(leaseMs, () => 0);
    const storeEpoch = (epoch: number): Promise<void> => { stored.push(epoch); return Promise.resolve(); };
    const member = await entered(slots, { storeEpoch });
    const { epoch } = await entered(slots, { node: 1, token: 'other' });
    await member.follow(new EpochEnded(1, epoch));
    expect(member.epoch).toBe(epoch);
    expect(stored.at(-1)).toBe(epoch);
  });

  test('ends if it was begun in its own slot', async () => {
    const stored: number[] = [];
    const slots = new MemorySlots(leaseMs, () => 0);
    const storeEpoch = (epoch: number): Promise<void> => { stored.push(epoch); return Promise.resolve(); };
    const member = await entered(slots, { storeEpoch });
    const before = member.epoch;
    slots.lose();
    const { epoch } = await entered(slots, { token: 'second', seenEpoch: before });
    await expect(member.follow(new EpochEnded(0, epoch))).rejects.toThrow('slot 0 was taken by another process');
    expect(member.epoch).toBe(before);
    expect(stored).toEqual([before]);
  });
});
