import { expect, test } from 'vitest';
import { shareOf } from '../../../src/search/store/link-words.ts';

// Goal: shares of a vocabulary are alike, whatever its words are like, so that each of them is small.

const vocabularies: readonly (readonly [string, readonly string[]])[] = [
  ['short words', Array.from({ length: 6400 }, (_, i) => i.toString(36))],
  ['words that end alike', Array.from({ length: 6400 }, (_, i) => `${i.toString(36)}ing`)],
  ['words that begin alike', Array.from({ length: 6400 }, (_, i) => `https${i}`)],
  ['letters of other scripts', Array.from({ length: 6400 }, (_, i) => String.fromCodePoint(0x4e00 + i))],
];

test.each(vocabularies)('%s', (_, words) => {
  for (const shares of [1, 2, 8, 64]) {
    const counts = new Array<number>(shares).fill(0);
    for (const word of words) counts[shareOf(word, shares)]++;
    const mean = words.length / shares;
    // 5 standard deviations of a random share.
    expect(Math.max(...counts.map((count) => Math.abs(count - mean)))).toBeLessThan(5 * Math.sqrt(mean));
    // Each is in a half of its share of half as many.
    for (const word of words) expect(Math.floor(shareOf(word, 2 * shares) / 2)).toBe(shareOf(word, shares));
  }
});
