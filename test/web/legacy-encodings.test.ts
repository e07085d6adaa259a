import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSite, readWarc } from '../../src/graphs/formats/index.ts';
import type { WebGraph } from '../../src/graphs/graph/index.ts';
import { readPage } from '../../src/core/live/pages/read-page.ts';
import { linksOf, placeOf } from '../formats/page-links.ts';
import { response } from '../formats/warc/warc-archive.ts';
import { settingsOf } from '../live/pages/pages.ts';
import { tries } from '../sweep.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Goal: a link of a page in a legacy encoding is asked for by the octets that its author wrote, as browsers ask for it,
// in a crawl and in an import of archives, and a file of a folder is found by its name. Method: characters are drawn
// that an encoding can spell in one way only, so the octets that were drawn are the oracle.

const { folder } = temporaryFolder();

type Characters = fc.Arbitrary<readonly number[]>;
const single = (first: number, last: number): Characters =>
  fc.integer({ min: first, max: last }).map((octet) => [octet]);
const double = (leads: readonly [number, number], trails: readonly [number, number]): Characters =>
  fc.tuple(fc.integer({ min: leads[0], max: leads[1] }), fc.integer({ min: trails[0], max: trails[1] }));

/** Characters with one spelling each, from the tables of the WHATWG's Encoding standard. */
const charactersOf: Readonly<Record<string, Characters>> = {
  'windows-1252': single(0x80, 0xff), 'windows-1251': single(0x80, 0xff), 'windows-874': single(0xa0, 0xda),
  'iso-8859-2': single(0x80, 0xff), 'iso-8859-16': single(0x80, 0xff), 'koi8-u': single(0x80, 0xff),
  ibm866: single(0x80, 0xff), macintosh: single(0x80, 0xff),
  // Kanji of level 1; Hangul of KS X 1001 and of its extension; hanzi of level 1.
  shift_jis: double([0x89, 0x97], [0x80, 0xfc]), 'euc-jp': double([0xb0, 0xce], [0xa1, 0xfe]),
  'euc-kr': fc.oneof(double([0xb0, 0xc8], [0xa1, 0xfe]), double([0x81, 0xa0], [0x41, 0x5a])),
  gbk: double([0xb0, 0xd6], [0xa1, 0xfe]), gb18030: double([0xb0, 0xd6], [0xa1, 0xfe]),
  big5: double([0xa4, 0xc5], [0xa1, 0xfe]),
};

/** Octets of a query, and how its page names the encoding. */
const queries = (encoding: string): fc.Arbitrary<readonly Buffer[]> => {
  const plain = fc.constantFrom(...Array.from('ab1=&?;/~')).map((letter) => [letter.charCodeAt(0)]);
  const characters = fc.array(
    fc.oneof({ weight: 3, arbitrary: charactersOf[encoding] }, plain), { minLength: 1, maxLength: 12 },
  );
  return fc.array(characters.map((each) => Buffer.from(each.flat())), { minLength: 1, maxLength: 4 });
};
const namings = fc.constantFrom('header', 'meta', 'http-equiv');

function pageOf(encoding: string, naming: string, links: readonly Buffer[]): { type: string; body: Buffer } {
  const named = naming === 'meta' ? `<meta charset=${encoding}>`
    : naming === 'header' ? '' : `<meta http-equiv=content-type content="text/html; charset=${encoding}">`;
  const linked = links.map((link) => `<a href="${link.toString('latin1')}">x</a>`);
  return {
    type: naming === 'header' ? `text/html; charset=${encoding}` : 'text/html',
    body: Buffer.from(named + linked.join('\n'), 'latin1'),
  };
}

/** The octets that a URL stands for, one per character. */
function octetsOf(url: string): string {
  return url.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}

const liveLinks = (type: string, body: Buffer): readonly string[] =>
  readPage({ url: 'http://a.org/', rawHeaders: ['Content-Type', type], body }, settingsOf()).links;

