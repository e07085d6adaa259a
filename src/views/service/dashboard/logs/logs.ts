import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../../../../base/index.ts';
import { endOfIncomplete, endOfRecord, outcomesBefore, type OutcomePlace } from '../../../../core/measure/index.ts';
import { feedFile, loggedOutcomesBefore, outcomesFile, storedFeedBefore, type FeedLine } from '../../../watch/index.ts';
import type { ListedRun } from '../api.ts';
import { checkOwnFile } from '../runs/record-files.ts';
import { placeOf, type Place } from '../runs/record-place.ts';
import { readRecordedRun } from '../runs/recorded-run.ts';
import { startedSource, type RunSource } from '../runs/run-source.ts';
import type { PagesOpener, RunOfPages, RunPages } from '../timeline/run-pages.ts';
import type { FeedQuery, LogQuery, LogRow, RunFeed, RunLog } from './api.ts';
import { search, type Placed } from './search.ts';

/** An outcome; its name is made where it is needed. */
type Outcome = Omit<LogRow, 'name'> & { readonly page: number; readonly url: string | undefined };

/** What does not change while a record grows. */
interface Opened {
  readonly pages: RunPages | undefined;
  readonly processors: number;
  /** The end of a complete record; undefined while the record grows. */
  readonly end: OutcomePlace | undefined;
}

const MAX_NAME = 500;
/** Runs that stay open. */
const MAX_OPEN = 4;
const nothing: RunLog = { rows: [], older: null, backToUs: null, hasProcessors: true };

/** Logs and feeds of runs, read from their records from the end back, as far as a request needs. */
export class Logs {
  readonly #openPages: PagesOpener;
  readonly #open = new Map<string, Promise<Opened>>();
  #lastFeed: { readonly id: string; readonly lines: readonly FeedLine[] } | undefined;

  constructor(openPages: PagesOpener) {
    this.#openPages = openPages;
  }

  /** @throws InputError if the record cannot be read, or `before` is no place in it. */
  async log(run: ListedRun, query: LogQuery): Promise<RunLog> {
    const place = placeOf(run);
    if (place === undefined) return nothing;
    if (checkOwnFile(place.watched, outcomesFile)) return logged(place.watched, query);
    // Before its first superstep, a record has no more than empty files.
    const limit = place.isWhole ? undefined : endOfIncomplete(place.folder);
    if (!place.isWhole && limit === undefined) return nothing;
    const opened = await this.#opened(place, run);
    const end = opened.end ?? limit;
    return end === undefined ? nothing : recorded(place.folder, opened, placeIn(end, query.before), query);
  }

