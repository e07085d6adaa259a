// Classes of bytes: digit, sign, point, e, blank or tab, comma, carriage return, any other.
const CLASSES = 8;
const classOf = new Uint8Array(256).fill(7);
for (const [kind, letters] of ['0123456789', '+-', '.', 'eE', ' \t', ',', '\r'].entries()) {
  for (const letter of letters) classOf[letter.charCodeAt(0)] = kind;
}

const REFUSED = 0;
const BETWEEN = 1;
const AFTER_COMMA = 2;
/** The next state, by state (row) and class of the byte (column). */
const byClass = Uint8Array.of(
  0, 0, 0, 0, 0, 0, 0, 0, // 0: refused
  4, 3, 5, 0, 1, 2, 10, 0, // 1: between columns
  4, 3, 5, 0, 2, 0, 0, 0, // 2: after a comma, so that a number must follow
  4, 0, 5, 0, 0, 0, 0, 0, // 3: sign
  4, 0, 6, 7, 1, 2, 10, 0, // 4: digits
  6, 0, 0, 0, 0, 0, 0, 0, // 5: point without digits before it
  6, 0, 0, 7, 1, 2, 10, 0, // 6: fraction, possibly empty
  9, 8, 0, 0, 0, 0, 0, 0, // 7: e
  9, 0, 0, 0, 0, 0, 0, 0, // 8: sign of the exponent
  9, 0, 0, 0, 1, 2, 10, 0, // 9: exponent
  0, 0, 0, 0, 10, 0, 10, 0, // 10: after a carriage return
);
/** The same by byte: 256 times the state, plus the byte. */
const next = Uint8Array.from({ length: 11 * 256 }, (_, at) => byClass[(at >>> 8) * CLASSES + classOf[at & 255]]);
const mayEnd = Uint8Array.of(0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 1);

/**
 * Columns of numbers such as `7`, `-1.5e+3` and `.5`, separated by blanks, tabs or one comma: their form is checked and
 * their values are skipped. Bytes may be cut anywhere.
 */
export class NumberColumns {
  #state = BETWEEN;
  #count = 0;

  /** Numbers of the line so far. */
  get count(): number {
    return this.#count;
  }

  /** Whether the line may end here: not within a number or after a comma. */
  get mayEnd(): boolean {
    return mayEnd[this.#state] === 1;
  }

  /** Begins a line; `separator` is the byte after the previous field. */
  start(separator: number): void {
    this.#state = next[256 * BETWEEN + separator];
    this.#count = 0;
  }

  /**
   * Reads on from position `i`; returns the position of LF, of the chunk's end, or of the first byte that is not part
   * of a number.
   */
  push(chunk: Uint8Array, i: number): number {
    let state = this.#state;
    for (; i < chunk.length && chunk[i] !== 10; i++) {
      const to = next[256 * state + chunk[i]];
      if (to === REFUSED) {
        state = REFUSED;
        break;
      }
      if (to > AFTER_COMMA && state <= AFTER_COMMA && to < 10) this.#count++;
      state = to;
    }
    this.#state = state;
    return i;
  }
}

/** Whether `text` is one such number. */
export function isNumber(text: string): boolean {
  // No digit matches in two ways: otherwise a megabyte of digits would take hours.
  return /^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[-+]?[0-9]+)?$/i.test(text);
}
