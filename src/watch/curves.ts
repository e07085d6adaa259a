import { maxCurvePoints, type CurveColumns, type RunMessage } from './contract.ts';

/** What `Curves` stores of a point: the state at a barrier, and sums over the supersteps since the point before. */
const moments = ['superstep', 'seconds', 'pages', 'failures', 'bytes', 'rank'] as const;
const sums = ['busyUs', 'robotUs', 'meanPages', 'mostPages', 'pairs', 'comparisons'] as const;

/** A superstep, for the curves. */
export interface CurvePoint extends Record<(typeof moments)[number], number> {
  /** Robot time spent downloading, and all of it. */
  readonly busyUs: number;
  readonly robotUs: number;
  /** Pages that its processors fetched, on average and at most. */
  readonly meanPages: number;
  readonly mostPages: number;
  readonly pairs: number;
  readonly comparisons: number;
}

/**
 * Curves of a run of any length, of fewer than `most` points. When so many are reached, every second one is left out,
 * and from then on a point stands for twice as many supersteps: which points there are depends on the number of
 * supersteps alone. After a crash the numbers of supersteps go back, as in the record.
 *
 * Balance  as in the record's summary: the mean over the processors and their maximum, each summed over the supersteps
 *          since the point before, divided. 1 where nothing was fetched.
 * Cost     amortised O(1) per superstep; 96 bytes per point.
 */
export class Curves {
  readonly #most: number;
  readonly #hasRank: boolean;
  readonly #columns: Readonly<Record<keyof CurvePoint, Float64Array>>;
  #size = 0;
  /** Supersteps per point. */
  #stride = 1;
  /** Supersteps since the last point, which the place after it has. */
  #waiting = 0;
  /** Points that were taken; undefined if all have to be taken anew. */
  #taken: number | undefined;

  /** @param hasRank whether points have ranks. @param most an even number. */
  constructor(hasRank: boolean, most = maxCurvePoints) {
    this.#hasRank = hasRank;
    this.#most = most;
    this.#columns = Object.fromEntries(
      [...moments, ...sums].map((name) => [name, new Float64Array(most + 1)]),
    ) as Record<keyof CurvePoint, Float64Array>;
  }

  add(point: CurvePoint): void {
    const columns = this.#columns;
    const at = this.#size;
    for (const name of moments) columns[name][at] = point[name];
    for (const name of sums) columns[name][at] = (this.#waiting === 0 ? 0 : columns[name][at]) + point[name];
    this.#waiting++;
    if (this.#waiting < this.#stride) return;
    this.#close();
    if (this.#size === this.#most) this.#thin();
  }

  /** Makes a point of the supersteps since the last one, if there are any: the run has ended. */
  end(): void {
    if (this.#waiting > 0) this.#close();
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

  #close(): void {
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
    const of = (name: keyof CurvePoint): number[] => Array.from(this.#columns[name].subarray(from, this.#size));
    const share = (part: keyof CurvePoint, whole: keyof CurvePoint, otherwise: number): number[] => {
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
