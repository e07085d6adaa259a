import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorldError } from '../../../src/base/index.ts';
import type { Letter } from '../../../src/core/engine/index.ts';
import type { HostAddress } from '../../../src/machines/cluster/live/host-addresses.ts';
import { CheckpointVotes } from '../../../src/machines/cluster/live/checkpoint-votes.ts';
import { foundIn, withIds, type FoundPage } from '../../../src/machines/cluster/live/live-letters.ts';
import {
  ends, putNodeState, putLiveArrival, takeNodeState, takeLiveArrival, type NodeState,
} from '../../../src/machines/cluster/live/live-records.ts';
import { decodeRecord, encodeRecord } from '../../../src/machines/cluster/records/record.ts';
import { anyCharacter } from '../../any-text.ts';
import { tries } from '../../sweep.ts';

// Goal: what nodes tell each other arrives as it was told, or not at all; and all take checkpoints at once.

const [nodes, processors, sender] = [3, 6, 1];
const nodeOf = (processor: number): number => processor % nodes;
const text = fc.string({ unit: anyCharacter, maxLength: 20 });
const page: fc.Arbitrary<FoundPage> = fc.record({
  url: text.map((path) => `https://host.test/${encodeURIComponent(path)}`), depth: fc.nat(2 ** 31),
  redirects: fc.nat(255), hops: fc.nat(255),
});
const unasked = (): FoundPage => { throw new Error('no page is sent'); };
const amount = fc.integer({ min: 0, max: 2 ** 52 });
/** Letters of the sender's processors, each with the pages that its pairs name by position. */
const letters = fc.array(fc.record({
  from: fc.constantFrom(1, 4), to: fc.nat(processors - 1), messages: fc.nat(9),
  pairs: fc.array(fc.tuple(page, amount), { maxLength: 8 }),
}), { maxLength: 6 });

const addressOfHost = fc.oneof(fc.ipV4(), fc.ipV6());
const addresses: fc.Arbitrary<readonly HostAddress[]> = fc.array(
  fc.record({ processor: fc.constantFrom(1, 4), address: addressOfHost }), { maxLength: 6 },
);

