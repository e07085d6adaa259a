import { readSync } from 'node:fs';
import { assert } from '../../../base/index.ts';

/** 256 KiB at a time: large enough for the system, small enough for the cache. */
export const BUFFER_WORDS = 1 << 16;
/** Words of zeros after the buffer, so that peeking at the next bits may cross its end. */
export const SLACK_WORDS = 8;

/** Bits by which a decoding table is indexed. */
export const TABLE_BITS = 12;

/** A code as used by the reader, see codes.ts. */
export interface Decoder {
  /** 16 value + length of the code with which the next TABLE_BITS bits begin; 0 if it is longer. */
  readonly table: Uint16Array;
  /** Reads one code of any length. */
  decode(bits: BitReader): number;
}

/**
 * The bits of an open file, the highest of each byte first, as the WebGraph framework counts them. Zeros follow the
 * end; reading a code there ends in `fail`. Memory: one buffer. A code in the table costs a load of two words and a
 * look-up.
 */
export class BitReader {
  /** Bits of the file. */
  readonly length: number;
  /** Throws an InputError with the error in the bits and its place. */
  readonly fail: (what: string) => never;
  readonly #fd: number;
  /** The bits as big-endian words, and SLACK_WORDS more. Signed, because shifts work on signed words. */
  readonly #words: Int32Array;
  /** Bit of the file at which the buffer begins. */
  #base = 0;
  /** Next bit, from the start of the buffer. */
  #at = 0;
  /** Bits in the buffer. */
  #filled = 0;
  /** Above this position the next 32 bits may be beyond the buffer. */
  #lastSafe = -1;

  /**
   * @param fd open for reading, at the start; the caller closes it.
   * @param words BUFFER_WORDS + SLACK_WORDS zeros to use as the buffer.
   */
  constructor(
    fd: number, lengthBytes: number, fail: (what: string) => never,
    words: Int32Array = new Int32Array(BUFFER_WORDS + SLACK_WORDS),
  ) {
    this.#fd = fd;
    this.#words = words;
    this.length = 8 * lengthBytes;
    this.fail = fail;
  }

  /** Bits read so far; more than `length` if it ran out. */
  get position(): number {
    return this.#base + this.#at;
  }

  /** Whether bits beyond the end were read. */
  get ranOut(): boolean {
    return this.#at > this.#filled;
  }

  /** Next bit, from the start of the buffer. */
  get at(): number {
    return this.#at;
  }

  /** Bits in the buffer, followed by zeros. */
  get filled(): number {
    return this.#filled;
  }

  read(code: Decoder): number {
    const entry = code.table[this.peek() >>> (32 - TABLE_BITS)];
    if (entry === 0) return code.decode(this);
    this.#at += entry & 15;
    return entry >>> 4;
  }

  /** The next `count` bits as a number, exact up to 53. */
  take(count: number): number {
    if (count === 0) return 0;
    if (count > 32) return this.take(count - 32) * 2 ** 32 + this.take(32);
    const value = this.peek() >>> (32 - count);
    this.#at += count;
    return value;
  }

  /** Zeros before the next one, which is taken with them. O(zeros / 32). */
  takeUnary(): number {
    for (let zeros = 0; ; zeros += 32) {
      const next = this.peek();
      if (next !== 0) {
        this.#at += Math.clz32(next) + 1;
        return zeros + Math.clz32(next);
      }
      this.#at += 32;
      if (this.ranOut) this.fail('is truncated');
    }
  }

  /** The next 32 bits, not taken, as a signed integer. */
  peek(): number {
    if (this.#at > this.#lastSafe) this.refill();
    const word = this.#at >>> 5;
    const shift = this.#at & 31;
    // Two steps, because a shift by 32 is a shift by 0.
    return (this.#words[word] << shift) | (this.#words[word + 1] >>> 1 >>> (31 - shift));
  }

  /** Skips bits that were peeked at: as many as the buffer has, and up to 32 beyond. */
  skip(count: number): void {
    this.#at += count;
  }

  /** Moves the rest to the front of the buffer and fills up the buffer. */
  refill(): void {
    if (this.#base + this.#filled >= this.length) {
      // Everything is in the buffer. Zeros follow: the slack, then reads beyond the typed array.
      this.#lastSafe = 0x7fffffff;
      return;
    }
    const words = this.#words;
    const first = this.#at >>> 5;
    const remaining = (this.#filled >>> 5) - first;
    words.copyWithin(0, first, first + remaining);
    this.#base += 32 * first;
    this.#at -= 32 * first;
    const bytes = Buffer.from(words.buffer, words.byteOffset + 4 * remaining, 4 * (BUFFER_WORDS - remaining));
    let bytesRead = 0;
    while (bytesRead < bytes.length) {
      const count = readSync(this.#fd, bytes, bytesRead, bytes.length - bytesRead, null);
      if (count === 0) break;
      bytesRead += count;
    }
    bytes.fill(0, bytesRead);
    bytes.swap32();
    this.#filled = 32 * remaining + 8 * bytesRead;
    this.#lastSafe = this.#filled - 32;
    // A file that shrinks while it is read is refused.
    if (bytesRead < bytes.length && this.#base + this.#filled < this.length) this.fail('shrank while it was read');
    assert(this.#at >= 0, 'the next bit must be in the buffer');
    if (this.#at > this.#lastSafe) this.refill();
  }
}
