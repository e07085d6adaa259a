import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryTransport, Outbox } from '../../src/bsp/index.ts';

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
      const { pages, amounts } = outbox.take();
      expect([...pages]).toEqual([...model.keys()]);
      expect([...amounts]).toEqual([...model.values()]);
      expect(outbox.size).toBe(0);
    }), { seed: 1 });
  });
});

describe('the transport in memory', () => {
  const pairs = (...pages: number[]) => ({ pages: Uint32Array.from(pages), amounts: Float64Array.from(pages) });

  test('delivers after the barrier, by sending processor, and not before', () => {
    const transport = new MemoryTransport(3, { barrierUs: 0, pairUs: 0 });
    transport.send(2, 0, pairs(7));
    transport.send(1, 0, pairs(5, 6));
    transport.send(0, 1, pairs());
    expect(transport.receive(0)).toEqual([]);
    const { sent, received } = transport.sync([0, 0, 0]);
    expect([...sent]).toEqual([0, 2, 1]);
    expect([...received]).toEqual([3, 0, 0]);
    expect(transport.waiting(0)).toBe(3);
    expect(transport.amountUnderWay()).toBe(18);
    expect(transport.receive(0).map((letter) => [...letter.pages])).toEqual([[5, 6], [7]]);
    expect(transport.waiting(0)).toBe(0);
    expect(transport.receive(0)).toEqual([]);
    expect(transport.amountUnderWay()).toBe(0);
  });

  test('sets the barrier at the last arrival + L + g h, h the most pairs sent or received', () => {
    const transport = new MemoryTransport(3, { barrierUs: 1000, pairUs: 2.5 });
    transport.send(0, 1, pairs(1, 2));
    transport.send(2, 1, pairs(3));
    expect(transport.sync([10, 700, 30]).barrierUs).toBe(700 + 1000 + Math.ceil(2.5 * 3));
    transport.receive(1);
    const instant = new MemoryTransport(2, { barrierUs: 0, pairUs: 0 });
    expect(instant.sync([5, 9]).barrierUs).toBe(9);
  });

  test('refuses to lose mail', () => {
    const transport = new MemoryTransport(2, { barrierUs: 0, pairUs: 0 });
    transport.send(0, 1, pairs(1));
    expect(() => transport.send(0, 1, pairs(2))).toThrow('has sent to 1');
    transport.sync([0, 0]);
    expect(() => transport.sync([0, 0])).toThrow('has not received');
  });
});
