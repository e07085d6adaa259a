import { grown } from '../../../base/index.ts';
import type { Change } from '../../events/index.ts';
import { recordedKinds, type Crash, type Failure, type RunEvents, type SuperstepRow } from './events.ts';
import type { RunRecord } from './run-record.ts';
import type { Settled } from './total-order.ts';

/** The record of a run in memory: 24 bytes per page fetched, an object per failure and per row. */
export class MemoryRecord implements RunRecord {
  #order = new Uint32Array(64);
  #processors = new Uint32Array(64);
  #times = new Float64Array(128);
  #fetched = 0;
  readonly #failures: Failure[] = [];
  readonly #rows: SuperstepRow[] = [];
  readonly #crashes: Crash[] = [];
  readonly #changes: Change[] = [];

  settled({ outcomes, rows, crashes, changes }: Settled): void {
    const { size, pages, processors, kinds, times } = outcomes;
    this.#makeRoom(this.#fetched + size);
    for (let i = 0; i < size; i++) {
      const [startedUs, finishedUs] = [times[2 * i], times[2 * i + 1]];
      if (kinds[i] !== 0) {
        const position = this.#fetched + this.#failures.length;
        const kind = recordedKinds[kinds[i]];
        this.#failures.push({ position, processor: processors[i], page: pages[i], kind, startedUs, finishedUs });
        continue;
      }
      const fetched = this.#fetched++;
      this.#order[fetched] = pages[i];
      this.#processors[fetched] = processors[i];
      this.#times[2 * fetched] = startedUs;
      this.#times[2 * fetched + 1] = finishedUs;
    }
    for (const row of rows) this.#rows.push(row);
    for (const crash of crashes) this.#crashes.push(crash);
    for (const change of changes) this.#changes.push(change);
  }

  #makeRoom(pages: number): void {
    this.#order = grown(this.#order, pages, 1.5);
    this.#processors = grown(this.#processors, pages, 1.5);
    this.#times = grown(this.#times, 2 * this.#order.length, 1);
  }

  /** What has been settled; views that are good until the next call of `settled`. */
  events(): RunEvents {
    return {
      order: this.#order.subarray(0, this.#fetched),
      processors: this.#processors.subarray(0, this.#fetched),
      times: this.#times.subarray(0, 2 * this.#fetched),
      failures: this.#failures, rows: this.#rows, crashes: this.#crashes,
      changes: this.#changes,
    };
  }
}
