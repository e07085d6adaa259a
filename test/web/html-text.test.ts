import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { beginsAsHtml, htmlText, robotsTag, statedType } from '../../src/base/web/index.ts';

// Goal: a page's letters are those its author meant: the encoding is found as the HTML standard finds it.

/** The byte that is another letter in each of these encodings. */
const lettersOf = { 'windows-1252': 'ä', 'windows-1251': 'д', 'koi8-r': 'Д', 'iso-8859-7': 'δ', 'utf-8': '\ufffd' };
type Encoding = keyof typeof lettersOf;
const textOf = (latin1: string, contentType?: string): string =>
  htmlText(Buffer.from(latin1, 'latin1'), contentType).text;
const encodingOf = (head: string, contentType?: string): string | undefined => {
  const letter = textOf(`${head}\xe4`, contentType).at(-1);
  return Object.entries(lettersOf).find(([, known]) => known === letter)?.[0];
};

describe('the encoding of a document', () => {
  test.each<[Encoding, string, string?]>([
    ['windows-1251', '', 'text/html; charset=windows-1251'],
    ['windows-1251', '', 'text/html;level=1 ; CHARSET="windows-1251" ; x'],
    ['windows-1251', '<meta charset=koi8-r>', "text/html; charset='windows-1251'"],
    ['koi8-r', '<meta charset=koi8-r>', 'text/html; notcharset=windows-1251'],
    ['koi8-r', '<meta charset=koi8-r>', 'text/html; x="; charset=windows-1251"'],
    ['koi8-r', '<meta charset=koi8-r>', 'text/html; charset=nobody-knows'],
    ['koi8-r', '<meta name=a content=b><META/Charset = "koi8-r" />'],
    ['koi8-r', '<meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'],
    ['koi8-r', '<meta content="text/html; charset=\'koi8-r\'" http-equiv=content-type>'],
    ['windows-1252', '<meta name=description content="charset=koi8-r">'],
    ['windows-1252', '<!-- <meta charset=koi8-r> -->'],
    ['koi8-r', '<!--><meta charset=koi8-r>'],
    ['windows-1252', '<p title="<meta charset=koi8-r>">'],
    ['windows-1252', '<!x <meta charset=koi8-r >'],
    ['windows-1252', '<metal charset=koi8-r>'],
    ['koi8-r', '<meta charset=nobody-knows><meta charset=koi8-r>'],
    ['koi8-r', '<meta charset=koi8-r charset=windows-1251><meta charset=windows-1251>'],
    ['utf-8', '<meta charset=utf-16le>'],
    ['utf-8', '<meta charset=" UCS-2 ">'],
    ['windows-1252', '<meta charset=x-user-defined><meta charset=koi8-r>'],
    ['koi8-r', '<?xml version="1.0" encoding="koi8-r"?>'],
    ['koi8-r', "<?xml encoding = 'koi8-r' ?><p>"],
    ['windows-1251', '<?xml version="1.0" encoding="koi8-r"?><meta charset=windows-1251>'],
    ['windows-1252', ' <?xml version="1.0" encoding="koi8-r"?>'],
    ['windows-1252', `${'x'.repeat(1020)}<meta charset=koi8-r>`],
    ['windows-1252', ''],
  ])('%s: %s %s', (encoding, head, contentType) => {
    expect(encodingOf(head, contentType)).toBe(encoding);
  });

  test('a byte order mark goes before all, and is no letter', () => {
    expect(textOf('\xef\xbb\xbf\xc3\xa4<meta charset=koi8-r>', 'text/html; charset=koi8-r')).toMatch(/^ä/);
    expect(textOf('\xff\xfe\xe4\0', 'text/html; charset=koi8-r')).toBe('ä');
    expect(textOf('\xfe\xff\0\xe4')).toBe('ä');
    expect(textOf('\0<\0?\0x\0m\0l')).toBe('<?xml');
    expect(textOf('<\0?\0x\0m\0l\0')).toBe('<?xml');
  });

  test('without any word of it, UTF-8 where it is that', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(htmlText(Buffer.from(`x${text}`), undefined).text).toBe(Buffer.from(`x${text}`).toString());
    }));
  });

  test('any bytes have a text, in bounded time', () => {
    const labels = fc.constantFrom('utf-16', 'gb18030', 'iso-2022-jp', 'replacement', 'x', 'shift_jis', '"', '');
    const soup = fc.array(
      fc.constantFrom(
        '<meta ', 'charset', '=', '"', "'", '>', '<!--', '-->', '<?xml ', 'encoding', 'koi8-r', '\0', '\xff', '/', ' ',
      ),
    );
    fc.assert(fc.property(soup, labels, (parts, label) => {
      expect(typeof textOf(parts.join(''), `text/html; charset=${label}`)).toBe('string');
    }));
    expect(textOf('<a '.repeat(1 << 20))).toHaveLength(3 << 20);
    expect(statedType(`text/html${';charset='.repeat(1 << 12)}`)).toBe('text/html');
  });
});

describe('what a page is', () => {
  test.each([
    ['text/html', 'text/html'], [' TEXT/HTML ; charset=x', 'text/html'], ['text/plain', 'text/plain'],
    ['text/htmlx', 'text/htmlx'], ['', undefined], ['html', undefined], ['text/', undefined],
    ['text/html utf-8', undefined], ['*/*', undefined], ['unknown/unknown', undefined], [undefined, undefined],
  ])('Content-Type %s states %s', (contentType, stated) => {
    expect(statedType(contentType)).toBe(stated);
  });

  test.each([
    ['<!DOCTYPE html>', true], ['\xef\xbb\xbf\r\n <html >', true], ['<!-- x', true], ['<P>', true], ['<body\n', false],
    ['<b', false], ['<pre>', false], ['text <html>', false], ['%PDF-1.4', false], ['', false], ['{"a":"<a>"}', false],
  ])('%j begins as HTML: %s', (start, expected) => {
    expect(beginsAsHtml(Buffer.from(start, 'latin1'))).toBe(expected);
  });

  test.each([
    [['nofollow'], ' nofollow'], [['none, noarchive'], ' none noarchive'], [['otherbot: nofollow, noindex'], ''],
    [['noindex, otherbot: nofollow, OrbWeaver: none'], ' noindex none'],
    [['otherbot: noindex', 'nofollow'], ' nofollow'],
    [['unavailable_after: 25 Jun 2010 15:00:00 PST, nofollow'], ' 25 jun 2010 15:00:00 pst nofollow'], [[], ' '],
  ])('X-Robots-Tag %j says%s', (headers, words) => {
    expect(robotsTag(headers, 'orbweaver').split(/[\s,]+/).filter((word) => word !== '').join(' ')).toBe(words.trim());
  });
});
