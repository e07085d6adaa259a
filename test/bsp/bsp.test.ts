import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTransport, Outbox, type Pairs } from '../../src/bsp/index.ts';

function pairsOf({ pages, amounts, size }: Pairs): [number, number][] {
  return [...pages.subarray(0, size)].map((page, i) => [page, amounts[i]]);
}

describe('an outbox', () => {
  test('combines the amounts of a page, in order of first mention', () => {
    fc.assert(fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(1000)), { maxLength: 200 }), (mentions) => {
      const outbox = new Outbox();
      const model = new Map<number, number>();
      for (const [page, amount] of mentions) {
        outbox.add(page, amount);
        model.set(page, (model.get(page) ?? 0) + amount);
      }
      expect(outbox.size).toBe(model.size);
      expect(outbox.amount()).toBe(mentions.reduce((sum, [, amount]) => sum + amount, 0));
      const taken = outbox.take();
      expect(outbox.size).toBe(0);
      for (const [page, amount] of mentions) outbox.add(page + 1, amount + 1);
      expect(pairsOf(taken), 'what is taken is good until it is taken from again').toEqual([...model]);
    }), { seed: 1 });
  });

  const mentions = fc.array(fc.tuple(fc.nat(12), fc.nat(1000), fc.nat(6)), { maxLength: 200 });

  /** The messages that an outbox ought to make, as lists of pairs. */
  function messagesOf(pairs: readonly (readonly [number, number, number])[], maxPairs: number): Map<number, number>[] {
    const messages: { group: number; pairs: Map<number, number> }[] = [];
    for (const [page, amount, group] of pairs) {
      let open = messages.at(-1);
      if (open === undefined || open.group !== group || open.pairs.size === maxPairs)
        messages.push((open = { group, pairs: new Map() }));
      open.pairs.set(page, (open.pairs.get(page) ?? 0) + amount);
    }
    return messages.map(({ pairs }) => pairs);
  }

  test('combines within a message only: full ones are sealed, and groups do not share one', () => {
    fc.assert(fc.property(mentions, fc.constantFrom(1, 2, 5, Infinity), fc.boolean(), (pairs, maxPairs, areGrouped) => {
      const groups = pairs.map(([page, amount, group]) => [page, amount, areGrouped ? group : 0] as const);
      const outbox = new Outbox(maxPairs);
      for (const [page, amount, group] of groups) outbox.add(page, amount, group);
      const messages = messagesOf(groups, maxPairs);
      const taken = outbox.take();
      expect(taken.messages).toBe(messages.length);
      expect(pairsOf(taken)).toEqual(messages.flatMap((pairs) => [...pairs]));
      expect(outbox.take()).toMatchObject({ messages: 0 });
    }), { seed: 1 });
  });

  test('goes on from a copy as if nothing had been', () => {
    fc.assert(fc.property(mentions, fc.constantFrom(1, 3, Infinity), fc.nat(200), (pairs, maxPairs, cut) => {
      const whole = new Outbox(maxPairs);
      for (const [page, amount] of pairs) whole.add(page, amount);
      const before = new Outbox(maxPairs);
      for (const [page, amount] of pairs.slice(0, cut)) before.add(page, amount);
      const after = new Outbox(maxPairs, structuredClone(before.copy()));
      for (const [page, amount] of pairs.slice(cut)) after.add(page, amount);
      expect(after.copy()).toEqual(whole.copy());
    }), { seed: 1 });
  });
});

describe('the transport in memory', () => {
  const free = { barrierUs: 0, pairUs: 0, messageUs: 0 };
  const pairs = (...pages: number[]) => ({
    pages: Uint32Array.from(pages), amounts: Float64Array.from(pages), size: pages.length, messages: 1,
  });

  test('delivers after the barrier, by sending processor, and not before', () => {
    const transport = new MemoryTransport(3, free);
    transport.send(2, 0, pairs(7));
    transport.send(1, 0, { ...pairs(5, 6), messages: 2 });
    transport.send(0, 1, pairs());
    expect(transport.receive(0)).toEqual([]);
    expect(transport.sync([0, 0, 0]).traffic).toEqual([
      { pairsSent: 0, pairsReceived: 3, messagesSent: 0, messagesReceived: 3 },
      { pairsSent: 2, pairsReceived: 0, messagesSent: 2, messagesReceived: 0 },
      { pairsSent: 1, pairsReceived: 0, messagesSent: 1, messagesReceived: 0 },
    ]);
    expect(transport.waiting(0)).toBe(3);
    expect(transport.amountUnderWay()).toBe(18);
    expect(transport.receive(0).map((letter) => [...letter.pages])).toEqual([[5, 6], [7]]);
    expect(transport.waiting(0)).toBe(0);
    expect(transport.receive(0)).toEqual([]);
    expect(transport.amountUnderWay()).toBe(0);
  });

  test('sets the barrier at the last arrival + L + g h + o k, h the most pairs and k the most messages sent or received', () => {
    const transport = new MemoryTransport(3, { barrierUs: 1000, pairUs: 2.5, messageUs: 30 });
    transport.send(0, 1, pairs(1, 2));
    transport.send(2, 1, { ...pairs(3, 4), messages: 2 });
    transport.send(2, 0, pairs(5));
    // Pairs: 4 received by 1. Messages: 3 received by 1, and 3 sent by 2.
    expect(transport.sync([10, 700, 30]).barrierUs).toBe(700 + 1000 + Math.ceil(2.5 * 4) + 30 * 3);
    transport.receive(0);
    transport.receive(1);
    expect(transport.sync([5, 9, 2]).barrierUs).toBe(9 + 1000);
    expect(new MemoryTransport(2, free).sync([5, 9]).barrierUs).toBe(9);
  });

  test('refuses to lose mail', () => {
    const transport = new MemoryTransport(2, free);
    transport.send(0, 1, pairs(1));
    expect(() => transport.send(0, 1, pairs(2))).toThrow('has sent to 1');
    transport.sync([0, 0]);
    expect(() => transport.sync([0, 0])).toThrow('has not received');
  });
});
