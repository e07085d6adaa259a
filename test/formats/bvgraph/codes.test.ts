import { closeSync, openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BitReader } from '../../../src/graphs/formats/bvgraph/bit-reader.ts';
import { BitWriter } from '../../../src/graphs/formats/bvgraph/bit-writer.ts';
import { codeOf, type Code, type CodeName } from '../../../src/graphs/formats/bvgraph/codes.ts';
import { DrawStream } from '../../../src/base/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: the codes are those of the literature, at every length, wherever in the file they stand.

const { file } = temporaryFolder();

/** What `take` makes of a reader over the bytes. */
function reading<T>(bytes: Uint8Array, take: (bits: BitReader) => T): T {
  const fd = openSync(file('bits', bytes), 'r');
  try {
    return take(new BitReader(fd, bytes.length, (what) => {
      throw new Error(what);
    }));
  } finally {
    closeSync(fd);
  }
}

function bytesOfBits(bits: string): Uint8Array {
  const out = new BitWriter();
  for (const bit of bits) out.put(Number(bit), 1);
  return out.takeAll();
}

// Elias 1975; Boldi & Vigna 2005, table 1; Golomb 1966. Value 0 first.
test.each<[CodeName, number, string]>([
  ['UNARY', 0, '1 01 001 0001 00001'],
  ['GAMMA', 0, '1 010 011 00100 00101 00110 00111 0001000'],
  ['DELTA', 0, '1 0100 0101 01100 01101 01110 01111 00100000 00100001'],
  ['ZETA', 1, '1 010 011 00100 00101 00110 00111 0001000'],
  ['ZETA', 2, '10 110 111 01000 01001 01010 01011 011000 011001'],
  ['ZETA', 3, '100 1010 1011 1100 1101 1110 1111 0100000 0100001 0100010'],
  ['ZETA', 4, '1000 10010 10011 10100 10101 10110 10111 11000 11001'],
  ['GOLOMB', 1, '1 01 001 0001'],
  ['GOLOMB', 3, '10 110 111 010 0110 0111 0010'],
  ['GOLOMB', 4, '100 101 110 111 0100'],
  ['NIBBLE', 0, '1000 1001 1010 1011 1100 1101 1110 1111 00011000 00011001'],
])('%s %i has its published code words', (name, k, words) => {
  const code = codeOf(name, k);
  const out = new BitWriter();
  words.split(' ').forEach((word, value) => {
    expect(code.bits(value)).toBe(word.length);
    code.encode(value, out);
  });
  const bytes = bytesOfBits(words.replaceAll(' ', ''));
  expect(out.takeAll()).toEqual(bytes);
  reading(bytes, (bits) => words.split(' ').forEach((_, value) => expect(bits.read(code)).toBe(value)));
});

const codes: [string, Code][] = [
  ...(['UNARY', 'GAMMA', 'DELTA', 'NIBBLE'] as const).map((name): [string, Code] => [name, codeOf(name, 0)]),
  ...[1, 2, 3, 5, 7, 16, 31].flatMap((k): [string, Code][] => [
    [`ZETA ${k}`, codeOf('ZETA', k)],
    [`GOLOMB ${k}`, codeOf('GOLOMB', k)],
  ]),
];

test.each(codes)('%s gives back numbers of all sizes, wherever they stand', (name, code) => {
  const draws = new DrawStream(5, name);
  // A unary part is as long as its number, so these stay small.
  const largest = name.startsWith('UNARY') || name.startsWith('GOLOMB') ? 10 : 33;
  const values = Array.from({ length: 3_000 }, (_, i) => draws.uint32(i, 0) % 2 ** (draws.uint32(i, 1) % largest));
  const all = [...values, ...(largest === 33 ? [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1, 2 ** 32] : [])];
  const out = new BitWriter();
  for (const value of all) code.encode(value, out);
  const expected = all.reduce((sum, value) => sum + code.bits(value), 0);
  expect(out.length).toBe(expected);
  reading(out.takeAll(), (bits) => {
    expect(all.filter((value) => bits.read(code) !== value)).toEqual([]);
    expect([bits.position, bits.ranOut]).toEqual([expected, false]);
  });
});

test('a file of several buffers, written in parts, is read across their ends', () => {
  const code = codeOf('GAMMA', 0);
  const draws = new DrawStream(6, 'buffers');
  const values = Array.from({ length: 200_000 }, (_, i) => draws.uint32(i) >>> (draws.uint32(i, 1) & 31));
  const out = new BitWriter();
  const parts = values.map((value, i) => {
    code.encode(value, out);
    return i % 1000 === 0 ? out.takeWhole() : new Uint8Array(0);
  });
  const bytes = Buffer.concat([...parts, out.takeAll()]);
  expect(bytes.length).toBeGreaterThan(2 * 2 ** 18);
  reading(bytes, (bits) => expect(values.findIndex((value) => bits.read(code) !== value)).toBe(-1));
});

describe('a file that ends within a code', () => {
  test.each(codes)('%s: is refused or known to have run out', (_, code) => {
    for (let zeros = 0; zeros < 12; zeros++) {
      let refused: boolean;
      try {
        refused = reading(new Uint8Array(zeros), (bits) => {
          bits.read(code);
          return bits.ranOut;
        });
      } catch (error) {
        refused = error instanceof Error && /truncated|no graph needs/.test(error.message);
      }
      expect(refused).toBe(true);
    }
  });
});
