import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readFailures, readIncomplete, readRunEvents, type RunEvents } from '../../../../core/measure/index.ts';
import type { ListedRun } from '../api.ts';
import type { RunOfPages } from '../timeline/run-pages.ts';
import { placeOf, type Place } from './record-place.ts';
import { readRecordedRun, readStartedRun } from './recorded-run.ts';

/** What a record says, and where the graph of its run is. */
export interface RunSource extends RunOfPages {
  readonly kind: 'simulation' | 'live';
  /** Whether the run has ended, and its record is complete. */
  readonly isWhole: boolean;
  readonly experiment: { readonly processors: number };
  readonly events: Pick<RunEvents, 'order' | 'times' | 'failures' | 'rows'>;
}

/** The last record that was opened, which is opened again only once it has grown. */
export class LastOpened<Opened> {
  readonly #open: (source: RunSource, run: ListedRun) => Promise<Opened>;
  #last: { readonly key: string; readonly opened: Promise<Opened> } | undefined;

  constructor(open: (source: RunSource, run: ListedRun) => Promise<Opened>) {
    this.#open = open;
  }

  /** Undefined if there is no record. @throws InputError if it cannot be read. */
  async of(run: ListedRun): Promise<Opened | undefined> {
    const place = placeOf(run);
    const key = place && (await keyOf(place));
    if (place === undefined || key === undefined) return undefined;
    if (this.#last?.key !== key)
      this.#last = { key, opened: readSource(run, place).then((source) => this.#open(source, run)) };
    const { opened } = this.#last;
    // What cannot be read now may be there the next time.
    opened.catch(() => { if (this.#last?.opened === opened) this.#last = undefined; });
    return opened;
  }
}

/** Another one whenever the record has grown; undefined if it has gone since: the run has just ended. */
async function keyOf(place: Place): Promise<string | undefined> {
  const stats = await stat(join(place.folder, place.isWhole ? 'run.json' : 'supersteps.csv')).catch(() => undefined);
  return stats && JSON.stringify([place, stats.mtimeMs, stats.size]);
}

/** Reads a record, as far as it is written. @throws InputError if it is damaged. */
async function readSource({ folder }: ListedRun, place: Place): Promise<RunSource> {
  const source = place.isWhole ? await recorded(place.folder) : underWay(place.folder);
  // A live crawl writes its graph beside its record.
  const logs = folder === null || source.kind !== 'live' || !source.isWhole ? [] : [join(folder, 'graph.owg')];
  return { ...source, graphs: [...source.graphs, ...logs] };
}

async function recorded(folder: string): Promise<RunSource> {
  const run = await readRecordedRun(folder);
  const [events, failures] = [await readRunEvents(folder, run), await readFailures(folder, run)];
  const { experiment, dataset: { name, sha256 }, origin } = run;
  const kind = kindOf(experiment);
  return { kind, isWhole: true, events: { ...events, failures }, experiment, sha256, graphs: [origin?.graph ?? name] };
}

function underWay(folder: string): RunSource {
  const started = startedSource(folder);
  return { ...started, kind: kindOf(started.experiment), isWhole: false, events: readIncomplete(folder).events };
}

/** What the record of a run that goes on says of its settings and its graph. */
export function startedSource(folder: string): RunOfPages & Pick<RunSource, 'experiment'> {
  const { experiment, dataset, graph } = readStartedRun(folder);
  return { experiment, sha256: dataset?.sha256 ?? '', graphs: [graph ?? dataset?.name ?? []].flat() };
}

function kindOf(experiment: object): RunSource['kind'] {
  return 'live' in experiment ? 'live' : 'simulation';
}
