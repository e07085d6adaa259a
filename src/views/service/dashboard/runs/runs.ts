import { join as pathOf } from 'node:path';
import { readRegular } from '../../../../base/files/index.ts';
import { InputError } from '../../../../base/index.ts';
import {
  limitsInWords, partialOf, readRunEvents, type RunSummary, type SuperstepRow,
} from '../../../../core/measure/index.ts';
import {
  jobKinds, join, openRuns, recordedCurves, recordedFeed, type CurveColumns, type JobKind, type JoinedRun, type OpenRun,
  type RankBound, type RunCard, type StartedRun,
} from '../../../watch/index.ts';
import type { ControlBody, ListedRun, RecordedProcessor, RunView } from '../api.ts';
import { shownCurvesSchema } from '../messages.ts';
import { checkOwnFile } from './record-files.ts';
import { readRecordedRun, readStartedRun, type RecordedSettings } from './recorded-run.ts';
import { forkOfIn, idOfFolder, RecordedRuns } from './recorded-runs.ts';
import { recordedState } from '../jobs/recorded-jobs.ts';
import type { RunStarter } from './run-starter.ts';

const nothing: Omit<RunView, 'listed'> = {
  run: null, state: null, job: null, feed: [], summary: null, limits: null, processors: [],
  curves: recordedCurves({ rows: [], times: new Float64Array(0) }, { processors: 1, robots: 1 }),
};

/** The runs that there are: those going on, wherever they were started, those recorded, and those that failed. */
export class Runs {
  readonly #recorded: RecordedRuns;
  readonly #starter: RunStarter;

  constructor(folders: readonly string[], starter: RunStarter) {
    this.#recorded = new RecordedRuns(folders);
    this.#starter = starter;
  }

