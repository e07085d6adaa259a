import { describe, expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import {
  englishStopWords, markedWords, MAX_DOCUMENT_WORDS, PAUSE, wordsOf,
} from '../../../src/search/words/index.ts';
import { MAX_TEXT_CHARS, textFields, type PageText, type TextField } from '../../../src/base/web/index.ts';
import { documentWords } from '../document-words.ts';

// Goal: a document has the words that people would look for, each at its position and field.

const page = (...runs: [TextField, string][]): PageText => ({
  runs: runs.map(([field, text]) => ({ field, text })), language: '', anchors: [], isCut: false,
});

/** Word -> its places, as [position, field]. */
function placesOf(text: PageText, stopWords?: ReadonlySet<string>): Record<string, [number, string][]> {
  const { words, starts, places } = documentWords(text, stopWords);
  return Object.fromEntries(words.map((word, i) => [
    word, [...places.subarray(starts[i], starts[i + 1])].map((place) => [place >>> 3, textFields[place & 7]]),
  ]));
}

describe('words of a text', () => {
  test.each([
    ['Hello, World-wide  web 2.0!', ['hello', 'world', 'wide', 'web', '2', '0']],
    ['Ångström’s Café ÉLAN naïve', ['angstrom', 's', 'cafe', 'elan', 'naive']],
    ['e\u0301te\u0301 = \u00e9t\u00e9', ['ete', 'ete']],
    ['Straße STRASSE ΟΔΟΣ οδός', ['strasse', 'strasse', 'οδοσ', 'οδοσ']],
    ['ﬁne ｆｕｌｌ x² Ⅳ', ['fine', 'full', 'x2', 'iv']],
    ['Java™ SE℠', ['java', 'se']],
    ['Ёлка йод', ['елка', 'иод']],
    ['हिन्दी की', ['हिन्दी', 'की']],
    ['שָׁלוֹם مُحَمَّد', ['שלום', 'محمد']],
    ['한국어', ['한국어']],
    ['İstanbul', ['istanbul']],
    ['C++ & a_b', ['c', 'a', 'b']],
    ['😀 --- \ud800', []],
    ['', []],
  ])('%j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('words are found where they stand, in ASCII as in other texts', () => {
    const draws = new DrawStream(20261126, 'marked');
    const letters = Array.from('aAbB1 -_.é');
    for (let i = 0; i < 2000; i++) {
      const text = Array.from({ length: 30 }, (_, at) => letters[draws.uint32(i, at) % (9 + i % 2)]).join('');
      const found = [...markedWords(new Set(['a', 'ab', '1b', 'be', 'e']))(text)];
      const all = wordsOf(text).filter((word) => ['a', 'ab', '1b', 'be', 'e'].includes(word));
      expect(found.map(({ word }) => word), text).toEqual(all);
      for (const { word, start, end } of found) expect(wordsOf(text.slice(start, end)), text).toEqual([word]);
    }
    expect([...markedWords(new Set(['é']))('plain')]).toEqual([]);
  });

  test('a word is one word of the function again, whatever the text', () => {
    const draws = new DrawStream(20261125, 'words');
    const others = Array.from({ length: 0x30000 }, (_, at) => at).filter((at) => {
      // Every character once, between others that it may combine with.
      const text = `a${String.fromCodePoint(at)}${String.fromCodePoint(draws.uint32(at) % 0x3000)}b`;
      return wordsOf(text).some((word) => wordsOf(word).join(' ') !== word);
    });
    expect(others.map((at) => `U+${at.toString(16)}`)).toEqual([]);
  });

  test('case never makes a difference', () => {
    for (const text of ['Straße', 'ǅ', 'Ὀδυσσεύς', 'ŉ', 'ﬀ', 'İi', 'Ǆungla']) {
      expect(wordsOf(text.toUpperCase())).toEqual(wordsOf(text.toLowerCase()));
    }
  });
});

describe('words of a document', () => {
  test('positions go on within a run, and pause between runs; the description comes last', () => {
    const text = page(['title', 'web search'], ['description', 'about search'], ['h2', 'The web'], ['other', 'of']);
    const third = 2 + PAUSE;
    const fourth = third + 2 + PAUSE;
    expect(placesOf(text)).toEqual({
      web: [[0, 'title'], [third + 1, 'h2']],
      search: [[1, 'title'], [fourth + 1 + PAUSE + 1, 'description']],
      the: [[third, 'h2']], of: [[fourth, 'other']], about: [[fourth + 1 + PAUSE, 'description']],
    });
    expect([...documentWords(text).lengths]).toEqual([2, 0, 2, 0, 0, 0, 1, 2]);
  });

  test('stop words and very long words keep their position and count, and are not stored', () => {
    const text = page(['other', `king of spain ${'x'.repeat(65)} ${'y'.repeat(64)}`]);
    expect(placesOf(text, englishStopWords)).toEqual({
      king: [[0, 'other']], spain: [[2, 'other']], ['y'.repeat(64)]: [[4, 'other']],
    });
    expect(documentWords(text, englishStopWords).lengths[textFields.indexOf('other')]).toBe(5);
    for (const word of englishStopWords) expect(wordsOf(word)).toEqual([word]);
  });

  test('equal texts have equal digests, and others do not', () => {
    const digest = (text: PageText): string => Buffer.from(documentWords(text).digest).toString('hex');
    const one = page(['title', 'a'], ['other', 'b']);
    expect(digest(one)).toBe(digest({ ...one, language: 'en', anchors: [{ url: 'http://a/', text: 'a' }] }));
    const others = [page(['title', 'a b']), page(['h1', 'a'], ['other', 'b']), page(['other', 'b'], ['title', 'a'])];
    expect(new Set([one, ...others].map(digest)).size).toBe(4);
  });

  test('a text of one huge word, and one of too many words, are bounded', () => {
    expect(documentWords(page(['other', 'x'.repeat(MAX_TEXT_CHARS)])).words).toEqual([]);
    // Four words a character.
    const many = documentWords(page(['other', 'ﷺ '.repeat(MAX_TEXT_CHARS / 2)]));
    expect(many.places).toHaveLength(MAX_DOCUMENT_WORDS);
    expect(many.words).toHaveLength(4);
    const runs = Array.from({ length: MAX_DOCUMENT_WORDS }, () => ({ field: 'other' as const, text: 'a' }));
    expect(documentWords({ ...page(), runs }).places.at(-1)).toBeLessThan(2 ** 32);
  });
});
