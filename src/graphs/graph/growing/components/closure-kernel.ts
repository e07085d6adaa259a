import { kernelModule } from '../../../../base/index.ts';
import type { GrowingComponents } from '../contract.ts';
import { checkPairs } from '../distance-matrix.ts';
import { KernelLayout } from '../kernel-memory.ts';

/** What closure-kernel.as.ts exports. */
type Insert = (source: number, target: number) => void;
type Exports = Record<'insert8' | 'insert16' | 'insert32' | 'insert64' | 'insertPruned', Insert> & {
  setUp(
    pages: number, rows: number, rowBytes: number, labels: number, count: number, columns: number, list: number,
  ): void;
};

/** Bits that are read and written at a time. */
type BlockBits = 8 | 16 | 32 | 64 | 128;

/** Components by the closure, in the memory of a kernel of its own. */
export abstract class KernelClosure implements GrowingComponents {
  readonly pages: number;
  /** Bit m of row n is set if page n reaches page m. */
  protected readonly rows: Uint8Array;
  protected readonly rowBytes: number;
  protected readonly insert: Insert;
  /** By page the lowest page of its component. */
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
