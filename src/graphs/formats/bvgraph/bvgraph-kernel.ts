import { assert, kernelModule } from '../../../base/index.ts';
import { BUFFER_WORDS, SLACK_WORDS, type BitReader } from './bit-reader.ts';
import type { BvGraphProperties } from './bvgraph-properties.ts';

/** The exports of bvgraph-kernel.as.ts. */
interface Exports extends Readonly<Record<Constant | 'position', { readonly value: number }>> {
  readonly memory: WebAssembly.Memory;
  setUp(nodes: number, windowSize: number, minIntervalLength: number, zetaK: number): void;
  decode(at: number, filled: number, first: number, page: number, count: number, room: number): number;
}

type Constant =
  'bitWords' | 'slackWords' | 'maxPages' | 'maxTargets' | 'bits' | 'offsets' | 'targets' | 'memoryBytes';

/**
 * Decodes lists in WebAssembly, tens of thousands at a time: lists that they may refer to are copied in, and the caller
 * copies the decoded ones out. Works on one graph at a time; each thread needs its own, of 3 MiB.
 */
export class BvGraphKernel {
  /** Buffer for a BitReader, from which the lists are decoded. */
  readonly words: Int32Array;
  readonly #exports: Exports;
  readonly #maxPages: number;
  readonly #maxTargets: number;
  /** Offsets of the lists in memory, and their targets. */
  readonly #offsets: Uint32Array;
  readonly #targets: Uint32Array;
  #windowSize = 0;

  constructor() {
    this.#exports = new WebAssembly.Instance(kernelModule('graphs/formats/bvgraph/bvgraph-kernel'))
      .exports as unknown as Exports;
    const { memory, bitWords, slackWords, maxPages, maxTargets, bits, offsets, targets, memoryBytes } = this.#exports;
    assert(
      bitWords.value === BUFFER_WORDS && slackWords.value === SLACK_WORDS,
      'the kernel must have the buffer of a BitReader',
    );
    assert(memoryBytes.value <= memory.buffer.byteLength, 'the memory must be large enough for the kernel');
    this.words = new Int32Array(memory.buffer, bits.value, BUFFER_WORDS + SLACK_WORDS);
    this.#maxPages = maxPages.value;
    this.#maxTargets = maxTargets.value;
    this.#offsets = new Uint32Array(memory.buffer, offsets.value, maxPages.value + 1);
    this.#targets = new Uint32Array(memory.buffer, targets.value, maxTargets.value);
  }

  /** Prepares for a graph. */
  setUp({ nodes, windowSize, minIntervalLength, codes, zetaK }: BvGraphProperties): void {
    this.words.fill(0);
    this.#windowSize = windowSize;
    // Gamma is zeta 1.
    this.#exports.setUp(nodes, windowSize, minIntervalLength, codes.RESIDUALS === 'GAMMA' ? 1 : zetaK);
  }

  /**
   * Decodes lists from `page` on, as many as the buffer's bits and the memory allow, and consumes their bits.
   * @param arcsLeft maximum number of links of the lists together.
   * @returns views, valid until the next call: the offsets of the lists, one more than there are lists, and their
   * targets. No list if the first is invalid, ends beyond the buffer, is too long for the memory, or refers to such a
   * list.
   */
  decode(
    bits: BitReader, outOffsets: Uint32Array, outTargets: Uint32Array, page: number, arcsLeft: number,
  ): { offsets: Uint32Array; targets: Uint32Array } {
    const nodes = outOffsets.length - 1;
    const start = outOffsets[page];
    // Half of the memory for lists that are referred to, half for new ones.
    const earliest = Math.max(0, page - Math.min(this.#windowSize, this.#maxPages / 2));
    let first = page;
    while (first > earliest && start - outOffsets[first - 1] <= this.#maxTargets / 2) first--;
    const base = outOffsets[first];
    const window = page - first;
    this.#offsets.set(outOffsets.subarray(first, page + 1));
    this.#targets.set(outTargets.subarray(base, start));
    const count = Math.min(nodes - page, this.#maxPages - window);
    const room = Math.min(this.#maxTargets, start - base + arcsLeft);
    const lists = this.#exports.decode(bits.at, bits.filled, first, page, count, room);
    bits.skip(this.#exports.position.value - bits.at);
    const offsets = this.#offsets.subarray(window, window + lists + 1);
    return { offsets, targets: this.#targets.subarray(start - base, offsets[lists] - base) };
  }
}

let ofThread: BvGraphKernel | undefined;

/**
 * The thread's kernel, prepared for a graph; undefined unless all its codes are the defaults, or gamma for residuals.
 */
export function kernelFor(properties: BvGraphProperties): BvGraphKernel | undefined {
  const { OUTDEGREES, REFERENCES, BLOCK_COUNT, BLOCKS, RESIDUALS } = properties.codes;
  if (OUTDEGREES !== 'GAMMA' || REFERENCES !== 'UNARY' || BLOCK_COUNT !== 'GAMMA' || BLOCKS !== 'GAMMA')
    return undefined;
  if (RESIDUALS !== 'ZETA' && RESIDUALS !== 'GAMMA') return undefined;
  ofThread ??= new BvGraphKernel();
  ofThread.setUp(properties);
  return ofThread;
}
