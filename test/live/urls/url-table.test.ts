import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfSipHash, StringIndex } from '../../../src/core/live/urls/string-index.ts';
import { UrlTable } from '../../../src/core/live/urls/url-table.ts';

// Goal: ids in the order of first mention, however many URLs; test/conformance/known-urls.ts has the rest.

describe('URL table', () => {
  test('many, and long ones, over the ends of blocks', () => {
    const table = new UrlTable();
    const urls = Array.from(
      { length: 40_000 },
      (_, i) => `https://h${i % 97}.example/${'x'.repeat(i % 1000 === 0 ? 65_000 : i % 50)}${i}`,
    );
    expect(urls.filter((url, page) => table.add(url, page, 0) !== page)).toEqual([]);
    expect(urls.filter((url, page) => table.find(url) !== page || table.urlOf(page) !== url)).toEqual([]);
    expect(table.find('https://h1.example/none')).toBe(-1);
    expect(table.find('https://none.example/')).toBe(-1);
    expect(table.hostCount).toBe(97);
  });
});

describe('string index', () => {
  test('a pair is a tag and a string; strings of which one begins the other are two', () => {
    const index = new StringIndex();
    const pairs = [[0, ''], [1, ''], [0, 'a'], [0, 'aa'], [2 ** 32 - 1, 'a']] as const;
    for (const [number, [tag, text]] of pairs.entries()) expect(index.add(tag, text)).toBe(number);
    for (const [number, [tag, text]] of pairs.entries()) {
      expect([index.find(tag, text), index.tagOf(number), index.stringOf(number)]).toEqual([number, tag, text]);
    }
    expect(index.find(1, 'a')).toBe(-1);
  });

  test('the hash is HalfSipHash', () => {
    const key = Uint8Array.from({ length: 8 }, (_, i) => i);
    // The authors' own vectors, of 2 and 4 rounds, for no octet and for 0, 1, ...
    const vectors = [0x5b9f35a9, 0xb85a4727, 0x03a662fa, 0x04e7fe8a];
    for (const [length, expected] of vectors.entries())
      expect(
        sipHash(
          key, Array.from({ length }, (_, i) => i), 2, 4,
        ),
      ).toBe(expected);
    const keys = fc.uint8Array({ minLength: 8, maxLength: 8 });
    const tags = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(fc.property(keys, tags, fc.string({ unit: 'binary-ascii' }), (anyKey, tag, text) => {
      const octets = [...Buffer.from(Uint32Array.of(tag).buffer), ...Buffer.from(text, 'latin1')];
      expect(halfSipHash(anyKey, tag, text)).toBe(sipHash(anyKey, octets, 1, 3));
    }));
  });
});

/** HalfSipHash-c-d as its authors describe it: octets padded to words, c rounds a word, d rounds at the end. */
function sipHash(key: Uint8Array, octets: readonly number[], c: number, d: number): number {
  const words = (bytes: readonly number[]): number[] =>
    Array.from({ length: bytes.length / 4 }, (_, i) => Buffer.from(bytes).readUInt32LE(4 * i));
  const [k0, k1] = words([...key]);
  const turned = (value: number, by: number): number =>
    Number((BigInt(value >>> 0) << BigInt(by) | BigInt(value >>> 0) >> BigInt(32 - by)) & 0xffffffffn);
  let [v0, v1, v2, v3] = [k0, k1, 0x6c796765 ^ k0, 0x74656462 ^ k1];
  const round = (): void => {
    [v0, v1] = [v0 + v1, turned(v1, 5) ^ (v0 + v1)];
    v0 = turned(v0, 16);
    [v2, v3] = [v2 + v3, turned(v3, 8) ^ (v2 + v3)];
    [v0, v3] = [v0 + v3, turned(v3, 7) ^ (v0 + v3)];
    [v2, v1] = [v2 + v1, turned(v1, 13) ^ (v2 + v1)];
    v2 = turned(v2, 16);
  };
  const padded = [...octets, ...Array.from({ length: 3 - (octets.length % 4) }, () => 0), octets.length & 0xff];
  for (const m of words(padded)) {
    v3 ^= m;
    for (let i = 0; i < c; i++) round();
    v0 ^= m;
  }
  v2 ^= 0xff;
  for (let i = 0; i < d; i++) round();
  return (v1 ^ v3) >>> 0;
}
