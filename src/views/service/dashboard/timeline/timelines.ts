import { hasSuperstep } from '../../../../core/measure/index.ts';
import type { ListedRun } from '../api.ts';
import { placeOf } from '../runs/record-place.ts';
import { LastOpened } from '../runs/run-source.ts';
import type { OpenedSuperstep } from './api.ts';
import { openSuperstep } from './open-superstep.ts';
import type { PagesOpener, RunPages } from './run-pages.ts';
import { timelineOf, type Timeline } from './timeline.ts';
import { traceOf, type TraceRange } from './trace.ts';

interface Opened {
  readonly timeline: Timeline;
  readonly nameOf: RunPages['nameOf'];
}

/** Timelines of runs: of those that ended from their records, of others as far as they are recorded. */
export class Timelines {
  /** Whoever looks at a superstep looks at others of the same run. */
  readonly #opened: LastOpened<Opened>;

  constructor(openPages: PagesOpener) {
    this.#opened = new LastOpened(async (source) => {
      const pages = await openPages(source);
      const { events, experiment: { processors } } = source;
      return { timeline: timelineOf(events, processors, pages), nameOf: (page) => pages?.nameOf(page) };
    });
  }

  /** Whether a run has a record without a superstep: it is written in blocks. */
  isEmpty(run: ListedRun): boolean {
    const place = placeOf(run);
    return place !== undefined && !place.isWhole && !hasSuperstep(place.folder);
  }

  /** Undefined if there is no record, or no such superstep. @throws InputError if the record cannot be read. */
  async superstep(run: ListedRun, superstep: number | 'last'): Promise<OpenedSuperstep | undefined> {
    const opened = await this.#opened.of(run);
    return opened && openSuperstep(opened.timeline, opened.nameOf, superstep);
  }

  /** The text of `trace.json` in pieces. @throws InputError as above, before the first piece. */
  async trace(run: ListedRun, range: TraceRange): Promise<Iterable<string> | undefined> {
    const opened = await this.#opened.of(run);
    return opened && traceOf(opened.timeline, opened.nameOf, range);
  }
}
