import { grown } from '../../../base/index.ts';

/** Appends bits, the highest of each byte first; whole bytes can be taken out at any time. */
export class BitWriter {
  /** Bits appended since the beginning. */
  length = 0;
  #bytes = new Uint8Array(64);
  /** Bits in `#bytes`; all after them are 0. */
  #held = 0;

  /** Appends the lowest `count` bits of a number below 2^count; count at most 53. */
  put(value: number, count: number): void {
    if (count > 24) {
      this.put(Math.floor(value / 2 ** 24), count - 24);
      this.put(value % 2 ** 24, 24);
      return;
    }
    this.#bytes = grown(this.#bytes, (this.#held >>> 3) + 4);
    for (let rest = count; rest > 0; ) {
      const room = 8 - (this.#held & 7);
      const bits = Math.min(room, rest);
      rest -= bits;
      this.#bytes[this.#held >>> 3] |= ((value >>> rest) & ((1 << bits) - 1)) << (room - bits);
      this.#held += bits;
    }
    this.length += count;
  }

  /** Appends `zeros` zeros and a one. */
  putUnary(zeros: number): void {
    for (let rest = zeros; rest > 0; rest -= 24) this.put(0, Math.min(rest, 24));
    this.put(1, 1);
  }

  /** Bytes in the buffer; the last one may be incomplete. */
  get heldBytes(): number {
    return (this.#held + 7) >>> 3;
  }

  /** Removes the whole bytes and returns a copy. */
  takeWhole(): Uint8Array {
    const whole = this.#held >>> 3;
    const bytes = this.#bytes.slice(0, whole);
    const rest = this.#bytes[whole] ?? 0;
    this.#bytes.fill(0, 0, whole + 1);
    this.#bytes[0] = rest;
    this.#held &= 7;
    return bytes;
  }

  /** Returns the rest of the buffer, the last byte padded with zeros; ends the writing. */
  takeAll(): Uint8Array {
    return this.#bytes.slice(0, this.heldBytes);
  }
}
