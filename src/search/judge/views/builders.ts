import type { AnchorPostings, Postings } from '../../index.ts';

/** Documents with what belongs to each, collected document by document; documents with nothing are left out. */
class Rows {
  readonly #documents: Uint32Array;
  readonly #starts: Uint32Array;
  #count = 0;

  constructor(maxDocuments: number) {
    this.#documents = new Uint32Array(maxDocuments);
    this.#starts = new Uint32Array(maxDocuments + 1);
  }

  /** @param end entries of all documents so far. */
  endDocument(document: number, end: number): void {
    if (end === this.#starts[this.#count]) return;
    this.#documents[this.#count++] = document;
    this.#starts[this.#count] = end;
  }

  rows(): { documents: Uint32Array; starts: Uint32Array } {
    return { documents: this.#documents.subarray(0, this.#count), starts: this.#starts.subarray(0, this.#count + 1) };
  }
}

export class PostingsBuilder {
  readonly #rows: Rows;
  readonly #places: Uint32Array;
  #count = 0;

  constructor(maxDocuments: number, maxPlaces: number) {
    this.#rows = new Rows(maxDocuments);
    this.#places = new Uint32Array(maxPlaces);
  }

  addPlace(place: number): void {
    this.#places[this.#count++] = place;
  }

  endDocument(document: number): void {
    this.#rows.endDocument(document, this.#count);
  }

  postings(): Postings {
    return { ...this.#rows.rows(), places: this.#places.subarray(0, this.#count) };
  }
}

export class AnchorBuilder {
  readonly #rows: Rows;
  readonly #sources: Uint32Array;
  readonly #counts: Uint32Array;
  #count = 0;

  constructor(maxDocuments: number, maxSources: number) {
    this.#rows = new Rows(maxDocuments);
    this.#sources = new Uint32Array(maxSources);
    this.#counts = new Uint32Array(maxSources);
  }

  addSource(source: number, count: number): void {
    this.#sources[this.#count] = source;
    this.#counts[this.#count++] = count;
  }

  endDocument(document: number): void {
    this.#rows.endDocument(document, this.#count);
  }

  postings(): AnchorPostings {
    return {
      ...this.#rows.rows(),
      sources: this.#sources.subarray(0, this.#count), counts: this.#counts.subarray(0, this.#count),
    };
  }
}
