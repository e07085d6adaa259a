import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorldError } from '../../../src/base/index.ts';
import {
  putArrival, putRevived, putSettled, putStandings, takeArrival, takeRevived, takeSettled, takeStandings,
} from '../../../src/machines/cluster/records/crew-records.ts';
import type { ByteReader, ByteWriter } from '../../../src/machines/cluster/records/bytes.ts';
import { takeNodeState } from '../../../src/machines/cluster/live/live-records.ts';
import {
  decodeRecord, encodeRecord, recordKinds, type RecordKind,
} from '../../../src/machines/cluster/records/record.ts';
import type { Letter, Standing } from '../../../src/core/engine/index.ts';
import { newCounts, type SuperstepCounts } from '../../../src/core/frontier/index.ts';
import { outcomeKinds } from '../../../src/core/world/index.ts';
import { tries } from '../../sweep.ts';

// Goal: what a node writes, the others read, to the last bit; of bytes that nobody wrote, none is believed, and each
// gives one line that names the record.

const [nodes, processors, pages] = [3, 8, 1000];
const nodeOf = (processor: number): number => processor % nodes;
/** Node 1 writes, node 2 reads. */
const [sender, reader] = [1, 2];
const places = { nodeOf, processors, pages, sender, reader };
const idsOf = (node: number): number[] =>
  Array.from({ length: processors }, (_, id) => id).filter((id) => nodeOf(id) === node);

const number = fc.oneof(fc.nat(2 ** 31), fc.double({ noNaN: true }), fc.constant(Infinity), fc.constant(2 ** 52));
const page = fc.nat(pages - 1);
const own = fc.constantFrom(...idsOf(sender));
const uint32 = fc.nat(2 ** 32 - 1);

const heard = fc.array(fc.record({
  processor: own, page, sequence: uint32, kind: fc.constantFrom(...outcomeKinds), willRetry: fc.boolean(),
  startedAtUs: number, finishedAtUs: number, bytes: number, waitUs: number,
}), { maxLength: 5 });
const standing: fc.Arbitrary<Standing> = fc.record({
  hasWork: fc.boolean(), isIdle: fc.boolean(), isAtRest: fc.boolean(), fetched: number, inFlight: number,
});
const counts: fc.Arbitrary<SuperstepCounts> = fc.record(
  Object.fromEntries(Object.keys(newCounts()).map((name) => [name, number])) as
    Record<keyof SuperstepCounts, typeof number>,
);
const letter: fc.Arbitrary<Letter> = fc.tuple(
  own, fc.nat(processors - 1), fc.array(fc.tuple(page, fc.nat(2 ** 40)), { maxLength: 600 }), fc.nat(3), uint32,
).map(([from, to, list, before, messages]) => ({
  // Only a part of the arrays is meant.
  from, to, pairs: {
    pages: Uint32Array.from([...Array<number>(before).fill(7), ...list.map(([one]) => one), 9]),
    amounts: Float64Array.from([...Array<number>(before).fill(7), ...list.map(([, amount]) => amount), 9]),
    first: before, size: list.length, messages,
  },
}));
const observed = fc.array(fc.record({ pages: number, failures: number, retried: number }), { maxLength: 4 });
const arrival = fc.record({
  heard, arrivedUs: number, known: number, cashChanges: number, observed, sent: fc.array(letter, { maxLength: 4 }),
});
const settled = fc.record({
  heard, worked: fc.array(fc.record({ id: own, counts, unobserved: uint32, standing }), { maxLength: 3 }),
  cash: fc.option(fc.record({ held: number, total: number }), { nil: undefined }),
});
const revived = fc.record({
  heard, inVain: fc.array(fc.record({ id: own, counts }), { maxLength: 3 }),
  standings: fc.array(standing, { minLength: idsOf(sender).length, maxLength: idsOf(sender).length }),
});

/** What the reader has of a letter: the pairs if they are for it, their sum if not. */
function asRead({ from, to, pairs: { pages: all, amounts, first, size, messages } }: Letter): Letter {
  const [read, sums] = [all.slice(first, first + size), amounts.slice(first, first + size)];
  if (nodeOf(to) === reader) return { from, to, pairs: { pages: read, amounts: sums, first: 0, size, messages } };
  const amount = sums.reduce((sum, one) => sum + one, 0);
  const none = { pages: new Uint32Array(0), amounts: new Float64Array(0), first: 0 };
  return { from, to, pairs: { ...none, size, messages, amount } };
}

/** With the part of the arrays that is meant. */
function meant({ from, to, pairs }: Letter): Letter {
  const { first, size } = pairs;
  const [pages, amounts] = [pairs.pages.slice(first, first + size), pairs.amounts.slice(first, first + size)];
  return { from, to, pairs: { ...pairs, pages, amounts, first: 0 } };
}

const read = <T>(bytes: Uint8Array, kind: RecordKind, take: (from: ByteReader) => T): T =>
  decodeRecord(bytes, kind, 'record 12 of node 1', take);