  /** @param recent - its last lines, or those that its record can be asked for. */
  async feed(run: ListedRun, recent: () => Promise<readonly FeedLine[]>, query: FeedQuery): Promise<RunFeed> {
    const place = placeOf(run);
    const isStored = place !== undefined && checkOwnFile(place.watched, feedFile);
    const end = query.before === undefined ? Infinity : byteOf(query.before);
    const lines = isStored ? storedFeedBefore(place.watched, end)
      : (await this.#recent(run, recent)).filter(({ number }) => number < end).reverse();
    const words = query.find.trim().toLowerCase();
    const { items, older } = search(placed(lines), ({ text, processor }) =>
      (query.processor === undefined || processor === query.processor) && text.toLowerCase().includes(words),
    query.limit);
    const from = isStored ? 'stored' : run.state === 'running' ? 'recent' : 'record';
    return { lines: items.map((line) => ({ ...line, text: cut(line.text) })), older, from };
  }

  /** The last feed of a run that has ended is kept, because its whole record is read for it. */
  async #recent({ id, state }: ListedRun, recent: () => Promise<readonly FeedLine[]>): Promise<readonly FeedLine[]> {
    if (state === 'running') return recent();
    if (this.#lastFeed?.id !== id) this.#lastFeed = { id, lines: await recent() };
    return this.#lastFeed.lines;
  }

  async #opened(place: Place, run: ListedRun): Promise<Opened> {
    const { mtimeMs } = await stat(join(place.folder, place.isWhole ? 'run.json' : 'started.json'));
    const key = JSON.stringify([place, mtimeMs]);
    const opened = this.#open.get(key) ?? this.#openOf(place, run);
    this.#open.delete(key);
    this.#open.set(key, opened);
    for (const oldest of [...this.#open.keys()].slice(0, -MAX_OPEN)) this.#open.delete(oldest);
    // What cannot be read now may be there the next time, and a graph may be brought later.
    const forget = (): void => { if (this.#open.get(key) === opened) this.#open.delete(key); };
    opened.then(({ pages }) => { if (pages === undefined) forget(); }, forget);
    return opened;
  }

  async #openOf({ folder, isWhole }: Place, run: ListedRun): Promise<Opened> {
    const { experiment, graphs, sha256, pages } =
      isWhole ? await ended(folder, run) : { ...startedSource(folder), pages: undefined };
    return {
      processors: experiment.processors, pages: await this.#openPages({ experiment, graphs, sha256 }),
      end: pages === undefined ? undefined : endOfRecord(folder, pages),
    };
  }
}

/** A complete record: its settings, its graph and the number of its pages. */
type Source = RunOfPages & Pick<RunSource, 'experiment'> & { readonly pages: number };

async function ended(folder: string, { folder: file }: ListedRun): Promise<Source> {
  const { experiment, dataset: { name, sha256 }, origin, summary } = await readRecordedRun(folder);
  const graphs = [origin?.graph ?? name, ...(file === null ? [] : [join(file, 'graph.owg')])];
  return { experiment, sha256, graphs, pages: summary.pagesFetched };
}

function recorded(folder: string, { pages, processors }: Opened, end: OutcomePlace, query: LogQuery): RunLog {
  const processorOf = (page: number): number | null => (processors === 1 ? 0 : pages?.processorOf(page) ?? null);
  const outcomes = function* (): Generator<Placed<Outcome>> {
    for (const { page, kind, processor, startedUs, finishedUs, place } of outcomesBefore(folder, end)) {
      const older = place.position === 0 ? null : [place.position, place.pages, place.failuresBytes].join('.');
      const item = {
        number: place.position, page, url: undefined, kind, processor: processor ?? processorOf(page), startedUs,
        finishedUs, bytes: null,
      };
      yield { item, before: older };
    }
  };
  return logOf(outcomes(), (page) => pages?.nameOf(page), query, processors === 1 || pages !== undefined);
}

function logged(folder: string, query: LogQuery): RunLog {
  const end = query.before === undefined ? undefined : byteOf(query.before);
  const outcomes = function* (): Generator<Placed<Outcome>> {
    for (const { begin, ...outcome } of loggedOutcomesBefore(folder, end))
      yield { item: { number: begin, ...outcome }, before: begin === 0 ? null : String(begin) };
  };
  return logOf(outcomes(), () => undefined, query, true);
}

function logOf(
  outcomes: Iterable<Placed<Outcome>>, nameOf: RunPages['nameOf'], query: LogQuery, hasProcessors: boolean,
): RunLog {
  const urlOf = ({ page, url }: Outcome): string => {
    const name = url?.replace(/^https?:\/\//, '') ?? nameOf(page) ?? '';
    return name === '' ? `page ${page}` : name;
  };
  const words = query.find.trim().toLowerCase();
  const { items, older, last } = search(outcomes, (outcome) => isOfKind(outcome.kind, query.kind)
    && (query.processor === undefined || outcome.processor === query.processor)
    && (words === '' || urlOf(outcome).toLowerCase().includes(words)), query.limit);
  const rows = items.map((outcome): LogRow => {
    const { number, processor, kind, startedUs, finishedUs, bytes } = outcome;
    return { number, processor, name: cut(urlOf(outcome)), kind, startedUs, finishedUs, bytes };
  });
  return { rows, older, backToUs: last?.finishedUs ?? null, hasProcessors };
}

function* placed(lines: Iterable<FeedLine>): Generator<Placed<FeedLine>, undefined> {
  for (const line of lines) yield { item: line, before: line.number === 0 ? null : String(line.number) };
}

const isOfKind = (kind: string, wantedKind: LogQuery['kind']): boolean =>
  wantedKind === undefined || (wantedKind === 'failed' ? kind !== 'fetched' : kind === wantedKind);

const cut = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME)}…` : text);

/** A place that an answer named. @throws InputError if the record has none like it. */
function placeIn(end: OutcomePlace, text: string | undefined): OutcomePlace {
  if (text === undefined) return end;
  const [position, pages = -1, failuresBytes = -1] = text.split('.').map(Number);
  const isThere = pages >= 0 && failuresBytes >= 0 && position <= end.position && pages <= end.pages
    && failuresBytes <= end.failuresBytes && pages <= position;
  if (!isThere) throw noPlace(text);
  return { position, pages, failuresBytes };
}

function byteOf(text: string): number {
  if (text.includes('.')) throw noPlace(text);
  return Number(text);
}

function noPlace(text: string): InputError {
  return new InputError(`before: ${text} is not a place in the log of this run`, { field: 'before' });
}
