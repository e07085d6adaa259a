import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anchorLines, anchorsOf, compressed, decompressed, packText, resolvedText, runLines, runsOf, textFields, unpackRuns,
  unpackText, type PageText,
} from '../../../src/base/web/index.ts';
import { tries } from '../../sweep.ts';

// Goal: a text is unpacked as it was packed, and nothing else is taken for one.

const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\s+/g, ' ').trim());
const pageText: fc.Arbitrary<PageText> = fc.record({
  runs: fc.array(fc.record({ field: fc.constantFrom(...textFields), text: line.map((text) => text || 'a') })),
  language: fc.constantFrom('', 'en', 'de-at'),
  anchors: fc.array(fc.record({ url: fc.webUrl(), text: line })),
  isCut: fc.boolean(),
});

const packed = (text: PageText): Uint8Array => packText({ ...text, lines: runLines(text.runs) });

describe('a packed text', () => {
  test('is unpacked as it was', () => {
    fc.assert(fc.property(pageText, (text) => {
      expect(unpackText(packed(text))).toEqual(text);
      const { runs, lines } = unpackRuns(packed(text))!;
      expect([runs, lines]).toEqual([text.runs, runLines(text.runs)]);
    }), { numRuns: tries(300) });
  });

  test.each([0, 1, 1000, 1020, 1021, 1022, 1023, 1024, 1025, 5000, 70_000])('of %d bytes more or less', (chars) => {
    for (const character of ['a', 'é', '😀']) {
      const words = { field: 'other', text: character.repeat(chars) } as const;
      const text: PageText = { runs: chars === 0 ? [] : [words], language: '', anchors: [], isCut: false };
      expect(unpackText(packed(text))).toEqual(text);
    }
  });

  test('is no view of a larger buffer, which threads would copy', () => {
    const bytes = packText({ lines: '6a\n', language: '', anchors: [], isCut: false });
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  test('is not any bytes', () => {
    fc.assert(fc.property(pageText, fc.nat(), fc.uint8Array(), (text, at, other) => {
      const bytes = packed(text);
      expect(unpackText(bytes.subarray(0, at % bytes.length))).toBeUndefined();
      expect(() => unpackText(other)).not.toThrow();
    }), { numRuns: tries(300) });
  });
});

const sizes = [0, 1, 2, 1023, 1024, 1025, 65_535, 65_536, 65_537, 1 << 20];

test.each(sizes)('%d bytes are compressed, and bounded', (bytes) => {
  for (const text of ['a'.repeat(bytes), Array.from({ length: bytes }, (_, i) => 'abcdefg'[i * i % 7]).join('')]) {
    const some = compressed(text);
    expect(decompressed(some, Math.max(1, bytes)) === text).toBe(true);
    expect(some.length).toBeLessThanOrEqual(bytes + 16);
    if (bytes > 1) expect(decompressed(some, bytes - 1)).toBeUndefined();
    if (some.length > 0) expect(decompressed(some.subarray(0, -1), bytes)).toBeUndefined();
  }
});

test('lines are what was written, and nothing else', () => {
  const runs = [{ field: 'title', text: 'a 1' }, { field: 'description', text: '' }] as const;
  expect([runsOf(runLines(runs)), runsOf(runLines([]))]).toEqual([runs, []]);
  for (const lines of ['0a', '8a\n', 'a\n', '\n', '0a\n\n']) expect(runsOf(lines)).toBeUndefined();
  const anchors = [{ url: 'http://a/', text: '' }, { url: 'http://b/', text: 'b' }];
  expect([anchorsOf(anchorLines(anchors)), anchorsOf('')]).toEqual([anchors, []]);
  for (const lines of ['a', 'a\nb\nc', '\n\n']) expect(anchorsOf(lines)).toBeUndefined();
});

test('links that are left out have no anchor, and the URLs of anchors are bounded', () => {
  const collected = { lines: '', language: '', anchors: ['a', 'b', ''], isCut: false };
  expect(resolvedText(collected, (i) => [undefined, 'http://b/', 'http://c/'][i])).toEqual({
    ...collected, anchors: [{ url: 'http://b/', text: 'b' }, { url: 'http://c/', text: '' }],
  });
  const long = `http://a/${'x'.repeat(2000)}`;
  const many = resolvedText({ ...collected, anchors: Array<string>(5000).fill('') }, () => long);
  expect([many.anchors.length < 5000, many.isCut]).toEqual([true, true]);
});
