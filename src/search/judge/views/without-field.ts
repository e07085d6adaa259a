import {
  frequencyOf, indexFields, type AnchorPostings, type Corpus, type IndexField, type Postings, type WordFrequency,
} from '../../index.ts';
import { PostingsBuilder } from './builders.ts';

/**
 * An index without one field of the text, in its statistics too.
 * Cost   a word is looked up in O(its occurrences), once.
 */
export class WithoutField implements Corpus {
  readonly documents: number;
  readonly lengths: readonly Uint32Array[];
  readonly meanLengths: Float64Array;
  readonly pageranks: Float64Array;
  readonly #whole: Corpus;
  readonly #field: number;
  readonly #postings = new Map<string, Postings>();
  readonly #frequencies = new Map<string, WordFrequency>();

  constructor(whole: Corpus, field: Exclude<IndexField, 'anchor'>) {
    this.#whole = whole;
    this.#field = indexFields.indexOf(field);
    this.documents = whole.documents;
    this.pageranks = whole.pageranks;
    this.lengths = whole.lengths.map((lengths, i) => (i === this.#field ? new Uint32Array(lengths.length) : lengths));
    this.meanLengths = whole.meanLengths.map((mean, i) => (i === this.#field ? 0 : mean));
  }

  postings(word: string): Postings {
    let postings = this.#postings.get(word);
    if (postings === undefined) {
      const { documents, starts, places } = this.#whole.postings(word);
      const builder = new PostingsBuilder(documents.length, places.length);
      for (let i = 0; i < documents.length; i++) {
        for (let at = starts[i]; at < starts[i + 1]; at++)
          if (places[at] % 8 !== this.#field) builder.addPlace(places[at]);
        builder.endDocument(documents[i]);
      }
      this.#postings.set(word, postings = builder.postings());
    }
    return postings;
  }

  anchors(word: string): AnchorPostings {
    return this.#whole.anchors(word);
  }

  frequency(word: string): WordFrequency {
    let frequency = this.#frequencies.get(word);
    if (frequency === undefined)
      this.#frequencies.set(word, frequency = frequencyOf(this.postings(word), this.anchors(word)));
    return frequency;
  }
}