describe('an arrival', () => {
  test('with its letters: the reader gets pages and amounts of its own, of all others their number and sum', () => {
    fc.assert(fc.property(letters, fc.boolean(), fc.constantFrom(0, 2), addresses, (written, isDue, reader, told) => {
      const known: FoundPage[] = [];
      const sent = written.map(({ from, to, messages, pairs }): Letter => {
        const first = known.length;
        known.push(...pairs.map(([found]) => found));
        return {
          from, to,
          pairs: {
            pages: Uint32Array.from(pairs, (_, i) => first + i), first: 0, size: pairs.length, messages,
            amounts: Float64Array.from(pairs, ([, one]) => one),
          },
        };
      });
      const bytes = encodeRecord('arrival', (to) => {
        const arrival = { arrivedUs: 5, known: 6, cashChanges: 7, sent, observed: [] };
        const facts = { isCheckpointDue: isDue, addresses: told };
        putLiveArrival(to, arrival, facts, nodeOf, (id) => known[id]);
      });
      const read = decodeRecord(
        bytes, 'arrival', 'here', (from) => takeLiveArrival(from, { sender, reader, nodeOf, processors }),
      );
      expect(read).toMatchObject({ arrivedUs: 5, known: 6, cashChanges: 7, isCheckpointDue: isDue });
      expect(read.addresses).toEqual(told);
      const found = foundIn(read.letters);
      const own = written.filter(({ to }) => nodeOf(to) === reader);
      expect(found).toEqual(own.flatMap(({ pairs }) => pairs.map(([one]) => one)));
      const withOwnIds = withIds(read.letters, found.map((_, i) => 100 + i));
      expect(withOwnIds.map(({ from, to, pairs: { size, messages } }) => ({ from, to, size, messages })))
        .toEqual(written.map(({ from, to, messages, pairs }) => ({ from, to, messages, size: pairs.length })));
      expect(withOwnIds.filter(({ to }) => nodeOf(to) === reader)
        .flatMap(({ pairs: { pages, first, size } }) => [...pages.subarray(first, first + size)]))
        .toEqual(found.map((_, i) => 100 + i));
      const sums = written.map(({ pairs }) => pairs.reduce((sum, [, one]) => sum + one, 0));
      expect(read.letters.map(([{ amount: told }]) => told)).toEqual(sums);
    }), { numRuns: tries(300) });
  });

  test.each<[string, fc.Arbitrary<HostAddress>]>([
    ['of a processor that there is not', fc.record({
      processor: fc.integer({ min: processors, max: 2 ** 32 - 1 }), address: addressOfHost,
    })],
    ['of a processor of another node', fc.record({ processor: fc.constantFrom(0, 2, 3, 5), address: addressOfHost })],
    ['that is none', fc.record({
      processor: fc.constantFrom(1, 4), address: fc.oneof(text, fc.ipV4().map((address) => `${address} `)),
    }).filter(({ address }) => isIP(address) === 0)],
  ])('an address %s is refused, wherever it stands', (_, wrong) => {
    fc.assert(fc.property(addresses, wrong, fc.nat(6), (told, bad, at) => {
      const bytes = encodeRecord('arrival', (to) => {
        const facts = { isCheckpointDue: false, addresses: told.toSpliced(at, 0, bad) };
        putLiveArrival(to, { arrivedUs: 5, known: 6, cashChanges: 7, sent: [], observed: [] }, facts, nodeOf, unasked);
      });
      const read = (): unknown => decodeRecord(
        bytes, 'arrival', 'here', (from) => takeLiveArrival(from, { sender, reader: 0, nodeOf, processors }),
      );
      expect(read).toThrow(WorldError);
      expect(read).toThrow(/^here: is damaged: (a processor is|processor \d+ does not belong|an address is)/);
    }), { numRuns: tries(200) });
  });

  test('more addresses than bytes follow are refused before memory is taken for them', () => {
    const bytes = encodeRecord('arrival', (to) => {
      for (const number of [5, 6, 7]) to.float64(number);
      to.uint8(0);
      to.uint32(2 ** 32 - 1);
    });
    expect(() => decodeRecord(
      bytes, 'arrival', 'here', (from) => takeLiveArrival(from, { sender, reader: 0, nodeOf, processors }),
    )).toThrow('4294967295 items of 8 bytes are announced, and 0 bytes follow');
  });

  test('any bytes under a checksum that holds are read, or refused', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
      const bytes = encodeRecord('arrival', (to) => { for (const byte of body) to.uint8(byte); });
      try {
        decodeRecord(
          bytes, 'arrival', 'here', (from) => takeLiveArrival(from, { sender, reader: 0, nodeOf, processors }),
        );
      } catch (error) {
        expect(error).toBeInstanceOf(WorldError);
      }
    }), { numRuns: tries(2000) });
  });
});

test('a join arrives as it was told', () => {
  const join: fc.Arbitrary<NodeState> = fc.record({
    identity: fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }).filter((name) => name !== '__proto__'), text),
    id: text, peers: fc.array(text, { maxLength: 4 }), checkpoints: fc.array(fc.nat(), { maxLength: 2 }),
    clockUs: fc.nat(), ended: fc.constantFrom(...ends),
  });
  fc.assert(fc.property(join, (told) => {
    const record = encodeRecord('state', (to) => { putNodeState(to, told); });
    const read = decodeRecord(record, 'state', 'here', takeNodeState);
    expect(read).toEqual({ ...told, identity: { ...told.identity } });
  }), { numRuns: tries(300) });
});

test('checkpoints: the first at once, then where all have asked in the superstep before, never two in a row', () => {
  fc.assert(fc.property(
    fc.array(fc.array(fc.boolean(), { minLength: nodes, maxLength: nodes }), { maxLength: 30 }), fc.constantFrom(-1, 0),
    (asked, last) => {
      const votes = new CheckpointVotes(nodes, last, () => true);
      let before: number = last;
      asked.forEach((ofSuperstep, superstep) => {
        const all = superstep > 0 && asked[superstep - 1].every(Boolean);
        const expected = before < 0 || (all && superstep - before >= 2);
        expect(votes.isTakenAt(superstep)).toBe(expected);
        if (expected) before = superstep;
        ofSuperstep.forEach((isDue, node) => { votes.hear(node, superstep, isDue); });
      });
    },
  ), { numRuns: tries(300) });
});
