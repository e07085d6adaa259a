/** Cuts a stream of bytes into lines of at most `maxBytes`. */
export class Lines {
  readonly #maxBytes: number;
  readonly #take: (line: string) => void;
  /** Pieces of the line that has begun. */
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(maxBytes: number, take: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#take = take;
  }

  /** @returns whether no line is too long; none is taken after one that is. */
  push(chunk: Buffer): boolean {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end < 0 ? undefined : end);
      if (this.#bytes + piece.length > this.#maxBytes) return false;
      this.#chunks.push(piece);
      this.#bytes += piece.length;
      if (end < 0) return true;
      const line = Buffer.concat(this.#chunks).toString();
      this.#chunks = [];
      this.#bytes = 0;
      start = end + 1;
      this.#take(line);
    }
  }
}

/** The value of a line of JSON; undefined if it is none. */
export function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
