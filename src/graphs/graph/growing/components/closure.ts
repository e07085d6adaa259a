import { kernelModule } from '../../../../base/index.ts';
import { isArc, type GrowingComponents } from '../contract.ts';
import { checkPairs } from '../distance-matrix.ts';
import { KernelLayout } from '../kernel-memory.ts';

/** The exports of closure-kernel.as.ts. */
type Insert = (source: number, target: number) => void;
type Exports = Record<'insert8' | 'insert16' | 'insert32' | 'insert64' | 'insertPruned', Insert> & {
  setUp(
    pages: number, rows: number, rowBytes: number, labels: number, count: number, columns: number, list: number,
  ): void;
};

/** Bits that are read and written at a time. */
type BlockBits = 8 | 16 | 32 | 64 | 128;

/** Components by the closure, in the memory of a kernel. */
abstract class KernelClosure implements GrowingComponents {
  readonly pages: number;
  /** Bit m of row n is set if page n reaches page m. */
  protected readonly rows: Uint8Array;
  protected readonly rowBytes: number;
  protected readonly insert: Insert;
  /** The lowest page of each page's component. */
  readonly #labels: Uint32Array;
  readonly #count: Uint32Array;

  /** @throws InputError if there is too little memory; before anything is allocated. */
  constructor(pages: number, blockBits: BlockBits) {
    this.pages = pages;
    const rowBytes = Math.ceil(pages / blockBits) * (blockBits / 8);
    const isPruned = blockBits === 128;
    checkPairs('closure', pages, pages === 0 ? 0 : (isPruned ? 2 : 1) * rowBytes / pages);
    const layout = new KernelLayout();
    const [rows, labels, count] = [pages * rowBytes, 4 * pages, 4].map((bytes) => layout.place(bytes));
    const [columns, list] = isPruned ? [layout.place(pages * rowBytes), layout.place(rowBytes)] : [0, 0];
    const memory = layout.memory(`the closure of ${pages} pages`);
    const module = kernelModule('graphs/graph/growing/components/closure-kernel');
    const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
    kernel.setUp(pages, rows, rowBytes, labels, count, columns, list);
    this.rows = new Uint8Array(memory.buffer, rows, pages * rowBytes);
    this.rowBytes = rowBytes;
    this.insert = isPruned ? kernel.insertPruned : kernel[`insert${blockBits}`];
    this.#labels = new Uint32Array(memory.buffer, labels, pages);
    this.#count = new Uint32Array(memory.buffer, count, 1);
  }

  get count(): number {
    return this.#count[0];
  }

  componentOf(page: number): number {
    return this.#labels[page];
  }

  abstract addArc(source: number, target: number): void;

  update(): void {
    // Every arc updates the closure.
  }
}

/**
 * The closure, a row of bits per page with the pages that it reaches. After each arc (s, t), what t reaches is united
 * with the row of s, and the row of s with the row of every page that reaches s: `insertBlocks` in
 * `closure-kernel.as.ts`, in blocks of b bits. Pages that s reaches and that reach it become one component with it.
 *
 * Source  SPAWC, Algorithm 1 for components (figure 13), as printed: an arc between pages that reach each other already
 *         costs as much as any other.
 * Cost    O(n^2 / b) per arc, and O(n) per merge; n^2 / 8 bytes.
 */
export class BlockClosure extends KernelClosure {
  addArc(source: number, target: number): void {
    if (isArc(this.pages, source, target)) this.insert(source, target);
  }
}

/**
 * The closure, looking only at what an arc (s, t) can change: nothing if s reaches t already. Otherwise the pages that
 * reach s and not t begin to reach what t reaches. They are found a whole block at a time, because the closure is
 * stored twice: by the page that reaches, and by the page that is reached. `insertPruned` in `closure-kernel.as.ts`.
 *
 * Source  SPAWC, Algorithm 1 for components, pruned; section 5c of the review of its text. The second matrix is ours.
 * Cost    O(1) for most arcs; otherwise O(n / 64), and O(n / 128) per page that begins to reach t, and per page that s
 *         begins to reach: O(n^3 / 64) in all, whatever the number of arcs; n^2 / 4 bytes.
 */
export class PrunedClosure extends KernelClosure {
  constructor(pages: number) {
    super(pages, 128);
  }

  addArc(source: number, target: number): void {
    if (!isArc(this.pages, source, target)) return;
    // Most arcs end here, in less time than a call of the kernel takes.
    const block = this.rows[source * this.rowBytes + (target >>> 3)];
    if ((block >>> (target & 7) & 1) === 0) this.insert(source, target);
  }
}
