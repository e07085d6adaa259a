import fc from 'fast-check';
import sniffEncoding from 'html-encoding-sniffer';
import { describe, expect, test } from 'vitest';
import { htmlText } from '../../src/base/web/index.ts';
import { tries } from '../sweep.ts';

// Why the encoding of a page is found by our own code: html-encoding-sniffer 6 throws on pages that exist, and leaves
// out parts of the standard. The day the first two tests fail, it may replace ours. Wherever it answers by the
// standard, it is an independent model of what our code must find.

/** A last byte that is another letter in each of these encodings, and keeps the text from being UTF-8. */
const bytesOf = (latin1: string): Buffer => Buffer.from(`${latin1}\xe4`, 'latin1');
const lettersOf: Record<string, string> = { ä: 'windows-1252', д: 'windows-1251', Д: 'koi8-r', '\ufffd': 'utf-8' };
const encodingByUs = (latin1: string): string | undefined =>
  lettersOf[htmlText(bytesOf(latin1), undefined).text.at(-1)!];
const encodingByLibrary = (latin1: string): string => sniffEncoding(bytesOf(latin1)).toLowerCase();

describe('html-encoding-sniffer 6', () => {
  test.each([
    '<meta http-equiv="Content-Type" content="text/html; charset=">', '<meta content="charset =">',
    '<meta name=description content="what is a charset">',
  ])('throws on %s', (page) => {
    expect(() => encodingByLibrary(page)).toThrow(TypeError);
    expect(encodingByUs(page)).toBe('windows-1252');
  });

  test.each([
    ['an XML declaration', '<?xml version="1.0" encoding="koi8-r"?>', 'koi8-r'],
    ['attributes of an end tag', '</p title="><meta charset=windows-1251>"><meta charset=koi8-r>', 'koi8-r'],
    [
      'that an unknown charset goes before a content',
      '<meta http-equiv=content-type charset=nobody content="charset=koi8-r">', 'windows-1252',
    ],
  ])('overlooks %s', (_, page, encoding) => {
    expect(encodingByLibrary(page)).not.toBe(encoding);
    expect(encodingByUs(page)).toBe(encoding);
  });
});

test('where it answers by the standard, we find the same', () => {
  const pieces = [
    '<meta ', '<meta/', '<a ', '<!', '<!--', '-->', '<p', '>', '=', '"', "'", '/', ';', '\n', ' ', 'X', 'koi8-r',
    'utf-16', 'windows-1251', 'x-user-defined', 'nobody', 'content-type', 'text/html; charset=koi8-r', ' http-equiv',
    ' http-equiv=content-type',
  ];
  // Not both: of an unknown charset before a content see above.
  const charsets = [' charset', ' charset=koi8-r', ' charset="windows-1251"', '<meta charset=koi8-r>'];
  const contents = [
    ' content', ' content="x; charset=\'koi8-r\'"', ' content=charset=windows-1251', "<meta content='charset=koi8-r'",
  ];
  const pageOf = (parts: string[]): fc.Arbitrary<string> =>
    // What is open at the end is closed: within a tag that does not end, neither gives up as the standard has it.
    fc.array(fc.constantFrom(...pieces, ...parts), { maxLength: 30 }).map((drawn) => `${drawn.join('')}a"'>-->`);
  const pages = fc.oneof(pageOf(charsets), pageOf(contents));
  let named = 0;
  fc.assert(
    fc.property(pages, (page) => {
      let expected: string;
      try {
        expected = encodingByLibrary(page);
      } catch {
        return;
      }
      if (expected !== 'windows-1252') named++;
      expect(encodingByUs(page)).toBe(expected);
    }),
    { numRuns: tries(20_000), seed: 5 },
  );
  expect(named).toBeGreaterThan(100);
});
