import { syntheticHosts } from '../hosts.ts';
import type { GraphRows } from '../web-graph.ts';
import { assert } from '../../../base/index.ts';
import { Draws } from './draws.ts';
import { sortRow } from './row.ts';

export interface KroneckerOptions {
  /** 2^scale pages; 1 to 28. */
  readonly scale: number;
  /** Arcs drawn per page; some of them are dropped. 2^scale x degree is at most largestArcs. */
  readonly degree: number;
  readonly seed: number;
  /** Called now and then with the number of arcs that have a source. */
  readonly onArcs?: ((arcs: number) => void) | undefined;
}

// Quadrants of the adjacency matrix: low to low ids, low to high, high to low, high to high.
const [a, b, c, d] = [0.57, 0.19, 0.19, 0.05];

const ARCS_A_REMARK = 2 ** 20;

/**
 * A Kronecker graph as in the GAP benchmarks (Beamer, Asanovic and Patterson, "The GAP benchmark suite", 2015), which
 * is R-MAT (Chakrabarti, Zhan and Faloutsos, SDM 2004) with Graph500's A = 0.57, B = C = 0.19: 2^scale x degree arcs,
 * each falling into a quadrant, and again within it, `scale` times over; then the ids are permuted. Self-loops and
 * duplicate arcs are dropped. Unlike there, arcs are directed.
 *
 * Arcs are independent: drawing all sources first, and then for each page the targets of its arcs given its bits, is
 * equivalent to drawing arc by arc. So rows are produced in the order of the ids without storing any arc.
 *
 * Rows    ascending.
 * Memory  12 bytes per page, whatever the number of arcs.
 * Cost    about 50 draws of 32 bits per arc: comparing 20 digits of random numbers with their probabilities sets all
 *         bits of an id at once.
 */
export function kronecker({ scale, degree, seed, onArcs }: KroneckerOptions): GraphRows {
  assert(Number.isInteger(scale) && scale >= 1 && scale <= 28, () => `scale ${scale} is not within 1 to 28`);
  const pages = 2 ** scale;
  const mask = pages - 1;
  const sourceBits = digits(c + d);
  const arcsOf = new Uint32Array(pages);
  const sources = new Draws(seed, 'kronecker sources');
  for (let arc = 0; arc < pages * degree; arc++) {
    arcsOf[setBits(sources, sourceBits) & mask]++;
    if (arc % ARCS_A_REMARK === 0) onArcs?.(arc);
  }
  const { newId, oldId } = permutation(pages, seed);
  return {
    name: `synthetic Kronecker graph, seed ${seed}`,
    pages,
    hosts: syntheticHosts(pages, seed),
    *rows() {
      const draws = new Draws(seed, 'kronecker targets');
      const [belowZero, belowOne] = [digits(b / (a + b)), digits(d / (c + d))];
      let row = new Uint32Array(64);
      for (let page = 0; page < pages; page++) {
        const source = oldId[page];
        const mentions = arcsOf[source];
        if (mentions > row.length) row = new Uint32Array(2 * mentions);
        for (let i = 0; i < mentions; i++) {
          const target = (~source & setBits(draws, belowZero)) | (source & setBits(draws, belowOne));
          row[i] = newId[target & mask];
        }
        yield row.subarray(0, distinct(row, mentions, page));
      }
    },
  };
}

/** The first 20 binary digits of a probability below 1, least significant first, without trailing zeros. */
function digits(probability: number): readonly boolean[] {
  const number = Math.round(probability * 2 ** 20);
  const all = Array.from({ length: 20 }, (_, i) => ((number >>> i) & 1) === 1);
  return all.slice(all.indexOf(true));
}

/**
 * 32 bits, each set with the probability that these digits express: by comparing the digits of a random number with
 * them, least significant first.
 */
function setBits(draws: Draws, probability: readonly boolean[]): number {
  let bits = 0;
  for (let i = 0; i < probability.length; i++) bits = probability[i] ? bits | draws.bits() : bits & draws.bits();
  return bits;
}

/** Sorts the row, drops the page itself and duplicates; returns how many targets are left. */
function distinct(row: Uint32Array, mentions: number, page: number): number {
  sortRow(row, mentions);
  let length = 0;
  for (let i = 0; i < mentions; i++) {
    if (row[i] !== page && (length === 0 || row[i] !== row[length - 1])) row[length++] = row[i];
  }
  return length;
}

/** A uniform permutation of the ids, and its inverse (Fisher and Yates). */
function permutation(pages: number, seed: number): { newId: Uint32Array; oldId: Uint32Array } {
  const draws = new Draws(seed, 'kronecker ids');
  const oldId = Uint32Array.from({ length: pages }, (_, page) => page);
  for (let last = pages - 1; last > 0; last--) {
    const other = draws.below(last + 1);
    [oldId[last], oldId[other]] = [oldId[other], oldId[last]];
  }
  const newId = new Uint32Array(pages);
  for (let page = 0; page < pages; page++) newId[oldId[page]] = page;
  return { newId, oldId };
}
