import type { SuperstepEnd, SuperstepRow } from '../../../core/events/index.ts';
import { rowAtRest } from '../../../core/measure/index.ts';

/**
 * The supersteps of a crawl on several machines, as the record of one shows them: with the rows of its own processors.
 * In a superstep in which all of these are at rest, the first of them has the row that it would have.
 */
export class OwnRows {
  readonly #ids: ReadonlySet<number>;
  readonly #robots: number;
  #first: SuperstepRow | undefined;
  #barrierUs = 0;

  /** @param ids processors of this machine. */
  constructor(ids: readonly number[], robots: number) {
    this.#ids = new Set(ids);
    this.#robots = robots;
  }

  /** Each superstep once, in order. */
  of(end: SuperstepEnd): SuperstepEnd {
    const { superstep, barrierUs } = end;
    const isOwn = (_: unknown, i: number): boolean => this.#ids.has(end.rows[i].processor);
    const rows = end.rows.filter(isOwn);
    const unobserved = end.unobserved.filter(isOwn);
    const waitUs = barrierUs - this.#barrierUs;
    this.#barrierUs = barrierUs;
    if (rows.length > 0) {
      [this.#first] = rows;
      return { ...end, rows, unobserved };
    }
    const resting = this.#first && rowAtRest(this.#first, { superstep, barrierUs, waitUs, robots: this.#robots });
    return { ...end, rows: resting ? [resting] : [], unobserved: resting ? [0] : [] };
  }
}
