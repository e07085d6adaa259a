import { isAscii, MAX_WORD_CHARS, wordsOf } from './fold.ts';

/** Words that collide more often, as in hostile texts, are in a map, whose hashes nobody can know. */
const MAX_PROBES = 16;

/**
 * Numbers the words of texts, as `wordsOf` finds them, in the order of their first occurrence. It makes no string per
 * word, and is several times as fast.
 */
export class WordNumbers {
  /** Distinct, by number. */
  readonly words: string[] = [];
  /** Words by number, in UTF-8. */
  readonly #spellings: Buffer[] = [];
  readonly #hashes: number[] = [];
  /** Numbers plus one, by hash; at most half of it is taken. */
  #slots = new Int32Array(1 << 12);
  readonly #colliding = new Map<string, number>();
  /** The text that is visited, in UTF-8 and lower case. */
  #text = Buffer.alloc(1 << 12);

  /**
   * Visits all words of a text, in order.
   *
   * @param visit - called with the number of each word, or -1 if it has more than MAX_WORD_CHARS; false ends the visit.
   */
  visit(text: string, visit: (number: number) => boolean): void {
    const folded = isAscii(text) ? text : wordsOf(text).join(' ');
    const maxBytes = 3 * folded.length + 1;
    if (this.#text.length < maxBytes) this.#text = Buffer.alloc(maxBytes);
    const bytes = this.#text;
    const end = bytes.write(`${folded} `);
    let [start, hash] = [-1, NO_HASH];
    for (let at = 0; at < end; at++) {
      let byte = bytes[at];
      if (byte >= 0x41 && byte <= 0x5a) bytes[at] = byte |= 0x20;
      if (byte >= 0x61 && byte <= 0x7a || byte >= 0x30 && byte <= 0x39 || byte >= 0x80) {
        if (start < 0) start = at;
        hash = Math.imul(hash ^ byte, 0x01000193);
      } else if (start >= 0) {
        if (!visit(this.#numberOf(bytes, start, at, hash))) return;
        start = -1;
        hash = NO_HASH;
      }
    }
  }

  #numberOf(bytes: Buffer, start: number, end: number, hash: number): number {
    if (end - start > MAX_WORD_CHARS && bytes.toString('utf8', start, end).length > MAX_WORD_CHARS) return -1;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const number = this.#slots[hash + probe & this.#slots.length - 1] - 1;
      if (number < 0) return this.#added(bytes.toString('utf8', start, end), hash);
      if (this.#hashes[number] === hash && isWord(this.#spellings[number], bytes, start, end)) return number;
    }
    const word = bytes.toString('utf8', start, end);
    return this.#colliding.get(word) ?? this.#added(word, hash);
  }

  #added(word: string, hash: number): number {
    const number = this.words.push(word) - 1;
    this.#hashes.push(hash);
    this.#spellings.push(Buffer.from(word));
    if (2 * this.words.length > this.#slots.length) {
      this.#slots = new Int32Array(2 * this.#slots.length);
      this.#colliding.clear();
      for (let each = 0; each < number; each++) this.#place(each);
    }
    this.#place(number);
    return number;
  }

  #place(number: number): void {
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = this.#hashes[number] + probe & this.#slots.length - 1;
      if (this.#slots[slot] > 0) continue;
      this.#slots[slot] = number + 1;
      return;
    }
    this.#colliding.set(this.words[number], number);
  }
}

/** Of FNV-1a, 32 bits, before the first byte. */
const NO_HASH = 0x811c9dc5;

function isWord(word: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = 0; at < word.length; at++) if (word[at] !== bytes[start + at]) return false;
  return true;
}
