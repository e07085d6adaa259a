import { crc32 } from 'node:zlib';
import { grown } from '../../base/index.ts';
import { textFields } from '../../base/web/index.ts';
import type { AnchorPostings, Postings } from '../corpus.ts';

/**
 * Postings as bytes, in numbers of 7 bits per byte, the lowest first, the high bit set on all but the last byte:
 *
 *     text      per document: its number minus the number before it (the first: its number), the number of its places,
 *               and per place (its position minus the position before it) * 8 + field
 *     anchors   per document: its number as above, the number of its sources, and per source its page minus the page
 *               before it, and its count
 *
 * The first 4 bytes of a stored code are the CRC-32 of the rest. Decoders return undefined if it is not what was
 * written.
 */
const CRC_BYTES = 4;
const FIELDS = textFields.length;
/** Copied faster one by one. */
const FEW_BYTES = 32;

/** Bytes that grow. */
export class Code {
  #bytes = new Uint8Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  number(value: number): void {
    this.#bytes = grown(this.#bytes, this.#length + 5);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = rest & 0x7f | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Appends bytes from `start` up to `end`. */
  append(bytes: Uint8Array, start: number, end: number): void {
    const more = end - start;
    this.#bytes = grown(this.#bytes, this.#length + more);
    if (more > FEW_BYTES) this.#bytes.set(bytes.subarray(start, end), this.#length);
    // Most texts have a word once or twice.
    else for (let at = 0; at < more; at++) this.#bytes[this.#length + at] = bytes[start + at];
    this.#length += more;
  }

  /** A view that holds until more is appended. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The bytes, preceded by their checksum. */
  sealed(): Buffer {
    const row = Buffer.allocUnsafe(CRC_BYTES + this.#length);
    row.set(this.bytes(), CRC_BYTES);
    row.writeUInt32LE(crc32(row.subarray(CRC_BYTES)), 0);
    return row;
  }
}

/** Appends the number of places of a word in a document, and these places, ascending, from `start` up to `end`. */
export function encodePlaces(code: Code, places: Uint32Array, start: number, end: number): void {
  code.number(end - start);
  let position = 0;
  for (let at = start; at < end; at++) {
    const place = places[at];
    const next = Math.floor(place / FIELDS);
    code.number((next - position) * FIELDS + place % FIELDS);
    position = next;
  }
}

/** Postings of a word in text that are being collected: documents are added in ascending order. */
export class PostingsCode {
  readonly code = new Code();
  documents = 0;
  places = 0;
  /** The document added last. */
  last = 0;

  /** Adds a document. @param bytes - from `start` up to `end` what `encodePlaces` wrote of these places. */
  add(document: number, places: number, bytes: Uint8Array, start: number, end: number): void {
    this.code.number(document - this.last);
    this.code.append(bytes, start, end);
    this.documents++;
    this.places += places;
    this.last = document;
  }

  /** Adds the stored postings of later documents. @returns false if they were altered. */
  append(stored: StoredPostings): boolean {
    if (!isSound(stored.code)) return false;
    const { code, documents, places, last } = stored;
    this.addAll(documents, places, last, new Reading(code), code.length);
    return true;
  }

  /** Adds later documents. */
  appendAll({ documents, places, last, code }: PostingsCode): void {
    const bytes = code.bytes();
    this.addAll(documents, places, last, new Reading(bytes, 0), bytes.length);
  }

  /**
   * Adds later documents.
   *
   * @param last - number of the last of them.
   * @param reading - their code, from where it is up to `end`.
   * @param base - what their numbers are above those that the code has.
   */
  addAll(documents: number, places: number, last: number, reading: Reading, end: number, base = 0): void {
    const first = reading.number() + base;
    this.code.number(first - this.last);
    this.code.append(reading.bytes, reading.at, end);
    reading.at = end;
    this.documents += documents;
    this.places += places;
    this.last = last;
  }
}

interface StoredPostings {
  readonly documents: number;
  readonly places: number;
  readonly last: number;
  readonly code: Buffer;
}

/** Numbers that are read from bytes, one after the other. */
export class Reading {
  at: number;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, start = CRC_BYTES) {
    this.bytes = bytes;
    this.at = start;
  }

