import { expect, test } from 'vitest';
import { DrawStream } from '../../../src/base/index.ts';
import { MAX_WORD_CHARS, WordNumbers, wordsOf } from '../../../src/search/words/index.ts';

// Goal: words that are numbered are those that wordsOf makes strings of.

/** The words of texts by way of their numbers; undefined for those that are too long. */
function visited(numbers: WordNumbers, text: string): (string | undefined)[] {
  const found: number[] = [];
  numbers.visit(text, (number) => found.push(number) > 0);
  return found.map((number) => number < 0 ? undefined : numbers.words[number]);
}

const expected = (text: string): (string | undefined)[] =>
  wordsOf(text).map((word) => word.length > MAX_WORD_CHARS ? undefined : word);

test('of any texts, one after the other', () => {
  const draws = new DrawStream(20261126, 'numbers');
  const pieces = [
    'a', 'Z', '7', 'é', 'Ångström', 'हिन्दी', '한국어', '😀', '\ud800', ' ', ' ', '-', '\n', '\0', 'x'.repeat(40),
    'é'.repeat(33), '가'.repeat(65), '😀𝒳'.repeat(20),
  ];
  const numbers = new WordNumbers();
  for (let i = 0; i < 3000; i++) {
    const kinds = i % 3 === 0 ? 3 : pieces.length;
    const parts = Array.from({ length: draws.uint32(i, 99) % 12 }, (_, at) => pieces[draws.uint32(i, at) % kinds]);
    const text = parts.join('');
    expect(visited(numbers, text), JSON.stringify(text)).toEqual(expected(text));
  }
  expect(new Set(numbers.words).size).toBe(numbers.words.length);
});

test('of texts longer than any before', () => {
  const numbers = new WordNumbers();
  for (const text of ['short', 'long and '.repeat(100_000), 'größer '.repeat(100_000), 'y'.repeat(1 << 20)])
    expect(visited(numbers, text)).toEqual(expected(text));
});

test('of words whose hashes begin alike, and of many words', () => {
  const hash = (word: string): number =>
    [...Buffer.from(word)].reduce((value, byte) => Math.imul(value ^ byte, 0x01000193), 0x811c9dc5);
  const all = Array.from({ length: 200_000 }, (_, i) => `w${i.toString(36)}`);
  const colliding = all.filter((word) => (hash(word) & 4095) === 7);
  expect(colliding.length).toBeGreaterThan(32);
  const numbers = new WordNumbers();
  for (const words of [colliding, colliding, all, colliding]) expect(visited(numbers, words.join(' '))).toEqual(words);
  expect(new Set(numbers.words)).toEqual(new Set(all));
  expect(numbers.words).toHaveLength(all.length);
});

test('until the visit ends', () => {
  for (const text of ['a b c', 'ä b c']) {
    let count = 0;
    new WordNumbers().visit(text, () => ++count < 2);
    expect(count).toBe(2);
  }
});
