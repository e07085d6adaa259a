/** Writes numbers and texts one after another, little-endian. */
export class ByteWriter {
  #bytes = Buffer.alloc(1024);
  #size = 0;

  uint8(value: number): void {
    this.#size = this.#room(1).writeUInt8(value, this.#size);
  }

  uint32(value: number): void {
    this.#size = this.#room(4).writeUInt32LE(value, this.#size);
  }

  float64(value: number): void {
    this.#size = this.#room(8).writeDoubleLE(value, this.#size);
  }

  uint32s(...values: readonly number[]): void {
    for (const value of values) this.uint32(value);
  }

  float64s(...values: readonly number[]): void {
    for (const value of values) this.float64(value);
  }

  /** Its length in bytes, and UTF-8. */
  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.uint32(length);
    this.#size += this.#room(length).write(value, this.#size);
  }

  /** The bytes so far: a view, good until the next write. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  #room(bytes: number): Buffer {
    if (this.#size + bytes > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(2 * this.#bytes.length, this.#size + bytes));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return this.#bytes;
  }
}

/** No ByteWriter wrote these bytes. The reader names the place. */
export class Damage extends Error {}

/**
 * Reads the bytes of a ByteWriter. Nothing is believed: a length or a count that passes the end is damage, before any
 * memory is taken for it.
 */
export class ByteReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  uint8(): number {
    return this.#bytes.readUInt8(this.#pass(1));
  }

  flag(): boolean {
    const value = this.uint8();
    if (value > 1) throw new Damage(`a flag is ${value}`);
    return value === 1;
  }

  uint32(): number {
    return this.#bytes.readUInt32LE(this.#pass(4));
  }

  below(limit: number, what: string): number {
    const value = this.uint32();
    if (value >= limit) throw new Damage(`${what} is ${value}, and must be below ${limit}`);
    return value;
  }

  float64(): number {
    return this.#bytes.readDoubleLE(this.#pass(8));
  }

  text(): string {
    const length = this.uint32();
    const from = this.#pass(length);
    return this.#bytes.toString('utf8', from, from + length);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  require(items: number, itemBytes: number): void {
    if (items * itemBytes > this.left)
      throw new Damage(`${items} items of ${itemBytes} bytes are announced, and ${this.left} bytes follow`);
  }

  skip(items: number, itemBytes: number): void {
    this.require(items, itemBytes);
    this.#at += items * itemBytes;
  }

  /** A count, and as many items. @param itemBytes the least that one takes. */
  list<T>(itemBytes: number, item: () => T): T[] {
    const count = this.uint32();
    this.require(count, itemBytes);
    return Array.from({ length: count }, item);
  }

  end(): void {
    if (this.left > 0) throw new Damage(`bytes left over: ${this.left}`);
  }

  #pass(bytes: number): number {
    const at = this.#at;
    this.skip(1, bytes);
    return at;
  }
}
