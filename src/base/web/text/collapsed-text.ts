/** UTF-16 units that there is room for at first. */
const FIRST_CHARS = 1 << 12;
const [LINE_FEED, SPACE] = [10, 32];

/**
 * A list of lines of text in which white space is collapsed where their pieces meet. They are written into one buffer,
 * which becomes one string at the end: pieces are many, and a string for each costs more than its characters.
 *
 * Cost    O(characters). Memory: two bytes for each.
 */
export class CollapsedText {
  #units: Uint16Array;
  /** Room for a unit before the words of each line. */
  readonly #headChars: number;
  /** Start of the line that is being written, after its head. */
  #begin: number;
  #end: number;
  #isSpaced = true;
  /** Has all bits of all units that are not plain. */
  #bits = 0;
  #count = 0;

  /**
   * @param isHeaded - whether each line begins with a unit that `endLine` is called with.
   * @param room - to write to for as long as it is large enough; by default it has its own.
   */
  constructor(isHeaded = false, room = new Uint16Array(FIRST_CHARS)) {
    this.#units = room;
    this.#headChars = isHeaded ? 1 : 0;
    this.#begin = this.#end = this.#headChars;
  }

  /** UTF-16 units of the line that is being written. */
  get length(): number {
    return this.#end - this.#begin;
  }

  /** Lines that have ended. */
  get count(): number {
    return this.#count;
  }

  /** UTF-16 units of the lines that have ended, with their line feeds. */
  get endedChars(): number {
    return this.#begin - this.#headChars;
  }

  /**
   * Adds a part of a text to the line.
   *
   * @param text - its units (`unitsOf`), from `from` up to `to`.
   * @returns false if anything but white space was left out, because the line would have more than `maxChars`.
   */
  add(text: Uint16Array, maxChars: number, from = 0, to = text.length): boolean {
    const most = this.#begin + maxChars;
    const more = Math.min(to - from, most - this.#end);
    if (this.#end + more > this.#units.length) this.#grow(more);
    const units = this.#units;
    let [end, isSpaced] = [this.#end, this.#isSpaced];
    let isWhole = true;
    for (let i = from; i < to; i++) {
      let unit = text[i];
      // Most are plain: nothing else is asked of them.
      if (unit <= SPACE || unit >= 0xa0) {
        if (isSpace(unit)) {
          if (isSpaced) continue;
          unit = SPACE;
        } else this.#bits |= unit;
      }
      if (end >= most) {
        if (unit === SPACE) continue;
        isWhole = false;
        // No half of a character.
        if (end > this.#begin && (units[end - 1] & 0xfc00) === 0xd800) end--;
        break;
      }
      isSpaced = unit === SPACE;
      units[end++] = unit;
    }
    [this.#end, this.#isSpaced] = [end, isSpaced];
    return isWhole;
  }

  /** Adds a space where words of the line would otherwise meet. */
  separate(maxChars: number): void {
    if (this.#isSpaced || this.length >= maxChars) return;
    if (this.#end >= this.#units.length) this.#grow(1);
    this.#units[this.#end++] = SPACE;
    this.#isSpaced = true;
  }

  /**
   * Ends the line; the next one begins.
   *
   * @param head - the unit before its words, if lines have one.
   * @returns its length, without white space at its end. If it is empty, or longer than `maxChars`, it is dropped.
   */
  endLine(maxChars = Infinity, head = 0): number {
    if (this.#end > this.#begin && this.#isSpaced) this.#end--;
    const { length } = this;
    if (length > 0 && length <= maxChars) {
      if (this.#end >= this.#units.length) this.#grow(1);
      if (this.#headChars > 0) this.#units[this.#begin - 1] = head;
      this.#units[this.#end++] = LINE_FEED;
      this.#count++;
      this.#begin = this.#end + this.#headChars;
    }
    this.dropLine();
    return length;
  }

  /** Forgets the line. */
  dropLine(): void {
    this.#end = this.#begin;
    this.#isSpaced = true;
  }

  /** The lines that have ended, each with a line feed. */
  lines(): string {
    const units = this.#units.subarray(0, this.endedChars);
    // A string with a byte per character, if that is enough, takes half as long to encode.
    return this.#bits < 0x100
      ? Buffer.from(units).toString('latin1')
      : Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
  }

  #grow(chars: number): void {
    const units = new Uint16Array(Math.max(2 * this.#units.length, this.#end + chars));
    units.set(this.#units);
    this.#units = units;
  }
}

/**
 * The UTF-16 units of a text: a loop reads them several times as fast as it asks a string for each.
 *
 * @param room - to write them to, if it is large enough.
 */
export function unitsOf(text: string, room?: Uint16Array): Uint16Array {
  if (room !== undefined && text.length <= room.length) {
    Buffer.from(room.buffer, room.byteOffset, room.byteLength).write(text, 'utf16le');
    return room.subarray(0, text.length);
  }
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return new Uint16Array(buffer, byteOffset, text.length);
}

/** White space as `\s` of regular expressions has it. */
function isSpace(unit: number): boolean {
  if (unit <= SPACE) return unit === SPACE || (unit >= 9 && unit <= 13);
  if (unit < 0x1680) return unit === 0xa0;
  return unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029 ||
    unit === 0x202f || unit === 0x205f || unit === 0x3000 || unit === 0xfeff;
}
