import { InputError } from '../../../base/index.ts';
import type { ProcessorSnapshot, RunControl } from '../../../core/engine/index.ts';
import type {
  Change, Crash, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd,
} from '../../../core/events/index.ts';
import type { StatisticsRow } from '../../../core/measure/index.ts';
import type { Outcome } from '../../../core/world/index.ts';
import {
  maxOpenShown, type CurveColumns, type DegreeCounts, type ProcessorState, type RankBound, type RunCard,
  type RunMessage, type RunPhase, type RunRequest, type RunState,
} from '../contract.ts';
import { rankBound } from '../curves/rank-bound.ts';
import { RunCurves } from '../curves/run-curves.ts';
import type { Watchable } from '../door.ts';
import { stopAsked } from '../feed.ts';
import { RunCounts } from './counts.ts';
import { Pace } from './pace.ts';
import { RunFeed } from './run-feed.ts';

export interface RunWatchOptions {
  readonly card: RunCard;
  readonly control: RunControl;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Its abort asks the run to end. */
  readonly signal?: AbortSignal | undefined;
  /** Fulfilled after so many milliseconds; holds the process. Without it, the run cannot be slowed. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  /** The folder of its record while it goes on: its feed is stored there once it has started. */
  readonly folder?: string | undefined;
}

/**
 * What a watcher learns of a run: sinks count what the run reports, and `RunWatch` makes messages of it when somebody
 * looks; only then it looks up names.
 */
export class RunWatch implements RunSink, Watchable {
  readonly card: RunCard;
  readonly now: () => number;
  readonly #control: RunControl;
  readonly #signal: AbortSignal | undefined;
  readonly #sinceMs: number;
  readonly #pace: Pace | undefined;
  readonly #counts = new RunCounts();
  readonly #curves = new RunCurves(this.#counts);
  readonly #feed: RunFeed;
  #bound: RankBound | null = null;
  #run: RunStarted | undefined;
  #isStartedSent = false;
  #superstep = 0;
  #statistics: Pick<RunState, 'statistics' | 'figures' | 'degrees'> =
    { statistics: null, figures: null, degrees: null };
  #isStopAsked = false;
  /** The last state of the processors of a run that has ended: they are gone. */
  #last: Pick<RunState, 'seconds' | 'processors'> | undefined;
  #end: { readonly error: string | null } | undefined;

  constructor({ card, control, now, signal, sleep, folder }: RunWatchOptions) {
    this.card = card;
    this.now = now;
    this.#control = control;
    this.#signal = signal;
    this.#sinceMs = now();
    this.#feed = new RunFeed(this.#counts, folder);
    this.#pace = sleep && new Pace({ now, sleep, isOver: () => this.#isStopping });
  }

  /** Before the run. @param values - ranks of all pages. @param best - ranks of the pages within reach, falling. */
  rankBy(values: Float64Array, best: Float64Array): void {
    this.#bound = rankBound(best);
    this.#counts.rankBy(values, best.reduce((sum, rank) => sum + rank, 0));
    this.#curves.drawRank();
  }

