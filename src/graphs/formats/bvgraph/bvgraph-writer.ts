import type { FileHandle } from 'node:fs/promises';
import type { WebGraph } from '../../graph/index.ts';
import { assert, InputError } from '../../../base/index.ts';
import { BitWriter } from './bit-writer.ts';
import {
  DEFAULT_CODES, MAX_PAGES, propertiesText, rowCodes, type BvGraphCodes, type RowCodes,
} from './bvgraph-properties.ts';
import { codeOf, type Code } from './codes.ts';
import { writeAll, writeFiles } from '../../../base/files/index.ts';

/** The defaults are the framework's. */
export interface BvGraphOptions {
  /** How many pages back a list may refer; 0: none refers. */
  readonly windowSize?: number;
  /** Longest chain of references, which bounds the work of random access. */
  readonly maxRefCount?: number;
  /** Shortest run of successive pages that is written as an interval, at least 2; 0: none are. */
  readonly minIntervalLength?: number;
  /** Shrinking factor of zeta, modulus of golomb; 1 to 31. */
  readonly zetaK?: number;
  readonly codes?: Partial<BvGraphCodes>;
}

/** Bytes buffered before they are written. */
const BUFFER_BYTES = 1 << 20;

/**
 * Stores the links of a graph as the WebGraph framework's BVGraph: `basename.graph`, `.offsets` and `.properties`, the
 * properties last. The format stores nothing else: hosts, paths, sizes, seed pages and the order of a page's links are
 * dropped; links ascend. Each list uses the reference with the fewest bits within the window, the nearest of equals, as
 * the framework's own compression does.
 * Errors   as writeFiles; InputError for more pages than the format allows.
 * Cost     O(windowSize (n + m)); memory: the lists of one window.
 */
export async function writeBvGraph(graph: WebGraph, basename: string, options: BvGraphOptions = {}): Promise<void> {
  const { windowSize = 7, maxRefCount = 3, minIntervalLength = 4, zetaK = 3 } = options;
  const codes = { ...DEFAULT_CODES, ...options.codes };
  for (const count of [windowSize, maxRefCount, minIntervalLength]) {
    assert(Number.isInteger(count) && count >= 0, () => `${count} is not a count`);
  }
  assert(minIntervalLength !== 1, 'an interval must have at least two pages');
  assert(Number.isInteger(zetaK) && zetaK >= 1 && zetaK <= 31, () => `zetaK ${zetaK} is not within 1 to 31`);
  if (graph.pages > MAX_PAGES)
    throw new InputError(`${graph.name}: has ${graph.pages} pages; a BVGraph may have at most ${MAX_PAGES}`);
  const properties = { nodes: graph.pages, arcs: graph.arcs, windowSize, minIntervalLength, zetaK, codes };
  const paths = ['graph', 'offsets', 'properties'].map((ending) => `${basename}.${ending}`);
  await writeFiles(paths, async ([graphFile, offsetsFile, propertiesFile]) => {
    const bits = await writeRows(
      graph, new RowCoder({ windowSize, maxRefCount, minIntervalLength, zetaK, codes }), graphFile, offsetsFile,
    );
    await writeAll(propertiesFile, new TextEncoder().encode(propertiesText(properties, maxRefCount, bits)));
  });
}

/** Writes all lists and their offsets; returns the bits of the lists. */
async function writeRows(
  graph: WebGraph, coder: RowCoder, graphFile: FileHandle, offsetsFile: FileHandle,
): Promise<number> {
  const rows = new BitWriter();
  const offsets = new BitWriter();
  let offset = 0;
  for (let page = 0; page < graph.pages; page++) {
    coder.offsets.encode(rows.length - offset, offsets);
    offset = rows.length;
    coder.encode(page, ascendingLinks(graph, page), rows);
    if (rows.heldBytes > BUFFER_BYTES) await writeAll(graphFile, rows.takeWhole());
    if (offsets.heldBytes > BUFFER_BYTES) await writeAll(offsetsFile, offsets.takeWhole());
  }
  coder.offsets.encode(rows.length - offset, offsets);
  await writeAll(graphFile, rows.takeAll());
  await writeAll(offsetsFile, offsets.takeAll());
  return rows.length;
}

function ascendingLinks({ outOffsets, outTargets }: WebGraph, page: number): Uint32Array {
  return outTargets.slice(outOffsets[page], outOffsets[page + 1]).sort();
}

/** Numbers with their codes, and the number of bits that they take. */
class CodedNumbers {
  bits = 0;
  readonly #numbers: number[] = [];
  readonly #codes: Code[] = [];
  #count = 0;

  clear(): void {
    this.#count = 0;
    this.bits = 0;
  }

  add(code: Code, number: number): void {
    this.#codes[this.#count] = code;
    this.#numbers[this.#count++] = number;
    this.bits += code.bits(number);
  }

