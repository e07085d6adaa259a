import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { archiveBytes } from '../../src/base/web/index.ts';
import { DrawStream } from '../../src/base/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: what gzip members of any size hold, and where each begins.

const { file } = temporaryFolder();

/** Of these, some are inflated at once and some are streamed: those that are long, or become so. */
const contents = [
  Buffer.alloc(0), Buffer.from('x'), noise(1000), noise(70_000), noise(300_000), Buffer.alloc(1 << 20, 'a'),
  Buffer.alloc((1 << 20) + 1, 'b'), noise(10), Buffer.alloc(3 << 20, 'c'), Buffer.alloc(0), noise(262_144), noise(5),
];

const stored = contents.map((bytes) => gzipSync(bytes));

function noise(bytes: number): Buffer {
  const stream = new DrawStream(bytes, 'noise');
  return Buffer.from(Uint8Array.from({ length: bytes }, (_, i) => 256 * stream.uniform(i)));
}

/** Where a member begins, and what it holds: compared as a digest, since comparing megabytes takes seconds. */
interface Member {
  readonly at: number;
  readonly digest: string;
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function membersOf(archive: Buffer): Promise<{ members: Member[]; faults: number[] }> {
  const members: { at: number; pieces: Buffer[] }[] = [];
  const faults: number[] = [];
  for await (const piece of archiveBytes(file('a.gz', archive))) {
    if ('fault' in piece) {
      faults.push(piece.memberAt);
      continue;
    }
    if (piece.first) members.push({ at: piece.memberAt, pieces: [] });
    const member = members[members.length - 1];
    expect(member.at).toBe(piece.memberAt);
    // A copy: it is valid until the next piece.
    member.pieces.push(Buffer.from(piece.bytes));
  }
  return { members: members.map(({ at, pieces }) => ({ at, digest: digestOf(Buffer.concat(pieces)) })), faults };
}

/** Members that hold something, in an order of their own. */
function expected(order: readonly number[]): { archive: Buffer; members: Member[] } {
  let next = 0;
  const members = order.map((i) => {
    const at = next;
    next += stored[i].length;
    return { at, digest: digestOf(contents[i]) };
  });
  return {
    archive: Buffer.concat(order.map((i) => stored[i])),
    members: members.filter((_, n) => contents[order[n]].length > 0),
  };
}

const inOrder = [...contents.keys()];
const orders = [inOrder, [...inOrder].reverse(), [...inOrder, ...inOrder], inOrder.filter((i) => i % 2 === 0)];

describe('members of all sizes', () => {
  test.each(orders.map((order) => [order.join(' '), order] as const))('in the order %s', async (_, order) => {
    const { archive, members } = expected(order);
    expect(await membersOf(archive)).toEqual({ members, faults: [] });
  });

  test.each(inOrder)('of which number %i is damaged: the others are there', async (damaged) => {
    const { archive, members } = expected(inOrder);
    const at = inOrder.slice(0, damaged).reduce((sum, i) => sum + stored[i].length, 0);
    // Its checksum.
    archive[at + stored[damaged].length - 8] ^= 1;
    const found = await membersOf(archive);
    expect(found.faults).toEqual([at]);
    const whole = found.members.filter(({ at: start }) => start !== at);
    expect(whole).toEqual(members.filter(({ at: start }) => start !== at));
  });

  test('the last of which is cut short anywhere', async () => {
    const { archive, members } = expected([2, 1]);
    for (let cut = 1; cut < stored[1].length; cut++) {
      const found = await membersOf(archive.subarray(0, archive.length - cut));
      expect(found).toEqual({ members: members.slice(0, 1), faults: [members[1].at] });
    }
  });
});
