import { closeSync, openSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesBefore } from '../../../src/base/files/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

// Goal: a file is read backwards, line by line, from any place, as if it were read whole and turned round.

const { file } = temporaryFolder();

function backwards(text: string, end = Buffer.byteLength(text)): { readonly text: string; readonly begin: number }[] {
  const path = file('lines', text);
  const opened = openSync(path, 'r');
  try {
    return [...linesBefore(opened, path, end)];
  } finally {
    closeSync(opened);
  }
}

test('lines of any length, the last one first; what has no end yet is none', () => {
  const line = fc.oneof(fc.string({ maxLength: 5 }), fc.nat(200_000).map((length) => 'é'.repeat(length)))
    .map((text) => text.replaceAll('\n', ' '));
  fc.assert(fc.property(fc.array(line, { maxLength: 8 }), fc.string(), (lines, rest) => {
    const whole = lines.map((text) => `${text}\n`).join('');
    const found = backwards(whole + rest.replaceAll('\n', ''));
    const read = lines.map((text) => Buffer.from(text).toString());
    expect(found.map(({ text }) => text).reverse()).toEqual(read);
    // From the beginning of a line on, what is before it.
    for (const [i, { begin }] of found.entries()) if (i % 3 === 0)
      expect(backwards(whole, begin).map(({ text }) => text)).toEqual(read.slice(0, -1 - i).reverse());
  }), { numRuns: 30 });
});

test('a file without lines, or with one that no run wrote', () => {
  expect(backwards('')).toEqual([]);
  expect(backwards('cut')).toEqual([]);
  expect(backwards('\n\n').map(({ begin }) => begin)).toEqual([1, 0]);
  expect(() => backwards('x'.repeat(2 ** 21))).toThrow('has a line of over 1 MB');
  expect(() => backwards('a\n', 5)).toThrow('is cut');
});
