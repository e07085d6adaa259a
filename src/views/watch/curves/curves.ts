import { maxCurvePoints, type CurveColumns, type RunMessage } from '../contract.ts';

/** The state at a barrier, as curves have it. */
export interface CurveMoment {
  readonly superstep: number;
  readonly seconds: number;
  readonly pages: number;
  readonly failures: number;
  readonly bytes: number;
  readonly rank: number;
}

/** What a superstep adds to curves. */
export interface CurveSpan {
  /** Robot time spent downloading, and all of it. */
  readonly busyUs: number;
  readonly robotUs: number;
  /** Pages that its processors fetched, on average and at most. */
  readonly meanPages: number;
  readonly mostPages: number;
  readonly pairs: number;
  readonly comparisons: number;
}

const moments = ['superstep', 'seconds', 'pages', 'failures', 'bytes', 'rank'] as const;
const sums = ['busyUs', 'robotUs', 'meanPages', 'mostPages', 'pairs', 'comparisons'] as const;
type Column = keyof CurveMoment | keyof CurveSpan;

/**
 * Curves of a run of any length, of fewer than `most` points. When so many are reached, every second one is left out,
 * and from then on a point stands for twice as many supersteps: which points there are depends on the number of
 * supersteps alone. After a crash the numbers of supersteps go back, as in the record.
 *
 * Balance  as in the record's summary: the mean over the processors and their maximum, each summed over the supersteps
 *          since the point before, divided. 1 where nothing was fetched.
 * Cost     six additions per superstep, and a point now and then; 96 bytes per point.
 */
export class Curves {
  readonly #most: number;
  readonly #hasRank: boolean;
  readonly #columns: Readonly<Record<Column, Float64Array>>;
  #size = 0;
  /** Supersteps per point. */
  #stride = 1;
  /** Supersteps since the last point, their sums, and the state at the barrier of the last of them. */
  #waiting = 0;
  readonly #sum = { busyUs: 0, robotUs: 0, meanPages: 0, mostPages: 0, pairs: 0, comparisons: 0 };
  #moment: CurveMoment | undefined;
  /** Points that were taken; undefined if all have to be taken anew. */
  #taken: number | undefined;

  /** @param hasRank whether points have ranks. @param most an even number. */
  constructor(hasRank: boolean, most = maxCurvePoints) {
    this.#hasRank = hasRank;
    this.#most = most;
    this.#columns = Object.fromEntries(
      [...moments, ...sums].map((name) => [name, new Float64Array(most)]),
    ) as Record<Column, Float64Array>;
  }

  /** A superstep. @param moment - the state at its barrier. */
  add(moment: CurveMoment, span: CurveSpan): void {
    const sum = this.#sum;
    // Field by field: this is called once per superstep of a run that nobody may look at.
    sum.busyUs += span.busyUs;
    sum.robotUs += span.robotUs;
    sum.meanPages += span.meanPages;
    sum.mostPages += span.mostPages;
    sum.pairs += span.pairs;
    sum.comparisons += span.comparisons;
    this.#moment = moment;
    if (++this.#waiting < this.#stride) return;
    this.#close(moment);
    if (this.#size === this.#most) this.#thin();
  }

  /** Makes a point of the supersteps since the last one, if there are any: the run has ended. */
  end(): void {
    if (this.#waiting > 0 && this.#moment !== undefined) this.#close(this.#moment);
  }

  /** Points since the last call, or all of them if points were left out since; undefined if there is nothing new. */
  take(): Extract<RunMessage, { is: 'curves' | 'points' }> | undefined {
    const from = this.#taken;
    this.#taken = this.#size;
    if (from === undefined) return { is: 'curves', curves: this.all() };
    return from === this.#size ? undefined : { is: 'points', curves: this.#since(from) };
  }

  all(): CurveColumns {
    return this.#since(0);
  }

  #close(moment: CurveMoment): void {
    for (const name of moments) this.#columns[name][this.#size] = moment[name];
    for (const name of sums) {
      this.#columns[name][this.#size] = this.#sum[name];
      this.#sum[name] = 0;
    }
    this.#size++;
    this.#waiting = 0;
  }

  /** Leaves out the first of every two points, and adds its sums to the second. */
  #thin(): void {
    const half = this.#most / 2;
    for (const name of moments) {
      const column = this.#columns[name];
      for (let i = 0; i < half; i++) column[i] = column[2 * i + 1];
    }
    for (const name of sums) {
      const column = this.#columns[name];
      for (let i = 0; i < half; i++) column[i] = column[2 * i] + column[2 * i + 1];
    }
    this.#size = half;
    this.#stride *= 2;
    this.#taken = undefined;
  }

  #since(from: number): CurveColumns {
    const of = (name: Column): number[] => Array.from(this.#columns[name].subarray(from, this.#size));
    const share = (part: Column, whole: Column, otherwise: number): number[] => {
      const wholes = of(whole);
      return of(part).map((value, i) => (wholes[i] === 0 ? otherwise : value / wholes[i]));
    };
    return {
      superstep: of('superstep'), seconds: of('seconds'), pages: of('pages'), failures: of('failures'),
      bytes: of('bytes'), rank: this.#hasRank ? of('rank') : [], busy: share('busyUs', 'robotUs', 0),
      balance: share('meanPages', 'mostPages', 1), pairs: of('pairs'), comparisons: of('comparisons'),
    };
  }
}
