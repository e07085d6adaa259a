import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hasSuperstep, isIncomplete, partialOf, readFailures, readIncomplete, readRunEvents, readRunJson, recordPartial,
} from '../../../measure/index.ts';
import type { ListedRun } from '../api.ts';
import type { OpenedSuperstep } from './api.ts';
import { openSuperstep } from './open-superstep.ts';
import type { PagesOpener, RunOfPages, RunPages } from './run-pages.ts';
import { timelineOf, type TimedEvents, type Timeline } from './timeline.ts';
import { traceOf, type TraceRange } from './trace.ts';

interface Opened {
  readonly timeline: Timeline;
  readonly nameOf: RunPages['nameOf'];
}

/** What a timeline is made from. */
interface Source extends RunOfPages {
  readonly processors: number;
  readonly events: TimedEvents;
}

type Settings = { readonly processors: number };

/** Timelines of runs: of those that ended from their records, of others as far as they are recorded. */
export class Timelines {
  readonly #openPages: PagesOpener;
  /** The last one: whoever looks at a superstep looks at others of the same run. */
  #last: { readonly key: string; readonly opened: Promise<Opened> } | undefined;

  constructor(openPages: PagesOpener) {
    this.#openPages = openPages;
  }

  /** Whether a run has a record without a superstep: it is written in blocks. */
  isEmpty(run: ListedRun): boolean {
    const place = placeOf(run);
    return place !== undefined && !place.isWhole && !hasSuperstep(place.folder);
  }

  /** Undefined if there is no record, or no such superstep. @throws InputError if the record cannot be read. */
  async superstep(run: ListedRun, superstep: number | 'last'): Promise<OpenedSuperstep | undefined> {
    const opened = await this.#opened(run);
    return opened && openSuperstep(opened.timeline, opened.nameOf, superstep);
  }

  /** The text of `trace.json` in pieces. @throws InputError as above, before the first piece. */
  async trace(run: ListedRun, range: TraceRange): Promise<Iterable<string> | undefined> {
    const opened = await this.#opened(run);
    return opened && traceOf(opened.timeline, opened.nameOf, range);
  }

  async #opened(run: ListedRun): Promise<Opened | undefined> {
    const place = placeOf(run);
    if (place === undefined) return undefined;
    const { mtimeMs, size } = await stat(join(place.folder, place.isWhole ? 'run.json' : 'supersteps.csv'));
    const key = JSON.stringify([place, mtimeMs, size]);
    if (this.#last?.key !== key) this.#last = { key, opened: this.#open(run, place) };
    const { opened } = this.#last;
    // What cannot be read now may be there the next time.
    opened.catch(() => { if (this.#last?.opened === opened) this.#last = undefined; });
    return opened;
  }

  async #open({ folder }: ListedRun, place: Place): Promise<Opened> {
    const source = place.isWhole ? await recorded(place.folder) : underWay(place.folder);
    const own = folder === null || !place.isWhole ? [] : [join(folder, 'graph.owg')];
    const pages = await this.#openPages({ ...source, graphs: [...source.graphs, ...own] });
    return {
      timeline: timelineOf(source.events, source.processors, pages), nameOf: (page) => pages?.nameOf(page),
    };
  }
}

interface Place {
  readonly folder: string;
  /** Whether the run has ended, and its record is complete. */
  readonly isWhole: boolean;
}

function placeOf({ folder, figures }: ListedRun): Place | undefined {
  if (folder === null) return undefined;
  if (figures !== null) return { folder, isWhole: true };
  const partial = [partialOf(folder), join(folder, recordPartial)].find(isIncomplete);
  return partial === undefined ? undefined : { folder: partial, isWhole: false };
}

async function recorded(folder: string): Promise<Source> {
  const run = await readRunJson<Settings>(folder);
  const [events, failures] = [await readRunEvents(folder, run), await readFailures(folder)];
  const { experiment, dataset: { name, sha256 }, origin } = run;
  return {
    events: { ...events, failures }, processors: experiment.processors, experiment, sha256,
    graphs: [origin?.graph ?? name],
  };
}

function underWay(folder: string): Source {
  const { events, experiment, dataset, graph } = readIncomplete<Settings>(folder);
  return {
    events, processors: experiment.processors, experiment, sha256: dataset?.sha256 ?? '',
    graphs: [graph ?? dataset?.name ?? []].flat(),
  };
}
