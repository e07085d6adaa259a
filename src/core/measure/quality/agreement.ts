import { assert } from '../../../base/index.ts';

/** How far two scorings of the same pages agree. */
export interface Agreement {
  /** Kendall's tau-b: 1 = the same order, -1 = opposite orders; null if all pages tie in one of them. */
  readonly tauB: number | null;
  /** L1 distance of the two, each divided by its sum: 0 ... 2. */
  readonly l1: number;
  /** Pages that the two have in common among their first `pages`. */
  readonly top: readonly TopOverlap[];
}

export interface TopOverlap {
  readonly pages: number;
  readonly shared: number;
}

/**
 * Agreement of two scorings, one score >= 0 a page, greater being better.
 *
 * Tau-b     (C - D) / sqrt((n0 - n1)(n0 - n2)): C and D the pairs of pages in the same and in opposite order, n0 all
 *           pairs, n1 and n2 the pairs that tie in either list (Kendall, "The treatment of ties in ranking
 *           problems", Biometrika 33, 1945).
 * Ties      scores tie where their shares of the sum are equal as float32, 24 bits. Ranks come out of iterations, and
 *           their last digits are rounding: pages of equal rank would else be put in an order that nobody meant.
 * Top       the first 10, 100, 1,000, 1 % and 10 % of the pages, where there are so many; ties by page id in both.
 * Cost      O(n log n): one sort and one merge sort that counts exchanges (Knight, "A computer method for calculating
 *           Kendall's tau with ungrouped data", JASA 61, 1966). 48 bytes a page.
 * @throws AssertionError for a score that is negative or not finite, and for a list whose scores are all 0.
 */
export function agreement(first: Float64Array, other: Float64Array): Agreement {
  assert(first.length === other.length, () => `${first.length} scores beside ${other.length}`);
  const [a, b] = [shares(first), shares(other)];
  const [keysOfA, keysOfB] = [float32Bits(a), float32Bits(b)];
  let l1 = 0;
  for (let page = 0; page < a.length; page++) l1 += Math.abs(a[page] - b[page]);
  return { tauB: tauB(keysOfA, keysOfB), l1, top: topOverlaps(keysOfA, keysOfB) };
}

/** Tau-b of `agreement` alone, with its ties and errors. O(n log n), 40 bytes a page. */
export function kendallTauB(first: Float64Array, other: Float64Array): number | null {
  assert(first.length === other.length, () => `${first.length} scores beside ${other.length}`);
  return tauB(float32Bits(shares(first)), float32Bits(shares(other)));
}

function shares(scores: Float64Array): Float64Array {
  const sum = scores.reduce((total, score, page) => {
    assert(score >= 0 && score < Infinity, () => `the score of page ${page} is ${score}`);
    return total + score;
  }, 0);
  assert(sum > 0 && sum < Infinity, () => `the scores sum to ${sum}`);
  return scores.map((score) => score / sum);
}

/** Bits of the float32 next to each value >= 0: integers that order and tie as those do. */
function float32Bits(values: Float64Array): Uint32Array {
  return new Uint32Array(Float32Array.from(values).buffer);
}

const high = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Positions sorted by (major, minor), each pair the halves of a float64: positive floats order as their bits. */
function sortedPairs(major: Uint32Array, minor: Uint32Array): Uint32Array {
  const words = new Uint32Array(2 * major.length);
  for (let i = 0; i < major.length; i++) {
    words[2 * i + high] = major[i];
    words[2 * i + 1 - high] = minor[i];
  }
  new Float64Array(words.buffer).sort();
  return words;
}

function tauB(a: Uint32Array, b: Uint32Array): number | null {
  const n = a.length;
  const words = sortedPairs(a, b);
  const byA = Uint32Array.from(b, (_, i) => words[2 * i + high]);
  const bByA = Uint32Array.from(b, (_, i) => words[2 * i + 1 - high]);
  const all = pairsOf(n);
  const tiedInA = tiedPairs(n, (i) => byA[i] === byA[i - 1]);
  const tiedInBoth = tiedPairs(n, (i) => byA[i] === byA[i - 1] && bByA[i] === bByA[i - 1]);
  // Pages that tie in A stand in the order of B and need no exchange; pages that tie in B are not exchanged.
  const opposite = sortCountingExchanges(bByA);
  const tiedInB = tiedPairs(n, (i) => bByA[i] === bByA[i - 1]);
  if (tiedInA === all || tiedInB === all) return null;
  const same = all - tiedInA - tiedInB + tiedInBoth - opposite;
  return (same - opposite) / (Math.sqrt(all - tiedInA) * Math.sqrt(all - tiedInB));
}

const pairsOf = (count: number): number => (count * (count - 1)) / 2;

/** Pairs within runs of equal values of a sorted sequence; `ties` says whether place i equals the one before it. */
function tiedPairs(length: number, ties: (i: number) => boolean): number {
  let pairs = 0;
  let run = 1;
  for (let i = 1; i <= length; i++) {
    if (i < length && ties(i)) {
      run++;
    } else {
      pairs += pairsOf(run);
      run = 1;
    }
  }
  return pairs;
}

/** Sorts ascending by merging, and counts the exchanges of neighbours that it would have taken. */
export function sortCountingExchanges(values: Uint32Array): number {
  const n = values.length;
  let from = values;
  let to: Uint32Array = new Uint32Array(n);
  let exchanges = 0;
  for (let width = 1; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      const end = Math.min(middle + width, n);
      let low = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        if (low < middle && (right === end || from[low] <= from[right])) {
          to[at] = from[low++];
        } else {
          to[at] = from[right++];
          exchanges += middle - low;
        }
      }
    }
    [from, to] = [to, from];
  }
  if (from !== values) values.set(from);
  return exchanges;
}

function topOverlaps(a: Uint32Array, b: Uint32Array): TopOverlap[] {
  const n = a.length;
  const [placeInA, placeInB] = [places(a), places(b)];
  const counts = [10, 100, 1000, Math.round(n / 100), Math.round(n / 10)].filter((count) => count >= 1 && count <= n);
  return [...new Set(counts)].sort((x, y) => x - y).map((pages) => {
    let shared = 0;
    for (let page = 0; page < n; page++) if (placeInA[page] < pages && placeInB[page] < pages) shared++;
    return { pages, shared };
  });
}

/** Place of each page by falling key, from 0; ties by page id. */
function places(keys: Uint32Array): Uint32Array {
  const n = keys.length;
  const words = sortedPairs(keys, Uint32Array.from(keys, (_, page) => n - 1 - page));
  const place = new Uint32Array(n);
  for (let i = 0; i < n; i++) place[n - 1 - words[2 * i + 1 - high]] = n - 1 - i;
  return place;
}