  /** Whether all was read, and no more. */
  get isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }

  number(): number {
    let [value, shift] = [0, 0];
    while (this.at < this.bytes.length) {
      const byte = this.bytes[this.at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
      shift += 7;
    }
    // Too short for what its row says of it.
    this.at = Infinity;
    return 0;
  }

  skip(numbers: number): void {
    for (let rest = numbers; rest > 0; this.at++) {
      if (this.at >= this.bytes.length) {
        this.at = Infinity;
        return;
      }
      if (this.bytes[this.at] < 0x80) rest--;
    }
  }
}

/** A damaged row can have values of any type. @param counts - stated by its row: each item takes a byte or more. */
function isSound(code: Buffer, ...counts: readonly number[]): boolean {
  return Buffer.isBuffer(code) && code.length > CRC_BYTES && code.readUInt32LE(0) === crc32(code.subarray(CRC_BYTES)) &&
    counts.every((count) => count < code.length);
}

/**
 * The documents of a code, and where the entries of each begin; undefined if there are other numbers of them.
 * @param decode reads the entries of a document, from `start` up to `end`.
 */
function decodedRows(
  reading: Reading, documentCount: number, entries: number, decode: (start: number, end: number) => void,
): Pick<Postings, 'documents' | 'starts'> | undefined {
  const [documents, starts] = [new Uint32Array(documentCount), new Uint32Array(documentCount + 1)];
  let document = 0;
  for (let i = 0; i < documentCount; i++) {
    documents[i] = document += reading.number();
    const end = starts[i] + reading.number();
    if (end > entries) return undefined;
    decode(starts[i], end);
    starts[i + 1] = end;
  }
  return reading.isAtEnd && starts[documentCount] === entries ? { documents, starts } : undefined;
}

/** The postings of a stored row. */
export function decodedPostings(stored: StoredPostings): Postings | undefined {
  if (!isSound(stored.code, stored.documents, stored.places)) return undefined;
  const reading = new Reading(stored.code);
  const places = new Uint32Array(stored.places);
  const rows = decodedRows(reading, stored.documents, stored.places, (start, end) => {
    let position = 0;
    for (let at = start; at < end; at++) {
      const delta = reading.number();
      position += Math.floor(delta / FIELDS);
      places[at] = position * FIELDS + delta % FIELDS;
    }
  });
  return rows && { ...rows, places };
}

/** Postings of segments, which share no document, as one. O(n log n). */
export function mergedPostings(parts: readonly Postings[]): Postings {
  if (parts.length === 1) return parts[0];
  const total = (ofPart: (part: Postings) => number): number => parts.reduce((sum, part) => sum + ofPart(part), 0);
  // Documents with the part that each is in: as numbers they are sorted without objects.
  const owned = new Float64Array(total(({ documents }) => documents.length));
  let count = 0;
  for (const [p, { documents }] of parts.entries())
    for (const document of documents) owned[count++] = document * parts.length + p;
  owned.sort();
  const documents = new Uint32Array(count);
  const starts = new Uint32Array(count + 1);
  const places = new Uint32Array(total((part) => part.places.length));
  const next = new Uint32Array(parts.length);
  for (const [i, key] of owned.entries()) {
    const p = key % parts.length;
    const row = next[p]++;
    const ofDocument = parts[p].places.subarray(parts[p].starts[row], parts[p].starts[row + 1]);
    documents[i] = (key - p) / parts.length;
    places.set(ofDocument, starts[i]);
    starts[i + 1] = starts[i] + ofDocument.length;
  }
  return { documents, starts, places };
}

interface StoredAnchors {
  readonly documents: number;
  readonly links: number;
  readonly code: Buffer;
}

export function encodedAnchors({ documents, starts, sources, counts }: AnchorPostings): StoredAnchors {
  const code = new Code();
  let last = 0;
  for (const [i, document] of documents.entries()) {
    code.number(document - last);
    code.number(starts[i + 1] - starts[i]);
    last = document;
    let page = 0;
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      code.number(sources[at] - page);
      code.number(counts[at]);
      page = sources[at];
    }
  }
  return { documents: documents.length, links: sources.length, code: code.sealed() };
}

export function decodedAnchors(stored: StoredAnchors): AnchorPostings | undefined {
  if (!isSound(stored.code, stored.documents, stored.links)) return undefined;
  const reading = new Reading(stored.code);
  const [sources, counts] = [new Uint32Array(stored.links), new Uint32Array(stored.links)];
  const rows = decodedRows(reading, stored.documents, stored.links, (start, end) => {
    let page = 0;
    for (let at = start; at < end; at++) {
      sources[at] = page += reading.number();
      counts[at] = reading.number();
    }
  });
  return rows && { ...rows, sources, counts };
}
