import { sharedUint32 } from '../../graph/index.ts';
import { grown, InputError } from '../../../base/index.ts';
import type { BitReader } from './bit-reader.ts';
import type { BvGraphKernel } from './bvgraph-kernel.ts';
import { rowCodes, type BvGraphProperties, type RowCodes } from './bvgraph-properties.ts';

/** Above every page id, and small enough to be compared as a 32-bit integer. */
const NO_PAGE = 0x7fffffff;

/** Arcs per byte of the file for which memory is allocated at once; for more it grows. */
const TRUSTED_ARCS_PER_BYTE = 64;

/**
 * Lists decoded here after the kernel has left a list: enough that returning to it, which copies lists, costs little.
 */
const LISTS_WITHOUT_KERNEL = 1024;

/**
 * Decodes the successor lists of a BVGraph in their order, into compressed sparse rows. A list consists of, all coded:
 *
 *     degree
 *     reference r           if the window is not 0: this list refers to the list of page - r; 0: to none
 *       blocks              count, then lengths: copy, skip, copy, ... of that list; the last is implied
 *     intervals             count, then (start, length) of runs of successive pages
 *     residuals             the rest, as gaps
 *
 * Lists can only refer to earlier ones, which are in the rows, so no separate window of them is needed. What is not
 * copied is decoded into the end of its row, and copies are merged into it from the front: there are always as many
 * free places as copies to come. The kernel does the same for the default codes in half the time; this class is its
 * twin, and takes over what the kernel leaves.
 *
 * Cost     O(n + m + bits); memory: the rows, and the longest list of blocks or intervals.
 * Errors   through bits.fail. Every count is checked before it is used, so damaged bits cost no more than valid ones.
 */
export class BvGraphRows {
  readonly outOffsets: Uint32Array;
  /** Grows towards `properties.arcs` if these seem too many for the size of the file. */
  outTargets: Uint32Array;
  /** The page whose list is being decoded. */
  page = 0;
  readonly #bits: BitReader;
  readonly #properties: BvGraphProperties;
  readonly #kernel: BvGraphKernel | undefined;
  readonly #codes: RowCodes;
  /** Ends of copied and skipped blocks alternating, as positions in outTargets. */
  #blockEnds = new Uint32Array(64);
  #blockCount = 0;
  /** Start and end of each interval. */
  #intervals = new Uint32Array(64);

  /**
   * @param kernel prepared for the graph, with the buffer of `bits`; decodes what it can, with the same result and
   * errors.
   */
  constructor(bits: BitReader, properties: BvGraphProperties, kernel?: BvGraphKernel) {
    this.#bits = bits;
    this.#properties = properties;
    this.#kernel = kernel;
    const { nodes, arcs } = properties;
    this.#codes = rowCodes(properties);
    this.outOffsets = sharedUint32(nodes + 1);
    this.outTargets = sharedUint32(Math.min(arcs, (bits.length / 8) * TRUSTED_ARCS_PER_BYTE));
  }

  /** Decodes all lists; the caller compares the number of arcs with the properties. */
  decode(): void {
    const { nodes } = this.#properties;
    while (this.page < nodes) {
      if (this.#kernel !== undefined && this.#decodeByKernel(this.#kernel)) continue;
      const end = this.#kernel === undefined ? nodes : Math.min(nodes, this.page + LISTS_WITHOUT_KERNEL);
      for (; this.page < end; this.page++) this.#decodeRow(this.page);
    }
  }

  /** Decodes as many lists as the kernel can at once; false if it leaves the next one. */
  #decodeByKernel(kernel: BvGraphKernel): boolean {
    this.#bits.refill();
    const start = this.outOffsets[this.page];
    const { offsets, targets } = kernel.decode(
      this.#bits, this.outOffsets, this.outTargets, this.page, this.#properties.arcs - start,
    );
    const end = start + targets.length;
    if (end > this.outTargets.length) this.#grow(end);
    this.outOffsets.set(offsets, this.page);
    this.outTargets.set(targets, start);
    this.page += offsets.length - 1;
    return offsets.length > 1;
  }

