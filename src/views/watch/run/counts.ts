import { assert, BitSet } from '../../../base/index.ts';
import type { RunSink, RunStarted, SuperstepEnd } from '../../../core/events/index.ts';
import { isAboutPage, type Outcome } from '../../../core/world/index.ts';
import type { CurveMoment } from '../curves/curves.ts';

/** Sums of ranks differ in their last digits with the order of the pages. */
const ROUNDING = 1e-6;

/** Counts what a run has fetched. Costs some additions per outcome. */
export class RunCounts implements RunSink {
  readonly #ranked = new BitSet();
  #ranks: { readonly values: Float64Array; readonly total: number } | undefined;
  #rank = 0;
  #firstSuperstep = 0;
  #isHistory = false;
  #pages = 0;
  #failures = 0;
  #bytes = 0;
  #failuresOf = new Uint32Array(0);
  #bytesOf = new Float64Array(0);

  /** @param values - ranks of all pages. @param total - the rank of the pages within reach. */
  rankBy(values: Float64Array, total: number): void {
    this.#ranks = { values, total };
  }

  started({ settings: { processors }, firstSuperstep }: RunStarted): void {
    this.#firstSuperstep = firstSuperstep;
    this.#failuresOf = new Uint32Array(processors);
    this.#bytesOf = new Float64Array(processors);
  }

  superstepBegins(superstep: number): void {
    this.#isHistory = superstep < this.#firstSuperstep;
  }

  outcome(processor: number, { page, kind, bytes }: Outcome): void {
    // The history of a resumed run has no bytes in its outcomes, but in its rows.
    if (!this.#isHistory) this.#addBytes(processor, bytes);
    if (kind === 'fetched') {
      if (this.#ranks !== undefined && this.#ranked.add(page)) this.#rank += this.#ranks.values[page];
    } else if (isAboutPage(kind)) {
      this.#failures++;
      this.#failuresOf[processor]++;
    }
  }

  superstep({ rows, pagesFetched }: SuperstepEnd): void {
    if (this.#isHistory) for (const { processor, bytes } of rows) this.#addBytes(processor, bytes);
    this.#pages = pagesFetched;
    assert(this.#rank <= (1 + ROUNDING) * (this.#ranks?.total ?? 0), 'the run gathered more rank than is within reach');
  }

  get pages(): number {
    return this.#pages;
  }

  get failures(): number {
    return this.#failures;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The counts of one processor. */
  of(processor: number): { failures: number; bytes: number } {
    return { failures: this.#failuresOf.at(processor) ?? 0, bytes: this.#bytesOf.at(processor) ?? 0 };
  }

  /** The counts as a point of the curves, at the barrier of a superstep. */
  moment({ superstep, barrierUs }: SuperstepEnd): CurveMoment {
    return {
      superstep, seconds: barrierUs / 1e6, pages: this.#pages, failures: this.#failures, bytes: this.#bytes,
      rank: this.#ranks === undefined ? 0 : this.#rank / this.#ranks.total,
    };
  }

  #addBytes(processor: number, bytes: number): void {
    this.#bytes += bytes;
    this.#bytesOf[processor] += bytes;
  }
}
