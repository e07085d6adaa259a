import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTransport, Outbox, type Pairs } from '../../src/core/bsp/index.ts';

function pairsOf({ pages, amounts, first, size }: Pairs): [number, number][] {
  return Array.from({ length: size }, (_, i) => [pages[first + i], amounts[first + i]]);
}

/** What an outbox has for each destination. */
function taken(outbox: Outbox): Map<number, Pairs> {
  const all = new Map<number, Pairs>();
  outbox.take((to, pairs) => { all.set(to, pairs); });
  return all;
}

describe('an outbox', () => {
  test('combines the amounts of a page, in order of first mention', () => {
    const somewhere = fc.array(fc.tuple(fc.nat(20), fc.nat(1000)), { maxLength: 200 });
    fc.assert(fc.property(somewhere, fc.integer({ min: 1, max: 5 }), (mentions, processors) => {
      const outbox = new Outbox();
      const model = Array.from({ length: processors }, () => new Map<number, number>());
      for (const [page, amount] of mentions) {
        outbox.add(page % processors, page, amount);
        const own = model[page % processors];
        own.set(page, (own.get(page) ?? 0) + amount);
      }
      expect(outbox.size).toBe(model.reduce((sum, { size }) => sum + size, 0));
      expect(outbox.amount()).toBe(mentions.reduce((sum, [, amount]) => sum + amount, 0));
      const sent = taken(outbox);
      expect(outbox.size).toBe(0);
      for (const [page, amount] of mentions) outbox.add(page % processors, page + 1, amount + 1);
      model.forEach((own, to) => {
        const pairs = sent.get(to);
        expect(pairs ? pairsOf(pairs) : [], 'what is taken is good until it is taken from again').toEqual([...own]);
      });
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
      for (const [page, amount, group] of groups) outbox.add(page % 3, page, amount, group);
      const sent = taken(outbox);
      for (const to of [0, 1, 2]) {
        const messages = messagesOf(groups.filter(([page]) => page % 3 === to), maxPairs);
        const pairs = sent.get(to);
        expect(pairs?.messages ?? 0).toBe(messages.length);
        expect(pairs ? pairsOf(pairs) : []).toEqual(messages.flatMap((one) => [...one]));
      }
      expect(taken(outbox).size).toBe(0);
    }), { seed: 1 });
  });

  test('goes on from a copy as if nothing had been', () => {
    fc.assert(fc.property(mentions, fc.constantFrom(1, 3, Infinity), fc.nat(200), (pairs, maxPairs, cut) => {
      const whole = new Outbox(maxPairs);
      const before = new Outbox(maxPairs);
      const after = new Outbox(maxPairs);
      for (const [page, amount] of pairs) whole.add(page % 3, page, amount);
      for (const [page, amount] of pairs.slice(0, cut)) before.add(page % 3, page, amount);
      after.restore(structuredClone(before.copy()));
      for (const [page, amount] of pairs.slice(cut)) after.add(page % 3, page, amount);
      expect(after.copy()).toEqual(whole.copy());
      expect(after.amount()).toBe(whole.amount());
    }), { seed: 1 });
  });
});

describe('the transport in memory', () => {
  const free = { barrierUs: 0, pairUs: 0, messageUs: 0 };
  const pairs = (...pages: number[]) => ({
    pages: Uint32Array.from(pages), amounts: Float64Array.from(pages), first: 0, size: pages.length, messages: 1,
  });

  test('delivers after the barrier, by sending processor, and not before', () => {
    const transport = new MemoryTransport(3, free);
    transport.send(2, 0, pairs(7));
    transport.send(1, 0, { ...pairs(5, 6), messages: 2 });
    transport.send(0, 1, pairs());
    expect(transport.receive(0)).toEqual([]);
    expect(transport.sync([0, 0, 0]).traffic).toEqual(new Map([
      [0, { pairsSent: 0, pairsReceived: 3, messagesSent: 0, messagesReceived: 3 }],
      [1, { pairsSent: 2, pairsReceived: 0, messagesSent: 2, messagesReceived: 0 }],
      [2, { pairsSent: 1, pairsReceived: 0, messagesSent: 1, messagesReceived: 0 }],
    ]));
    expect(transport.receivers()).toEqual([0]);
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
