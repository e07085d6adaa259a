import { DrawStream } from '../../../base/index.ts';

const TWO_53 = 2 ** 53;

/**
 * Sequential draws, a billion and more from one seed: xoshiro128** 1.1, whose period is 2^128 - 1. A draw depends on
 * how many came before it; for draws that belong to a page, use DrawStream.
 * Source  Blackman and Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47(4), 2021.
 */
export class Draws {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** @param seed root seed, an integer in [0, 2^53). Names distinguish sequences of one seed. */
  constructor(seed: number, name: string) {
    const stream = new DrawStream(seed, name);
    // The state must not be all zeros; the last word ensures that.
    [this.#a, this.#b, this.#c, this.#d] = [
      stream.uint32(0) | 0, stream.uint32(1) | 0, stream.uint32(2) | 0, stream.uint32(3) | 1,
    ];
  }

  /** 32 random bits, as a signed integer. */
  bits(): number {
    const b = this.#b;
    let result = Math.imul(b, 5);
    result = Math.imul((result << 7) | (result >>> 25), 9);
    const c = this.#c ^ this.#a;
    const d = this.#d ^ b;
    this.#b = b ^ c;
    this.#a ^= d;
    this.#c = c ^ (b << 9);
    this.#d = (d << 11) | (d >>> 21);
    return result;
  }

  /** Uniform over 0 ... bound-1, from 53 bits. */
  below(bound: number): number {
    const high = this.bits() >>> 5;
    return Math.floor((((high * 2 ** 26) + (this.bits() >>> 6)) / TWO_53) * bound);
  }

  /** True with `probability`, to within 2^-32. */
  is(probability: number): boolean {
    return this.bits() >>> 0 < probability * 2 ** 32;
  }
}
