import { InputError, WorldError } from '../../../base/index.ts';

const WASM_PAGE_BYTES = 65536;
/** A kernel's addresses have 32 bits; one page less, so that none overflows. */
const maxBytes = 65535 * WASM_PAGE_BYTES;

/** Places arrays in the memory of a kernel: one after the other, each at a multiple of 16 bytes. */
export class KernelLayout {
  /** What the compiler places ends long before: the kernels here have 32 bytes of constants at 1024. */
  #bytes = 4096;

  /** The address of the next array. */
  place(bytes: number): number {
    const at = this.#bytes;
    this.#bytes += Math.ceil(bytes / 16) * 16;
    return at;
  }

  /**
   * The memory, all zero, with room for all arrays placed so far.
   * @param what - names it in errors.
   * @throws InputError if it can never be had; WorldError if it cannot now.
   * @internal
   */
  memory(what: string): WebAssembly.Memory {
    if (this.#bytes > maxBytes)
      throw new InputError(`${what} takes ${this.#bytes} bytes; a kernel can have ${maxBytes}`);
    const initial = Math.ceil(this.#bytes / WASM_PAGE_BYTES);
    try {
      return new WebAssembly.Memory({ initial, maximum: initial });
    } catch (cause) {
      throw new WorldError(`${what} takes ${this.#bytes} bytes, which cannot be had`, { cause });
    }
  }
}