let files = 0;
function write(name: string, bytes: Buffer | string): string {
  const path = join(folder, String(files++), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  return path;
}

const targetsOf = (graph: WebGraph): string[] =>
  linksOf(graph, placeOf(graph)).map((link) => `http://${link.split(' ')[1]}`);

async function archivedLinks(type: string, body: Buffer): Promise<string[]> {
  return targetsOf(await readWarc([write('a.warc', response('http://a.org/', body, { 'Content-Type': type }))]));
}

describe('the query of a link has the octets that the page has', () => {
  test.each(Object.keys(charactersOf))('%s', async (encoding) => {
    await fc.assert(fc.asyncProperty(queries(encoding), namings, async (drawn, naming) => {
      const links = drawn.map((octets) => Buffer.concat([Buffer.from('/s?'), octets, Buffer.from('#x')]));
      const { type, body } = pageOf(encoding, naming, links);
      const found = liveLinks(type, body);
      expect(found.map(octetsOf)).toEqual(
        [...new Set(drawn.map((octets) => `http://a.org/s?${octets.toString('latin1')}`))],
      );
      expect(await archivedLinks(type, body)).toEqual(found);
    }), { numRuns: tries(100) });
  });
});

describe('characters', () => {
  const linkOf = (encoding: string, href: string): string => liveLinks(
    `text/html; charset=${encoding}`, Buffer.from(`<a href="${href}">x</a>`, 'latin1'),
  )[0].replace('http://a.org', '');

  // Of the WHATWG's tests (url/resources/percent-encoding.json), written as character references.
  test.each<[encoding: string, characters: string, octets: string]>([
    ['big5', '\u2020', '%26%238224%3B'], ['euc-kr', '\u2020', '%A2%D3'], ['windows-1252', '\u2020', '%86'],
    ['utf-8', '\u2020', '%E2%80%A0'], ['shift_jis', '\u2212', '%81|'], ['utf-8', '\u2212', '%E2%88%92'],
    ['gb18030', '\ue5e5', '%26%2358853%3B'], ['iso-2022-jp', '\u203e\\', '%1B(J~%1B(B\\'],
    ['windows-1252', '\u{1f600}', '%26%23128512%3B'], ['shift_jis', 'a\u{1f600}b', 'a%26%23128512%3Bb'],
    ['utf-16le', '\u00e1|', '%C3%A1|'], ['utf-16be', '\u00e1|', '%C3%A1|'], ['utf-8', '\u00e1|', '%C3%A1|'],
    ['windows-1251', '\u043f "<>\'', '%EF%20%22%3C%3E%27'],
  ])('in %s, %j is asked for as %s', (encoding, characters, octets) => {
    const references = Array.from(characters, (character) => `&#${character.codePointAt(0)};`).join('');
    const document = `<a href="/s?${references}">x</a>`;
    const body = encoding.startsWith('utf-16') ? Buffer.from(document, 'utf16le') : Buffer.from(document);
    if (encoding === 'utf-16be') body.swap16();
    expect(liveLinks(`text/html; charset=${encoding}`, body)).toEqual([`http://a.org/s?${octets}`]);
  });

  test('the path is UTF-8, and what is encoded stays; the base has a query too', () => {
    expect(linkOf('windows-1251', '/\xef?%D0%9F&\xef')).toBe('/%D0%BF?%D0%9F&%EF');
    expect(linkOf('windows-1251', ' \t/x?\n\xef\r ')).toBe('/x?%EF');
    expect(linkOf('windows-1251', '?\xef?\xef#\xef')).toBe('/?%EF?%EF');
    const body = Buffer.from('<base href="/b?\xef"><link rel=canonical href="?\xef"><a href="">x</a>', 'latin1');
    const page = { url: 'http://a.org/', rawHeaders: ['Content-Type', 'text/html; charset=koi8-r'], body };
    expect(readPage(page, settingsOf())).toMatchObject({
      links: ['http://a.org/b?%EF'], canonical: 'http://a.org/b?%EF',
    });
  });
});

test('a file of a folder is found by the name that a page in a legacy encoding gives it', async () => {
  const names = { 'windows-1252': '\u201cquoted\u201d', 'euc-kr': '\ub620', big5: '\u7e41', koi8: '\u0491' };
  const octetsOfNames = { 'windows-1252': '\x93quoted\x94', 'euc-kr': '\x8cc', big5: '\xc1\x63', koi8: '\xad' };
  for (const [label, name] of Object.entries(names)) {
    const octets = octetsOfNames[label as keyof typeof names];
    const encoding = label === 'koi8' ? 'koi8-u' : label;
    const page = `<meta charset=${encoding}><a href="${octets}.html?${octets}">x</a>`;
    const path = write('index.html', Buffer.from(page, 'latin1'));
    writeFileSync(join(dirname(path), `${name}.html`), '');
    expect(targetsOf(await readSite(dirname(path))), encoding).toHaveLength(1);
  }
});
