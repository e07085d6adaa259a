import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packText, resolvedText, textFields, unpackText, type PageText } from '../../../src/web/index.ts';
import { tries } from '../../sweep.ts';

// Goal: a text is unpacked as it was packed, and nothing else is taken for one.

const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\s+/g, ' ').trim());
const pageText: fc.Arbitrary<PageText> = fc.record({
  runs: fc.array(fc.record({ field: fc.constantFrom(...textFields), text: line.map((text) => text || 'a') })),
  language: fc.constantFrom('', 'en', 'de-at'),
  anchors: fc.array(fc.record({ url: fc.webUrl(), text: line })),
  isCut: fc.boolean(),
});

describe('a packed text', () => {
  test('is unpacked as it was', () => {
    fc.assert(fc.property(pageText, (text) => {
      expect(unpackText(packText(text))).toEqual(text);
    }), { numRuns: tries(300) });
  });

  test.each([0, 1, 1000, 1020, 1021, 1022, 1023, 1024, 1025, 5000, 70_000])('of %d bytes more or less', (chars) => {
    for (const character of ['a', 'é', '😀']) {
      const words = { field: 'other', text: character.repeat(chars) } as const;
      const text: PageText = { runs: chars === 0 ? [] : [words], language: '', anchors: [], isCut: false };
      expect(unpackText(packText(text))).toEqual(text);
    }
  });

  test('is no view of a larger buffer, which threads would copy', () => {
    const packed = packText({ runs: [{ field: 'other', text: 'a' }], language: '', anchors: [], isCut: false });
    expect(packed.buffer.byteLength).toBe(packed.length);
  });

  test('is not any bytes', () => {
    fc.assert(fc.property(pageText, fc.nat(), fc.uint8Array(), (text, at, other) => {
      const packed = packText(text);
      expect(unpackText(packed.subarray(0, at % packed.length))).toBeUndefined();
      expect(() => unpackText(other)).not.toThrow();
    }), { numRuns: tries(300) });
  });
});

test('links that are left out have no anchor, and the URLs of anchors are bounded', () => {
  const collected = { runs: [], language: '', anchors: ['a', 'b', ''], isCut: false };
  expect(resolvedText(collected, (i) => [undefined, 'http://b/', 'http://c/'][i])).toEqual({
    ...collected, anchors: [{ url: 'http://b/', text: 'b' }, { url: 'http://c/', text: '' }],
  });
  const long = `http://a/${'x'.repeat(2000)}`;
  const many = resolvedText({ ...collected, anchors: Array<string>(5000).fill('') }, () => long);
  expect([many.anchors.length < 5000, many.isCut]).toEqual([true, true]);
});