  writeTo(out: BitWriter): void {
    for (let i = 0; i < this.#count; i++) this.#codes[i].encode(this.#numbers[i], out);
  }
}

/** Codes successor lists one after the other; bvgraph-rows.ts describes the parts of a list. */
class RowCoder {
  readonly offsets: Code;
  readonly #options: Required<BvGraphOptions>;
  readonly #codes: RowCodes;
  /** The lists of the window, and the length of each one's chain of references, by page modulo windowSize + 1. */
  readonly #window: Uint32Array[] = [];
  readonly #chain: number[] = [];
  #best = new CodedNumbers();
  #trial = new CodedNumbers();

  constructor(options: Required<BvGraphOptions> & { readonly codes: BvGraphCodes }) {
    const { codes, zetaK } = options;
    this.#options = options;
    this.offsets = codeOf(codes.OFFSETS, zetaK);
    this.#codes = rowCodes(options);
  }

  /** Appends the list of `page`, ascending; pages come in order. */
  encode(page: number, links: Uint32Array, out: BitWriter): void {
    const { windowSize, maxRefCount } = this.#options;
    const slot = page % (windowSize + 1);
    this.#window[slot] = links;
    this.#chain[slot] = 0;
    this.#codes.degrees.encode(links.length, out);
    if (links.length === 0) return;
    this.#describe(this.#best, page, links, 0);
    for (let reference = 1; reference <= Math.min(windowSize, page); reference++) {
      const from = (page - reference) % (windowSize + 1);
      if (this.#window[from].length === 0 || this.#chain[from] >= maxRefCount) continue;
      this.#describe(this.#trial, page, links, reference);
      if (this.#trial.bits >= this.#best.bits) continue;
      [this.#best, this.#trial] = [this.#trial, this.#best];
      this.#chain[slot] = this.#chain[from] + 1;
    }
    this.#best.writeTo(out);
  }

  /** Codes a list without its degree, relative to the list `reference` pages before. */
  #describe(into: CodedNumbers, page: number, links: Uint32Array, reference: number): void {
    const { windowSize, minIntervalLength } = this.#options;
    const { gamma, references, blockCounts, blocks, residuals: residualCode } = this.#codes;
    into.clear();
    if (windowSize > 0) into.add(references, reference);
    let extras: ArrayLike<number> = links;
    if (reference > 0) {
      const { runs, others } = copyRuns(this.#window[(page - reference) % (windowSize + 1)], links);
      // The last run is implied; only the first may be empty.
      into.add(blockCounts, runs.length - 1);
      for (let run = 0; run < runs.length - 1; run++) into.add(blocks, runs[run] - (run === 0 ? 0 : 1));
      extras = others;
    }
    if (extras.length === 0) return;
    if (minIntervalLength > 0) {
      const { intervals, residuals } = intervalsOf(extras, minIntervalLength);
      into.add(gamma, intervals.length / 2);
      for (let i = 0; i < intervals.length; i += 2) {
        into.add(gamma, i === 0 ? naturalOf(intervals[i] - page) : intervals[i] - intervals[i - 1] - 1);
        into.add(gamma, intervals[i + 1] - intervals[i] - minIntervalLength);
      }
      extras = residuals;
    }
    for (let i = 0; i < extras.length; i++) {
      into.add(residualCode, i === 0 ? naturalOf(extras[i] - page) : extras[i] - extras[i - 1] - 1);
    }
  }
}

/**
 * The lengths of the runs of `reference` that are in `links` and not in them, alternating, and the links outside it.
 */
function copyRuns(reference: Uint32Array, links: Uint32Array): { runs: number[]; others: number[] } {
  const runs = [0];
  const others: number[] = [];
  let next = 0;
  for (const target of reference) {
    while (next < links.length && links[next] < target) others.push(links[next++]);
    const copied = links[next] === target; // False, too, after the last link.
    if (copied) next++;
    if (copied === (runs.length % 2 === 1)) runs[runs.length - 1]++;
    else runs.push(1);
  }
  while (next < links.length) others.push(links[next++]);
  return { runs, others };
}

/** Runs of at least `shortest` successive numbers, as start and end alternating, and the numbers outside them. */
function intervalsOf(ascending: ArrayLike<number>, shortest: number): { intervals: number[]; residuals: number[] } {
  const intervals: number[] = [];
  const residuals: number[] = [];
  for (let i = 0; i < ascending.length; ) {
    let end = i + 1;
    while (end < ascending.length && ascending[end] === ascending[end - 1] + 1) end++;
    if (end - i >= shortest) intervals.push(ascending[i], ascending[end - 1] + 1);
    else for (let j = i; j < end; j++) residuals.push(ascending[j]);
    i = end;
  }
  return { intervals, residuals };
}

/** 0 1 2 3 4 from 0 -1 1 -2 2. */
function naturalOf(integer: number): number {
  return integer >= 0 ? 2 * integer : -2 * integer - 1;
}
