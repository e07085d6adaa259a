import { ANCHOR_FIELD, type AnchorPostings, type Corpus } from '../../index.ts';
import { CorpusView } from '../views/corpus-view.ts';

/** A corpus that remembers whether an answer depended on which pages were fetched. */
export class WatchedCorpus extends CorpusView {
  #dependsOnOrder = false;
  readonly #hasOwnRanks: boolean;

  /** @param hasOwnRanks whether PageRank depends on the pages fetched. */
  constructor(whole: Corpus, hasOwnRanks: boolean) {
    const lengths = [...whole.lengths];
    super(whole, { lengths });
    this.#hasOwnRanks = hasOwnRanks;
    Object.defineProperty(lengths, ANCHOR_FIELD, {
      get: () => {
        this.#dependsOnOrder = true;
        return whole.lengths[ANCHOR_FIELD];
      },
    });
  }

  /** True once it has answered with words of links, their number, or a PageRank that depends on the pages fetched. */
  get dependsOnOrder(): boolean {
    return this.#dependsOnOrder;
  }

  override get pageranks(): Float64Array {
    this.#dependsOnOrder ||= this.#hasOwnRanks;
    return super.pageranks;
  }

  override anchors(word: string): AnchorPostings {
    const anchors = super.anchors(word);
    // No part has words of links where the whole has none.
    if (anchors.documents.length > 0) this.#dependsOnOrder = true;
    return anchors;
  }
}
