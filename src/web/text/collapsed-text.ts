/** UTF-16 units that there is room for at first. */
const FIRST_CHARS = 1 << 12;
const SPACE = 32;

/**
 * A list of lines of text in which white space is collapsed where their pieces meet. They are written into one buffer,
 * which becomes one string at the end: pieces are many, and a string for each costs more than its characters.
 *
 * Cost    O(characters). Memory: two bytes for each.
 */
export class CollapsedText {
  #units = new Uint16Array(FIRST_CHARS);
  #end = 0;
  /** Where the line begins that is being written. */
  #begin = 0;
  #isSpaced = true;
  /** Has all bits of all units. */
  #bits = 0;
  /** Where each line that ended begins and ends, in turn. */
  readonly #bounds: number[] = [];

  /** UTF-16 units of the line that is being written. */
  get length(): number {
    return this.#end - this.#begin;
  }

  /** Lines that have ended. */
  get count(): number {
    return this.#bounds.length / 2;
  }

  /**
   * Adds a part of a text to the line.
   *
   * @param text - a document, or any text made `sequential`: the loop takes three times as long once it has met many
   * kinds of string.
   * @returns false if anything but white space was left out, because the line would have more than `maxChars`.
   */
  add(text: string, maxChars: number, from = 0, to = text.length): boolean {
    const most = this.#begin + maxChars;
    const more = Math.min(to - from, most - this.#end);
    if (this.#end + more > this.#units.length) this.#grow(more);
    const units = this.#units;
    let [end, isSpaced, bits] = [this.#end, this.#isSpaced, this.#bits];
    let isWhole = true;
    for (let i = from; i < to; i++) {
      let unit = text.charCodeAt(i);
      if (unit <= SPACE || unit >= 0xa0 ? isSpace(unit) : false) {
        if (isSpaced) continue;
        unit = SPACE;
      }
      if (end >= most) {
        if (unit === SPACE) continue;
        isWhole = false;
        // No half of a character.
        if (end > this.#begin && (units[end - 1] & 0xfc00) === 0xd800) end--;
        break;
      }
      isSpaced = unit === SPACE;
      bits |= unit;
      units[end++] = unit;
    }
    [this.#end, this.#isSpaced, this.#bits] = [end, isSpaced, bits];
    return isWhole;
  }

  /** Adds a space where words of the line would otherwise meet. */
  separate(maxChars: number): void {
    if (this.#isSpaced || this.length >= maxChars) return;
    if (this.#end === this.#units.length) this.#grow(1);
    this.#units[this.#end++] = SPACE;
    this.#isSpaced = true;
  }

  /**
   * Ends the line; the next one begins.
   *
   * @returns its length, without white space at its end. If it is empty, or longer than `maxChars`, it is dropped.
   */
  endLine(maxChars = Infinity): number {
    if (this.#end > this.#begin && this.#isSpaced) this.#end--;
    const { length } = this;
    if (length > maxChars) this.#end = this.#begin;
    else if (length > 0) this.#bounds.push(this.#begin, this.#end);
    this.#begin = this.#end;
    this.#isSpaced = true;
    return length;
  }

  /** Forgets the line. */
  dropLine(): void {
    this.#end = this.#begin;
    this.#isSpaced = true;
  }

  /** The lines that have ended. */
  lines(): string[] {
    const all = this.#string();
    return Array.from({ length: this.count }, (_, i) => all.slice(this.#bounds[2 * i], this.#bounds[2 * i + 1]));
  }

  #string(): string {
    const units = this.#units.subarray(0, this.#end);
    // A string of one byte per character where that is enough: it takes half as long to encode.
    return this.#bits < 0x100
      ? Buffer.from(units).toString('latin1')
      : Buffer.from(units.buffer, 0, units.byteLength).toString('utf16le');
  }

  #grow(chars: number): void {
    const units = new Uint16Array(Math.max(2 * this.#units.length, this.#end + chars));
    units.set(this.#units);
    this.#units = units;
  }
}

/** The same text in one piece of memory: slices and sums of strings, which refer to others, are kinds of their own. */
export function sequential(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}

/** White space as `\s` of regular expressions has it. */
function isSpace(unit: number): boolean {
  if (unit <= SPACE) return unit === SPACE || (unit >= 9 && unit <= 13);
  if (unit < 0x1680) return unit === 0xa0;
  return unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029 ||
    unit === 0x202f || unit === 0x205f || unit === 0x3000 || unit === 0xfeff;
}