  /** Those going on first, then the latest. */
  async list(): Promise<ListedRun[]> {
    const running = (await openRuns()).map(({ card }) => listedOf(card));
    const ids = new Set(running.map(({ id }) => id));
    const { failed, killed } = this.#starter;
    const recorded = (await this.#recorded.list()).map((run) => withEnd(run, killed));
    const others = [...failed, ...recorded, ...killed].filter(({ id }) => {
      const isNew = !ids.has(id);
      ids.add(id);
      return isNew;
    });
    const latest = (first: ListedRun, other: ListedRun): number =>
      (other.startedAt ?? '').localeCompare(first.startedAt ?? '');
    return [...running.sort(latest), ...others.sort(latest)];
  }

  /** A run of the list; undefined if there is none of this id. */
  async find(id: string): Promise<ListedRun | undefined> {
    return (await this.list()).find((run) => run.id === id);
  }

  /** A run that goes on. */
  async going(id: string): Promise<OpenRun | undefined> {
    return (await openRuns()).find(({ card }) => idOf(card) === id);
  }

  /** All there is of a run; undefined for an unknown one. */
  async view(id: string): Promise<RunView | undefined> {
    const listed = await this.find(id);
    if (listed === undefined) return undefined;
    const run = await this.going(id);
    return (run && (await goingOn(listed, run))) ?? recorded(listed);
  }

  /**
   * What `reader` finds in the record of a run; undefined if there is no such run. A record moves when its run ends:
   * what is missing at that moment is searched once more.
   */
  async read<T>(id: string, reader: (run: ListedRun) => Promise<T | undefined>): Promise<T | undefined> {
    const run = await this.find(id);
    if (run === undefined || run.figures !== null) return run && reader(run);
    const answer = reader(run);
    const value = await answer.catch(() => undefined);
    if (value !== undefined) return value;
    const ended = (await this.#recorded.list()).find((other) => other.id === id && other.figures !== null);
    return ended === undefined ? answer : reader(ended);
  }

  /** @throws InputError with what the run answers, or if it does not go on. */
  async control(id: string, body: ControlBody): Promise<void> {
    const run = await this.going(id);
    if (run === undefined) throw new InputError('the run has ended');
    const joined = await join(run, { message: () => undefined, closed: () => undefined });
    try {
      await joined.ask(body);
    } finally {
      joined.close();
    }
  }

  /** report.html of a finished run. @throws InputError if that is another file than a run's own. */
  async report(id: string): Promise<Buffer | undefined> {
    const folder = (await this.#recorded.list()).find((run) => run.id === id)?.folder ?? null;
    if (folder === null || !checkOwnFile(folder, 'report.html')) return undefined;
    return readRegular(pathOf(folder, 'report.html'), Infinity).catch(() => undefined);
  }
}

/** What its starter knows of the end of a run that a signal ended, and its record cannot. */
function withEnd(run: ListedRun, killed: readonly ListedRun[]): ListedRun {
  const end = killed.find(({ id }) => id === run.id);
  if (end === undefined || run.state !== 'interrupted' || run.figures !== null) return run;
  return { ...run, name: end.name, command: end.command, problem: `${end.problem}; ${run.problem}` };
}

function idOf({ folder, id }: RunCard): string {
  return folder === null ? id : idOfFolder(folder);
}

function listedOf(card: RunCard): ListedRun {
  const { kind, name, command, folder, startedAt } = card;
  return {
    id: idOf(card), kind, name, state: 'running', command, folder, startedAt, figures: null, problem: null,
    answer: null,
    forkOf: folder === null ? null : forkUnderWay(folder), hasReport: false,
  };
}

/** The record of a run names the run that it forks from its beginning on. */
function forkUnderWay(folder: string): ListedRun['forkOf'] {
  try {
    return forkOfIn(readStartedRun(partialOf(folder)));
  } catch {
    return null;
  }
}

function isJob(kind: ListedRun['kind']): kind is JobKind {
  return (jobKinds as readonly string[]).includes(kind);
}

/** What a run that goes on says of itself, up to its first state. */
async function goingOn(listed: ListedRun, run: OpenRun): Promise<RunView | undefined> {
  let view: RunView = { ...nothing, listed, run: run.card };
  let joined: JoinedRun | undefined;
  await new Promise<void>((resolve) => {
    join(run, {
      message: (message) => {
        if (message.is === 'started') view = { ...view, run: message.run };
        if (message.is === 'curves') view = { ...view, curves: message.curves };
        if (message.is === 'feed') view = { ...view, feed: message.lines };
        if (message.is === 'state') view = { ...view, state: message.state };
        if (message.is === 'job') view = { ...view, job: message.job };
        if (message.is === 'state' || message.is === 'job') resolve();
      },
      closed: resolve,
    }).then((run) => { joined = run; }, () => { resolve(); });
  });
  joined?.close();
  return view.state === null && view.job === null ? undefined : view;
}

async function recorded(listed: ListedRun): Promise<RunView> {
  const view: RunView = { ...nothing, listed };
  const { id, kind, name, command, folder, startedAt } = listed;
  if (isJob(kind)) return { ...view, job: folder === null ? null : await recordedState(folder) };
  if (listed.figures === null || folder === null || kind === 'runs') return view;
  const { experiment, summary, memory, changes = [], ...record } = await readRecordedRun(folder);
  const events = await readRunEvents(folder, { experiment, summary, changes, ...record });
  const { processors, maxPages = summary.reachablePages, maxSeconds = null } = experiment;
  const stored = await shownCurves(folder);
  const run: StartedRun = {
    id, kind, name, command, folder, pid: 0, startedAt: startedAt ?? '', processors, maxSeconds,
    settings: { ...experiment }, bound: stored?.bound ?? null,
    maxPages: kind === 'live' ? experiment.maxPages ?? null : Math.min(maxPages, summary.reachablePages),
  };
  const curves = stored ?? recordedCurves({ ...events, changes }, experiment);
  const feed = recordedFeed({ experiment, summary, changes, forkOf: record.forkOf }, events.rows);
  const pagesKnown = memory?.pagesKnown ?? null;
  return {
    ...view, run, summary: { ...summary, pagesKnown }, limits: limitsOf(summary), curves, feed,
    processors: processorsOf(events.rows, experiment),
  };
}

function processorsOf(rows: readonly SuperstepRow[], { processors, robots }: RecordedSettings): RecordedProcessor[] {
  const all = Array.from({ length: processors }, (_, processor) => (
    { processor, robots, queued: 0, pending: 0, fetched: 0, failures: 0, bytes: 0, updatedAt: null as number | null }
  ));
  for (const { processor, barrierUs, pages, failures, retried, bytes, queued, pending } of rows) {
    const state = all[processor];
    state.fetched += pages;
    state.failures += failures + retried;
    state.bytes += bytes;
    Object.assign(state, { queued, pending, updatedAt: barrierUs / 1e6 });
  }
  return all;
}

/** Records of earlier versions do not say. */
function limitsOf({ limits }: Partial<Pick<RunSummary, 'limits'>>): string | null {
  return limits === undefined ? null : limitsInWords(limits);
}

type ShownCurves = CurveColumns & { readonly bound: RankBound | null };

/** Those of a run that was watched, which know the rank; undefined for any other. */
async function shownCurves(folder: string): Promise<ShownCurves | undefined> {
  try {
    return shownCurvesSchema.parse(JSON.parse((await readRegular(pathOf(folder, 'curves.json'))).toString()));
  } catch {
    return undefined;
  }
}