describe('a record is read as it was written', () => {
  test('arrivals', () => {
    fc.assert(fc.property(arrival, (written) => {
      const bytes = encodeRecord('arrival', (writer) => putArrival(writer, written, places));
      const { sent, ...back } = read(bytes, 'arrival', (from) => takeArrival(from, places));
      expect({ ...back, sent: sent.map(meant) }).toEqual({ ...written, sent: written.sent.map(asRead) });
    }), { numRuns: tries(800) });
  });

  test('barriers, revivals, standings', () => {
    fc.assert(fc.property(settled, revived, (end, back) => {
      expect(read(encodeRecord('settled', (to) => putSettled(to, end)), 'settled', (from) => takeSettled(from, places)))
        .toEqual(end);
      const count = back.standings.length;
      expect(read(
        encodeRecord('revived', (to) => putRevived(to, back)), 'revived', (from) => takeRevived(from, places, count),
      )).toEqual(back);
      expect(read(
        encodeRecord('ready', (to) => putStandings(to, back.standings)), 'ready', (from) => takeStandings(from, count),
      )).toEqual(back.standings);
    }), { numRuns: tries(400) });
  });

  test('texts, and large ones deflated', () => {
    fc.assert(fc.property(fc.constantFrom('', 'a', 'wörd ', '\0\u{1f577}'), fc.nat(5000), (text, times) => {
      const whole = text.repeat(times);
      const bytes = encodeRecord('result', (to) => to.text(whole));
      expect(bytes.length).toBeLessThan(Buffer.byteLength(whole) + 200);
      expect(read(bytes, 'result', (from) => from.text())).toBe(whole);
    }), { numRuns: tries(80) });
  });
});

describe('bytes that nobody wrote', () => {
  const bytesOf = (written: Parameters<typeof putArrival>[1]): Uint8Array =>
    encodeRecord('arrival', (writer) => putArrival(writer, written, places));
  const refused = (
    bytes: Uint8Array, take: (from: ByteReader) => unknown = (from) => takeArrival(from, places),
  ): void => {
    expect(() => read(bytes, 'arrival', take)).toThrow(WorldError);
    expect(() => read(bytes, 'arrival', take)).toThrow(/^record 12 of node 1: is damaged: [^\n]+$/);
  };

  test('a truncated record, at any place', () => {
    fc.assert(fc.property(arrival, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (written, share) => {
      const bytes = bytesOf(written);
      refused(bytes.subarray(0, Math.floor(share * bytes.length)));
    }), { numRuns: tries(400) });
  });

  test('an altered byte, or bytes at the end', () => {
    fc.assert(fc.property(arrival, fc.nat(), fc.integer({ min: 1, max: 255 }), (written, at, difference) => {
      const bytes = Buffer.from(bytesOf(written));
      bytes[at % bytes.length] ^= difference;
      refused(bytes);
      refused(Buffer.concat([bytesOf(written), Buffer.from([difference])]));
    }), { numRuns: tries(400) });
  });

  test('any bytes under a checksum that holds', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...recordKinds), (body, kind) => {
      const bytes = encodeRecord(kind, (to) => { for (const byte of body) to.uint8(byte); });
      const takes: Record<RecordKind, (from: ByteReader) => unknown> = {
        arrival: (from) => takeArrival(from, places), settled: (from) => takeSettled(from, places),
        revived: (from) => takeRevived(from, places, 3), ready: (from) => takeStandings(from, 3),
        result: (from) => from.text(), state: takeNodeState,
      };
      try {
        read(bytes, kind, takes[kind]);
      } catch (error) {
        expect(error).toBeInstanceOf(WorldError);
      }
    }), { numRuns: tries(4000) });
  });

  test.each<[string, (writer: ByteWriter) => void, string]>([
    ['more letters than bytes', (to) => to.uint32(1e9), '1000000000 items of 24 bytes are announced, and 0 bytes follow'],
    ['a processor that there is not', (to) => letterOf(to, 1, 8), 'a processor is 8, and must be below 8'],
    ['a letter of another node', (to) => letterOf(to, 0, 2), 'processor 0 does not belong to node 1'],
    ['a page that there is not', (to) => letterOf(to, 1, 2, 1000), 'a page is 1000, and must be below 1000'],
    [
      'more pairs than bytes', (to) => letterOf(to, 1, 2, 1, 1e9),
      '1000000000 items of 12 bytes are announced, and 12 bytes follow',
    ],
    ['bytes left over', (to) => { letterOf(to, 1, 2); to.uint8(0); }, 'bytes left over: 1'],
  ])('%s', (_, letters, message) => {
    const bytes = encodeRecord('arrival', (to) => {
      to.uint32(0);
      for (let i = 0; i < 3; i++) to.float64(0);
      to.uint32(0);
      letters(to);
    });
    expect(() => read(bytes, 'arrival', (from) => takeArrival(from, places)))
      .toThrow(`record 12 of node 1: is damaged: ${message}`);
  });

  test('a record of another kind, and one that would grow when it is read', () => {
    const bytes = encodeRecord('settled', (to) => putSettled(to, { heard: [], worked: [], cash: undefined }));
    expect(() => read(bytes, 'arrival', () => 0)).toThrow('it is of kind settled, not arrival');
    refused(encodeRecord('arrival', (to) => to.text('x'.repeat(1e6))), (from) => from.uint8());
  });
});

function letterOf(to: ByteWriter, from: number, receiver: number, mentioned = 0, size = 1): void {
  for (const value of [1, from, receiver, 1, size]) to.uint32(value);
  to.float64(5);
  to.uint32(mentioned);
  to.float64(5);
}
