import { matchesWildcards, type Steps } from './wildcards.ts';

/** A rule in canonical spelling. */
export interface Rule {
  /** Matches whole paths; `*` matches any characters. */
  readonly pattern: string;
  /** The longest of several matching rules applies. */
  readonly length: number;
  readonly isAllowed: boolean;
}

/** The rank of a page that no rule matches: below the ranks of all rules, and allowed. */
const NO_RANK = 1;
const STAR = 0x2a;
const STEPS_A_RULE = 4;
/** Steps for recording the character sequences that end at an octet of the path. */
const STEPS_AN_OCTET = 2;
const BYTES_A_RULE = 80;

/**
 * Rules indexed by what they match. Of several that match a path the longest applies; of an Allow and a Disallow of
 * equal length, the Allow.
 *
 * Cost    O(octets of the rules), and a sort, to build. A check: a binary search over the rules without an inner star,
 *         however many there are. Of the others, those that rank above the match found are tried, the highest first:
 *         most contain three consecutive characters that the path lacks, the rest are matched in full. All of it is
 *         counted.
 * Memory  about `bytes`.
 */
export class RuleIndex {
  /** Approximate memory use of the rules; 0 if there are none. */
  readonly bytes: number;
  readonly #prefixes: PrefixTable;
  readonly #wholes = new Map<string, number>();
  /** Rules with inner stars, the highest rank first. */
  readonly #patterns: readonly string[];
  readonly #patternRanks: Int32Array;

  constructor(rules: Iterable<Rule>) {
    const prefixes = new Map<string, number>();
    const patterns = new Map<string, number>();
    let bytes = 0;
    for (const { pattern, length, isAllowed } of rules) {
      const rank = 2 * length + Number(isAllowed);
      const text = pattern.replace(/\*{2,}/g, '*');
      const star = text.indexOf('*');
      const [ofKind, key] = star < 0 ? [this.#wholes, text] as const
        : star === text.length - 1 ? [prefixes, text.slice(0, -1)] as const
        : [patterns, text] as const;
      const earlier = ofKind.get(key);
      if (earlier === undefined) bytes += BYTES_A_RULE + key.length;
      ofKind.set(key, Math.max(rank, earlier ?? 0));
    }
    this.bytes = bytes;
    this.#prefixes = new PrefixTable(prefixes);
    const ranked = [...patterns].sort(([, a], [, b]) => b - a);
    this.#patterns = ranked.map(([pattern]) => pattern);
    this.#patternRanks = Int32Array.from(ranked, ([, rank]) => rank);
  }

  /**
   * Whether the path may be fetched. If the step limit was exceeded, the result is meaningless.
   */
  allows(path: string, steps: Steps): boolean {
    const rank = Math.max(this.#wholes.get(path) ?? NO_RANK, this.#prefixes.rankOf(path, steps));
    return (this.#rankAbove(rank, path, steps) ?? rank) % 2 === 1;
  }

  /** The highest rank, above a given one, of a pattern that the path matches. */
  #rankAbove(rank: number, path: string, steps: Steps): number | undefined {
    const ranks = this.#patternRanks;
    if (ranks.length === 0 || ranks[0] <= rank) return undefined;
    const grams = new Grams(path, steps);
    for (let i = 0; i < ranks.length && ranks[i] > rank && steps.taken <= steps.most; i++) {
      if (grams.mayMatch(this.#patterns[i], steps) && matchesWildcards(this.#patterns[i], path, steps)) return ranks[i];
    }
    return undefined;
  }
}

/** Path prefixes, sorted, so that one search finds all prefixes of a path. */
class PrefixTable {
  readonly #prefixes: readonly string[];
  /** The longest other prefix that each begins with; -1 for none. */
  readonly #parents: Int32Array;
  /** The highest rank among each prefix and the prefixes that it begins with. */
  readonly #ranks: Int32Array;

  constructor(ranks: ReadonlyMap<string, number>) {
    this.#prefixes = [...ranks.keys()].sort();
    this.#parents = new Int32Array(ranks.size);
    this.#ranks = new Int32Array(ranks.size);
    this.#prefixes.forEach((prefix, i) => {
      let parent = i - 1;
      while (parent >= 0 && !prefix.startsWith(this.#prefixes[parent])) parent = this.#parents[parent];
      this.#parents[i] = parent;
      this.#ranks[i] = Math.max(ranks.get(prefix)!, parent < 0 ? NO_RANK : this.#ranks[parent]);
    });
  }

  /** The highest rank of the prefixes of the path. */
  rankOf(path: string, steps: Steps): number {
    const prefixes = this.#prefixes;
    let low = 0;
    let high = prefixes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (prefixes[middle] <= path) low = middle + 1;
      else high = middle;
    }
    // The last prefix not sorted after the path begins with every prefix of the path.
    let i = low - 1;
    if (i < 0) return NO_RANK;
    let shared = 0;
    const most = Math.min(path.length, prefixes[i].length);
    while (shared < most && prefixes[i].charCodeAt(shared) === path.charCodeAt(shared)) shared++;
    steps.taken += path.length;
    for (; i >= 0 && prefixes[i].length > shared; i = this.#parents[i]) steps.taken++;
    return i < 0 ? NO_RANK : this.#ranks[i];
  }
}

/** The sequences of one, two and three characters in a path, as far as 16 bits distinguish them. */
class Grams {
  readonly #has = new Uint8Array(1 << 16);

  constructor(path: string, steps: Steps) {
    let gram = 0;
    for (let at = 0; at < path.length; at++) {
      gram = ((gram << 7) | path.charCodeAt(at)) & 0x1fffff;
      this.#has[slot(gram & 0x7f)] = this.#has[slot(gram & 0x3fff)] = this.#has[slot(gram)] = 1;
    }
    steps.taken += STEPS_AN_OCTET * path.length;
  }

  /** False if the pattern has a part between two stars, or three characters of it, that the path lacks. */
  mayMatch(pattern: string, steps: Steps): boolean {
    const end = Math.min(pattern.length, steps.most - steps.taken);
    let gram = 0;
    let length = 0;
    let at = 0;
    let isThere = true;
    while (isThere && at < end) {
      const octet = pattern.charCodeAt(at++);
      if (octet === STAR) {
        isThere = length >= 3 || length === 0 || this.#has[slot(gram)] === 1;
        gram = length = 0;
      } else {
        gram = ((gram << 7) | octet) & 0x1fffff;
        isThere = ++length < 3 || this.#has[slot(gram)] === 1;
      }
    }
    steps.taken += at + STEPS_A_RULE;
    return isThere && (length === 0 || this.#has[slot(gram)] === 1);
  }
}

/** Three octets of ASCII in 16 bits. */
function slot(gram: number): number {
  return (gram ^ (gram >>> 5)) & 0xffff;
}
