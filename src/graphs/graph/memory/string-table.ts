import { sharedFloat64, sharedUint8 } from './shared-arrays.ts';

// A leading U+FEFF is part of the string, not a mark to drop.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Strings as UTF-8 bytes end to end, so that millions of them cost their bytes and can be shared between threads.
 * String i is bytes[offsets[i] ... offsets[i+1]).
 */
export class StringTable {
  /** count + 1 rising offsets into `bytes`. */
  readonly offsets: Float64Array;
  readonly bytes: Uint8Array;

  constructor(offsets: Float64Array, bytes: Uint8Array) {
    this.offsets = offsets;
    this.bytes = bytes;
  }

  /** Both arrays are in shared memory. */
  static from(strings: readonly string[]): StringTable {
    const offsets = sharedFloat64(strings.length + 1);
    for (let i = 0; i < strings.length; i++) offsets[i + 1] = offsets[i] + Buffer.byteLength(strings[i]);
    const bytes = sharedUint8(offsets[strings.length]);
    // Two passes through the same view: an array for each of millions of strings would cost more than the strings.
    const view = Buffer.from(bytes.buffer);
    for (let i = 0; i < strings.length; i++) view.write(strings[i], offsets[i]);
    return new StringTable(offsets, bytes);
  }

  get count(): number {
    return this.offsets.length - 1;
  }

  at(index: number): string {
    // Copied out because TextDecoder refuses views of shared memory.
    return decoder.decode(this.bytes.slice(this.offsets[index], this.offsets[index + 1]));
  }
}
