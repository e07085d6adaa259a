import type { AnchorPostings, Corpus, Postings, WordFrequency } from '../../index.ts';

/** A view of a corpus. What a view does not override is the same as in the whole. */
export abstract class CorpusView implements Corpus {
  readonly documents: number;
  readonly lengths: readonly Uint32Array[];
  readonly meanLengths: Float64Array;
  protected readonly whole: Corpus;
  readonly #pageranks: Float64Array;

  constructor(
    whole: Corpus,
    {
      lengths = whole.lengths, meanLengths = whole.meanLengths, pageranks = whole.pageranks,
    }: Partial<Pick<Corpus, 'lengths' | 'meanLengths' | 'pageranks'>>,
  ) {
    this.whole = whole;
    this.documents = whole.documents;
    this.lengths = lengths;
    this.meanLengths = meanLengths;
    this.#pageranks = pageranks;
  }

  get pageranks(): Float64Array {
    return this.#pageranks;
  }

  postings(word: string): Postings {
    return this.whole.postings(word);
  }

  anchors(word: string): AnchorPostings {
    return this.whole.anchors(word);
  }

  frequency(word: string): WordFrequency {
    return this.whole.frequency(word);
  }
}

/** The postings with the places that `includes` accepts; documents without such a place are left out. */
export function somePostings(
  postings: Postings, includes: (document: number, place: number) => boolean,
): Postings {
  const places = new Uint32Array(postings.places.length);
  let count = 0;
  const rows = someRows(postings, (document, at) => {
    const isIncluded = includes(document, postings.places[at]);
    if (isIncluded) places[count++] = postings.places[at];
    return isIncluded;
  });
  return { ...rows, places: places.subarray(0, count) };
}

/** The postings with the counts that `countOf` returns; sources with the count 0, and empty documents, are left out. */
export function someAnchors(
  anchors: AnchorPostings, countOf: (document: number, source: number, count: number) => number,
): AnchorPostings {
  const [sources, counts] = [new Uint32Array(anchors.sources.length), new Uint32Array(anchors.sources.length)];
  let length = 0;
  const rows = someRows(anchors, (document, at) => {
    const count = countOf(document, anchors.sources[at], anchors.counts[at]);
    if (count === 0) return false;
    sources[length] = anchors.sources[at];
    counts[length++] = count;
    return true;
  });
  return { ...rows, sources: sources.subarray(0, length), counts: counts.subarray(0, length) };
}

/** The documents with an entry that `take` accepts, and where the accepted entries of each begin. */
function someRows(
  rows: Pick<Postings, 'documents' | 'starts'>, take: (document: number, at: number) => boolean,
): Pick<Postings, 'documents' | 'starts'> {
  const [documents, starts] = [new Uint32Array(rows.documents.length), new Uint32Array(rows.documents.length + 1)];
  let [count, entries] = [0, 0];
  for (const [row, document] of rows.documents.entries()) {
    for (let at = rows.starts[row]; at < rows.starts[row + 1]; at++) if (take(document, at)) entries++;
    if (entries === starts[count]) continue;
    documents[count++] = document;
    starts[count] = entries;
  }
  return { documents: documents.subarray(0, count), starts: starts.subarray(0, count + 1) };
}
