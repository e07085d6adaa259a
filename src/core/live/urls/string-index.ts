import { randomBytes } from 'node:crypto';
import { assert, grown } from '../../../base/index.ts';

const BLOCK_BYTES = 1 << 20;

/**
 * Numbers pairs of a tag (u32) and a string of ASCII characters without NUL 0, 1, 2, ... in the order in which they are
 * added: a hash table with open addressing, whose strings are stored end to end in blocks of 1 MiB. A Map holds at most
 * 2^24 entries, and takes some 200 bytes for each.
 *
 * Strings come from the network, and whoever chooses them must not be able to choose where they collide: they are
 * hashed with a key that is drawn at construction. Numbers do not depend on it.
 *
 * Memory  a pair costs its characters and 23 to 37 bytes.
 * Cost    O(length) expected to add or find; O(length) to read.
 */
export class StringIndex {
  readonly #key = randomBytes(8);
  readonly #blocks: Buffer[] = [];
  /** End of the used bytes, the blocks counted end to end. */
  #end = 0;
  #count = 0;
  /** Per pair: where its string begins, its tag, its hash. */
  #at = new Float64Array(16);
  #tags = new Uint32Array(16);
  #hashes = new Uint32Array(16);
  /** Number + 1 of the pair at this slot; 0 if empty. Length is a power of two, at most two thirds full. */
  #slots = new Uint32Array(32);

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    const arrays = [this.#at, this.#tags, this.#hashes, this.#slots];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#blocks.length * BLOCK_BYTES);
  }

  tagOf(number: number): number {
    return this.#tags[number];
  }

  stringOf(number: number): string {
    const block = this.#blocks[Math.floor(this.#at[number] / BLOCK_BYTES)];
    const begin = this.#at[number] % BLOCK_BYTES;
    return block.toString('latin1', begin, block.indexOf(0, begin));
  }

  find(tag: number, text: string): number {
    return this.#slots[this.#slotOf(tag, text, halfSipHash(this.#key, tag, text))] - 1;
  }

  /**
   * Number of a pair, which is added if it is new (then the number equals the previous count). At most BLOCK_BYTES - 1
   * characters.
   */
  add(tag: number, text: string): number {
    const hash = halfSipHash(this.#key, tag, text);
    const slot = this.#slotOf(tag, text, hash);
    if (this.#slots[slot] !== 0) return this.#slots[slot] - 1;
    assert(text.length < BLOCK_BYTES && this.#count < 2 ** 32 - 2, 'the string is too long, or there are too many');
    this.#at = grown(this.#at, this.#count + 1, 1.5);
    this.#tags = grown(this.#tags, this.#count + 1, 1.5);
    this.#hashes = grown(this.#hashes, this.#count + 1, 1.5);
    this.#at[this.#count] = this.#store(text);
    this.#tags[this.#count] = tag;
    this.#hashes[this.#count] = hash;
    this.#slots[slot] = ++this.#count;
    if (3 * this.#count > 2 * this.#slots.length) this.#rehash();
    return this.#count - 1;
  }

  /** Stores a string and returns where it begins; blocks are filled with zeros, which end the strings. */
  #store(text: string): number {
    const room = this.#blocks.length * BLOCK_BYTES - this.#end;
    if (text.length >= room) {
      this.#end += room;
      this.#blocks.push(Buffer.alloc(BLOCK_BYTES));
    }
    const begin = this.#end;
    this.#blocks[this.#blocks.length - 1].write(text, begin % BLOCK_BYTES, 'latin1');
    this.#end += text.length + 1;
    return begin;
  }

  /** The slot that holds the pair, or the empty slot where it would go. */
  #slotOf(tag: number, text: string, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot] - 1;
      if (number < 0 || (this.#hashes[number] === hash && this.#tags[number] === tag && this.#holds(number, text)))
        return slot;
    }
  }

  #holds(number: number, text: string): boolean {
    const block = this.#blocks[Math.floor(this.#at[number] / BLOCK_BYTES)];
    const begin = this.#at[number] % BLOCK_BYTES;
    for (let i = 0; i < text.length; i++) if (block[begin + i] !== text.charCodeAt(i)) return false;
    return block[begin + text.length] === 0;
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let number = 0; number < this.#count; number++) {
      let slot = this.#hashes[number] & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = number + 1;
    }
    this.#slots = slots;
  }
}

/**
 * HalfSipHash-1-3 of `tag` (four bytes, lowest first) and the bytes of `text`, to 32 bits: the hash of Linux's hash
 * tables. Source: J.-P. Aumasson, D. J. Bernstein, "SipHash: a fast short-input PRF", 2012, and the authors' own code
 * of the half variant.
 */
export function halfSipHash(key: Uint8Array, tag: number, text: string): number {
  const k0 = word(key[0], key[1], key[2], key[3]);
  const k1 = word(key[4], key[5], key[6], key[7]);
  let v0 = k0;
  let v1 = k1;
  let v2 = 0x6c796765 ^ k0;
  let v3 = 0x74656462 ^ k1;
  const whole = text.length & ~3;
  // The tag, the words of the text, the last of them with the length, and three rounds without a word.
  for (let i = -4; i <= whole + 12; i += 4) {
    let m = 0;
    if (i < 0) m = tag;
    else if (i < whole)
      m = word(text.charCodeAt(i), text.charCodeAt(i + 1), text.charCodeAt(i + 2), text.charCodeAt(i + 3));
    else if (i === whole) m = lastWord(text, whole);
    if (i === whole + 4) v2 ^= 0xff;
    v3 ^= m;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= m;
  }
  return (v1 ^ v3) >>> 0;
}

function word(a: number, b: number, c: number, d: number): number {
  return a | (b << 8) | (c << 16) | (d << 24);
}

/** The up to three remaining bytes, and above them the length of tag and text. */
function lastWord(text: string, at: number): number {
  let last = (text.length + 4) << 24;
  for (let i = at; i < text.length; i++) last |= text.charCodeAt(i) << (8 * (i - at));
  return last;
}