  /** Figures of the graph fetched, in order of supersteps. */
  statistics(row: StatisticsRow): void {
    const { superstep, pages, inDegrees, outDegrees, method } = row;
    const { figures, degrees } = this.#statistics;
    const hasDegrees = inDegrees !== null && outDegrees !== null;
    this.#statistics = {
      statistics: row, figures: method === '' ? figures : row,
      degrees: hasDegrees ? { superstep, pages, inDegrees, outDegrees } satisfies DegreeCounts : degrees,
    };
  }

  started(run: RunStarted): void {
    this.#run = run;
    this.#counts.started(run);
    this.#curves.started(run);
    this.#feed.started(run);
  }

  superstepBegins(superstep: number): void {
    this.#superstep = superstep;
    this.#counts.superstepBegins(superstep);
    this.#feed.superstepBegins(superstep);
  }

  outcome(processor: number, outcome: Outcome): void {
    this.#counts.outcome(processor, outcome);
    this.#feed.outcome(processor, outcome);
  }

  superstep(end: SuperstepEnd): void {
    this.#counts.superstep(end);
    this.#curves.superstep(end);
    this.#feed.superstep(end);
  }

  crash(crash: Crash): void {
    this.#feed.crash(crash);
  }

  rolledBack(back: RolledBack): void {
    this.#feed.rolledBack(back);
  }

  changed(change: Change): void {
    this.#feed.changed(change);
    this.#curves.changed(change);
  }

  ended(end: RunEnd | 'failed'): void {
    this.#last = this.#processors();
    this.#curves.ended();
    this.#feed.ended(end);
  }

  /** The command has ended. @param error what it printed, if it failed. */
  finish(error: string | null = null): void {
    this.#end = { error };
    if (error !== null) this.#feed.tell(`failed: ${error}`);
  }

  get isPaused(): boolean {
    return this.#control.isPaused;
  }

  /** Does what a watcher asks. @throws InputError if the run cannot. */
  ask(request: RunRequest): void {
    if (this.#last !== undefined || this.#end !== undefined) throw new InputError('the run has ended');
    switch (request.do) {
      case 'pause':
        if (this.#isStopping) throw new InputError('the run is stopping, and cannot be paused any more');
        if (!this.isPaused) this.#feed.tell('paused');
        this.#control.pause();
        break;
      case 'resume':
        if (this.isPaused) this.#feed.tell('resumed');
        this.#control.resume();
        break;
      case 'stop':
        if (!this.#isStopping) this.#feed.tell(stopAsked);
        this.#isStopAsked = true;
        this.#control.stop();
        break;
      case 'robots':
        // The processors are not known before: nobody could be told that a processor does not exist.
        if (request.processor !== undefined && this.#run === undefined)
          throw new InputError('the run has not started: single processors can be changed later', {
            field: 'processor',
          });
        this.#control.setRobots(request.robots, request.processor);
        break;
      case 'host': {
        const host = this.#hostOf(request.host);
        if (request.delayMs === null) this.#control.blockHost(host);
        else this.#control.raiseHostDelay(host, request.delayMs);
        break;
      }
      case 'pace':
        this.#setPace(request.maxSuperstepsPerSecond);
    }
  }

  /** The curves of the run so far, and the best order. */
  curves(): CurveColumns & { readonly bound: RankBound | null } {
    return { ...this.#curves.curves.all(), bound: this.#bound };
  }

  whole(): RunMessage[] {
    return [
      { is: 'card', card: this.card }, ...this.#startedRun(), { is: 'curves', curves: this.#curves.curves.all() },
      { is: 'feed', lines: this.#feed.feed.lines }, this.state(),
    ];
  }

  news(): RunMessage[] {
    const started = this.#isStartedSent ? [] : this.#startedRun();
    this.#isStartedSent ||= started.length > 0;
    const points = this.#curves.curves.take();
    const lines = this.#feed.feed.take();
    return [...started, ...(points ? [points] : []), ...(lines.length > 0 ? [{ is: 'feed' as const, lines }] : [])];
  }

  state(): Extract<RunMessage, { is: 'state' }> {
    const { seconds, processors } = this.#last ?? this.#processors();
    const state: RunState = {
      phase: this.#phase, error: this.#end?.error ?? null, superstep: this.#superstep, seconds,
      elapsedSeconds: (this.now() - this.#sinceMs) / 1000,
      pagesFetched: processors.reduce((sum, { fetched }) => sum + fetched, 0), failures: this.#counts.failures,
      bytes: this.#counts.bytes, processors, ...this.#statistics, pace: this.#pace?.rate ?? null,
      limits: this.#curves.limits,
    };
    return { is: 'state', state };
  }

  #hostOf(name: string): number {
    const host = this.#run?.names.findHost(name) ?? -1;
    if (host >= 0) return host;
    throw new InputError(
      this.#run === undefined ? 'the run has not started: hosts can be changed later' : `host ${name}: is not known`,
      { field: 'host' },
    );
  }

  #setPace(rate: number | null): void {
    if (this.card.kind !== 'simulation' || this.#pace === undefined)
      throw new InputError('a live crawl cannot be slowed: reduce its robots');
    if (rate === this.#pace.rate) return;
    this.#pace.rate = rate;
    this.#control.setPace(this.#pace.wait);
    this.#feed.tell(rate === null ? 'at full speed' : `slowed to ${rate} supersteps per second`);
  }

  get #isStopping(): boolean {
    return this.#isStopAsked || this.#signal?.aborted === true;
  }

  get #phase(): RunPhase {
    if (this.#end !== undefined) return this.#end.error === null ? 'finished' : 'failed';
    if (this.#last !== undefined) return 'finalising';
    if (this.#isStopping) return 'stopping';
    if (this.#run === undefined) return 'preparing';
    return this.isPaused ? 'paused' : 'running';
  }

  #startedRun(): RunMessage[] {
    if (this.#run === undefined) return [];
    const { settings, maxPages } = this.#run;
    const { processors, maxSeconds = null } = settings;
    const facts = { processors, maxPages: Number.isFinite(maxPages) ? maxPages : null, maxSeconds };
    return [{ is: 'started', run: { ...this.card, ...facts, settings: { ...settings }, bound: this.#bound } }];
  }

  #processors(): Pick<RunState, 'seconds' | 'processors'> {
    const snapshots = this.#control.inspect()?.processors ?? [];
    return {
      seconds: snapshots.reduce((latest, { nowUs }) => Math.max(latest, nowUs), 0) / 1e6,
      processors: snapshots.map((snapshot) => this.#processor(snapshot)),
    };
  }

  #processor({ processor, nowUs, robots, openDownloads, lastOutcome, ...counts }: ProcessorSnapshot): ProcessorState {
    const open = [...openDownloads].sort((a, b) => a.startedAtUs - b.startedAtUs).slice(0, maxOpenShown);
    return {
      processor, robots, openCount: openDownloads.length, queued: counts.pagesQueued, pending: counts.pendingJobs,
      open: open.map(({ page, startedAtUs }) => (
        { name: this.#nameOf(page), seconds: Math.max(0, nowUs - startedAtUs) / 1e6 }
      )),
      known: counts.pagesKnown, fetched: counts.pagesFetched, ...this.#counts.of(processor),
      lastOutcome: lastOutcome === undefined ? null : {
        name: this.#nameOf(lastOutcome.page), kind: lastOutcome.kind, at: lastOutcome.finishedAtUs / 1e6,
      },
    };
  }

  #nameOf(page: number): string {
    return this.#run?.names.urlOf(page) ?? `page ${page}`;
  }
}
