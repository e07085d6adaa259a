import { remembering } from '../../../base/index.ts';
import {
  frequencyOf, indexFields, type Corpus, type IndexField, type Postings, type WordFrequency,
} from '../../index.ts';
import { CorpusView, somePostings } from './corpus-view.ts';

/**
 * An index without one field of the text, in its statistics too.
 * Cost   a word is looked up in O(its occurrences), once.
 */
export class WithoutField extends CorpusView {
  readonly #postings: (word: string) => Postings;
  readonly #frequency: (word: string) => WordFrequency;

  constructor(whole: Corpus, fieldName: Exclude<IndexField, 'anchor'>) {
    const field = indexFields.indexOf(fieldName);
    super(whole, {
      lengths: whole.lengths.with(field, new Uint32Array(whole.documents)),
      meanLengths: whole.meanLengths.with(field, 0),
    });
    this.#postings = remembering(Infinity, (word) =>
      somePostings(whole.postings(word), (_, place) => place % 8 !== field));
    this.#frequency = remembering(Infinity, (word) => frequencyOf(this.postings(word), this.anchors(word)));
  }

  override postings(word: string): Postings {
    return this.#postings(word);
  }

  override frequency(word: string): WordFrequency {
    return this.#frequency(word);
  }
}