  #decodeRow(page: number): void {
    const bits = this.#bits;
    const { nodes, arcs, windowSize } = this.#properties;
    const start = this.outOffsets[page];
    const degree = bits.read(this.#codes.degrees);
    const end = start + degree;
    if (degree > nodes) bits.fail(`has ${degree} successors, more than there are pages`);
    if (end > arcs) bits.fail(`has ${degree} successors, which makes more arcs than the ${arcs} of the properties`);
    this.outOffsets[page + 1] = end;
    if (degree === 0) return;
    if (end > this.outTargets.length) this.#grow(end);
    const reference = windowSize === 0 ? 0 : bits.read(this.#codes.references);
    const copied = reference === 0 ? 0 : this.#readBlocks(page, reference);
    if (copied > degree) bits.fail(`copies ${copied} successors, but has ${degree}`);
    if (copied < degree) this.#readExtras(page, start + copied, end);
    if (copied > 0) this.#mergeCopies(start, start + copied, end, this.outOffsets[page - reference]);
    // One check per row is enough: a code beyond the end read zeros, and was checked as usual.
    if (bits.ranOut) bits.fail('is truncated');
  }

  /** Reads the blocks of a list that refers to another; returns how many successors are copied. */
  #readBlocks(page: number, reference: number): number {
    const bits = this.#bits;
    const { blocks, blockCounts } = this.#codes;
    if (reference > this.#properties.windowSize) {
      bits.fail(`refers ${reference} pages back, but the window is ${this.#properties.windowSize}`);
    }
    if (reference > page) bits.fail(`refers ${reference} pages back, to before page 0`);
    const from = this.outOffsets[page - reference];
    const to = this.outOffsets[page - reference + 1];
    const count = bits.read(blockCounts);
    if (count > to - from + 1) bits.fail(`has ${count} blocks of a list of ${to - from} successors`);
    if (count + 2 > this.#blockEnds.length) this.#blockEnds = grown(this.#blockEnds, count + 2);
    const ends = this.#blockEnds;
    let copied = 0;
    let at = from;
    for (let block = 0; block < count; block++) {
      const length = bits.read(blocks) + (block === 0 ? 0 : 1);
      at += length;
      if (at > to) bits.fail(`has blocks that pass the end of a list of ${to - from} successors`);
      ends[block] = at;
      if ((block & 1) === 0) copied += length;
    }
    this.#blockCount = count;
    if ((count & 1) === 0) {
      ends[this.#blockCount++] = to;
      copied += to - at;
    }
    return copied;
  }

  /** Decodes intervals and residuals, `to - from` successors in all, ascending into outTargets[from ... to). */
  #readExtras(page: number, from: number, to: number): void {
    const bits = this.#bits;
    const { gamma, residuals: residualCode } = this.#codes;
    const { nodes, minIntervalLength } = this.#properties;
    const targets = this.outTargets;
    const intervalCount = minIntervalLength === 0 ? 0 : bits.read(gamma);
    let residuals = intervalCount === 0 ? to - from : this.#readIntervals(page, intervalCount, to - from);
    let residual = residuals === 0 ? 0 : page + integerOf(bits.read(residualCode));
    if (residual < 0) bits.fail('has a residual before page 0');
    let at = from;
    for (let interval = 0; interval < intervalCount; interval++) {
      const start = this.#intervals[2 * interval];
      const end = this.#intervals[2 * interval + 1];
      while (residuals > 0 && residual < start) {
        targets[at++] = residual;
        if (--residuals > 0) residual += bits.read(residualCode) + 1;
      }
      if (residuals > 0 && residual < end) bits.fail(`has page ${residual} as a residual and in an interval`);
      for (let target = start; target < end; target++) targets[at++] = target;
    }
    if (residuals > 0) targets[at++] = residual;
    while (at < to) {
      residual += bits.read(residualCode) + 1;
      targets[at++] = residual;
    }
    if (residual >= nodes) bits.fail(`has page ${residual} as a residual, which is not below ${nodes}`);
  }

  /** Reads the intervals of a list; returns how many of its `successors` they leave to the residuals. */
  #readIntervals(page: number, count: number, successors: number): number {
    const bits = this.#bits;
    const { gamma } = this.#codes;
    const { nodes, minIntervalLength } = this.#properties;
    if (count > successors) bits.fail(`has ${count} intervals for ${successors} successors`);
    if (2 * count > this.#intervals.length) this.#intervals = grown(this.#intervals, 2 * count);
    const intervals = this.#intervals;
    let rest = successors;
    let end = 0;
    for (let interval = 0; interval < count; interval++) {
      const gap = bits.read(gamma);
      const start = interval === 0 ? page + integerOf(gap) : end + 1 + gap;
      const length = bits.read(gamma) + minIntervalLength;
      end = start + length;
      if (start < 0 || end > nodes)
        bits.fail(`has an interval from page ${start} to ${end - 1}, not within 0 to ${nodes - 1}`);
      if (length > rest) bits.fail(`has intervals of more than its ${successors} successors`);
      rest -= length;
      intervals[2 * interval] = start;
      intervals[2 * interval + 1] = end;
    }
    return rest;
  }

  /**
   * Merges the copied blocks of the list at `reference` with the extras at outTargets[extras ... end) into the row from
   * `start` on. Between writing and the next extra there are always as many places as copies to come.
   */
  #mergeCopies(start: number, extras: number, end: number, reference: number): void {
    const targets = this.outTargets;
    const ends = this.#blockEnds;
    const count = this.#blockCount;
    let at = start;
    let from = reference;
    let extra = extras < end ? targets[extras] : NO_PAGE;
    for (let block = 0; block < count; block += 2) {
      const to = ends[block];
      if (from === to || targets[to - 1] < extra) {
        while (from < to) targets[at++] = targets[from++];
      }
      while (from < to) {
        const target = targets[from++];
        while (extra < target) {
          targets[at++] = extra;
          extra = ++extras < end ? targets[extras] : NO_PAGE;
        }
        if (extra === target) this.#bits.fail(`has page ${target} both copied and among its own`);
        targets[at++] = target;
      }
      from = ends[block + 1];
    }
    // The remaining extras, above all copies, are already in place.
  }

  #grow(length: number): void {
    const larger = sharedUint32(Math.min(this.#properties.arcs, Math.max(length, 2 * this.outTargets.length)));
    larger.set(this.outTargets);
    this.outTargets = larger;
  }
}

/** The integer that the framework maps to a natural number: 0 -1 1 -2 2 from 0 1 2 3 4. */
function integerOf(natural: number): number {
  if (natural < 2 ** 31) return (natural >>> 1) ^ -(natural & 1);
  return natural % 2 === 0 ? natural / 2 : -(natural + 1) / 2;
}

/** Reports a graph for which there is no memory as an error of the input. */
export function tooLarge(error: unknown, file: string, { nodes, arcs }: BvGraphProperties): unknown {
  if (!(error instanceof RangeError)) return error;
  return new InputError(`${file}: has ${nodes} nodes and ${arcs} arcs, for which there is no memory`);
}
