import { BitSet, InputError } from '../../base/index.ts';
import type { ProcessorSnapshot, RunControl } from '../../core/engine/index.ts';
import type { Change, Crash, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd } from '../../core/events/index.ts';
import { limitsInWords, LimitsSoFar, type StatisticsRow } from '../../core/measure/index.ts';
import type { SimulationSettings } from '../../core/settings/index.ts';
import { isAboutPage, isTransient, type Outcome } from '../../core/world/index.ts';
import {
  maxOpenShown, type CurveColumns, type DegreeCounts, type ProcessorState, type RankBound, type RunCard,
  type RunMessage, type RunPhase, type RunRequest, type RunState,
} from './contract.ts';
import { Curves, type CurveMoment } from './curves/curves.ts';
import type { Watchable } from './door.ts';
import { FailingHosts } from './failing-hosts.ts';
import { Feed, stopAsked } from './feed.ts';
import { Pace } from './pace.ts';
import { rankBound } from './curves/rank-bound.ts';
import { spanOf } from './curves/spans.ts';
import { StoredFeed } from './stored/stored-feed.ts';

export interface RunWatchOptions {
  readonly card: RunCard;
  /** That of the run. */
  readonly control: RunControl;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** That of the run: its abort asks the run to end. */
  readonly signal?: AbortSignal | undefined;
  /** Fulfilled after so many milliseconds; holds the process. Without it, the run cannot be slowed. */
  readonly sleep?: ((ms: number) => Promise<unknown>) | undefined;
  /** Where its feed is stored, once it has started: the folder of its record while it goes on. */
  readonly folder?: string | undefined;
}

/** Rows of supersteps that are accounted together, if nobody looks before; some 300 bytes each. */
const MAX_ROWS_WAITING = 4096;

/** A superstep that has ended and is not accounted. */
interface Waiting extends Pick<SuperstepEnd, 'barrierUs' | 'rows'> {
  /** The state at its barrier. */
  readonly moment: CurveMoment;
}

/**
 * What a watcher learns of a run: a sink that counts what the run reports, and makes messages of it when asked to.
 *
 * Cost  some additions per outcome; a superstep is stored, and accounted with others once somebody looks, or there are
 *       many; names are looked up when a state is made.
 */
export class RunWatch implements RunSink, Watchable {
  readonly card: RunCard;
  readonly now: () => number;
  readonly #control: RunControl;
  readonly #signal: AbortSignal | undefined;
  readonly #sinceMs: number;
  readonly #feed = new Feed((line) => this.#storedFeed?.add(line));
  readonly #folder: string | undefined;
  #storedFeed: StoredFeed | undefined;
  #curves = new Curves(false);
  #ranks: { readonly values: Float64Array; readonly total: number; readonly bound: RankBound } | undefined;
  readonly #ranked = new BitSet();
  #rank = 0;
  #run: RunStarted | undefined;
  #isStartedTaken = false;
  /** Of the run's events: before it was resumed, and the present superstep. */
  #isHistory = false;
  #superstep = 0;
  /** The last barrier that is accounted. */
  #barrierUs = 0;
  #waiting: Waiting[] = [];
  #rowsWaiting = 0;
  /** The latest time of any event. */
  #atUs = 0;
  #pages = 0;
  #failures = 0;
  #bytes = 0;
  /** By processor. */
  #failuresOf = new Uint32Array(0);
  #bytesOf = new Float64Array(0);
  #robotsOf = new Uint32Array(0);
  #robots = 0;
  readonly #failingHosts = new FailingHosts((text, processor) => { this.#tell(text, processor); });
  #limits: LimitsSoFar | undefined;
  #statistics: StatisticsRow | null = null;
  #figures: StatisticsRow | null = null;
  #degrees: DegreeCounts | null = null;
  readonly #pace: Pace | undefined;
  #isStopAsked = false;
  /** Since the run has ended: its processors are gone. */
  #last: { readonly seconds: number; readonly processors: readonly ProcessorState[] } | undefined;
  #end: { readonly error: string | null } | undefined;

  constructor({ card, control, now, signal, sleep, folder }: RunWatchOptions) {
    this.card = card;
    this.#folder = folder;
    this.now = now;
    this.#control = control;
    this.#signal = signal;
    this.#sinceMs = now();
    this.#pace = sleep && new Pace({ now, sleep, isOver: () => this.#isStopping });
  }

  /** Before the run: the ranks of all pages, and those of the pages within reach, falling. */
  rankBy(values: Float64Array, best: Float64Array): void {
    this.#ranks = { values, total: best.reduce((sum, rank) => sum + rank, 0), bound: rankBound(best) };
    this.#curves = new Curves(true);
  }

  /** Figures of the graph fetched, in order of supersteps. */
  statistics(row: StatisticsRow): void {
    this.#statistics = row;
    if (row.method !== '') this.#figures = row;
    const { superstep, pages, inDegrees, outDegrees } = row;
    if (inDegrees !== null && outDegrees !== null) this.#degrees = { superstep, pages, inDegrees, outDegrees };
  }

  started(run: RunStarted): void {
    this.#run = run;
    const { settings: { processors, robots }, firstSuperstep, names } = run;
    this.#failuresOf = new Uint32Array(processors);
    this.#bytesOf = new Float64Array(processors);
    this.#robotsOf = new Uint32Array(processors).fill(robots);
    this.#robots = processors * robots;
    // A live crawl does not know the bandwidth of others.
    const { network } = run.settings as Partial<Pick<SimulationSettings, 'network'>>;
    this.#limits = new LimitsSoFar({
      politenessUs: 1000 * Math.max(run.settings.politenessMs, network?.addressDelayMs ?? 0), isWhole: false,
      processorBandwidth: network?.processorBandwidthBytesPerSecond,
      superstepUs: run.settings.superstepMs === 0 ? undefined : 1000 * run.settings.superstepMs,
      maxPages: run.settings.maxPages,
    });
    if (this.#folder !== undefined) this.#storeFeed(this.#folder);
    this.#feed.started(this.#atUs, {
      settings: run.settings, firstSuperstep, hostName: (host) => names.hostName(host),
    });
  }

  superstepBegins(superstep: number): void {
    this.#superstep = superstep;
    this.#isHistory = superstep < (this.#run?.firstSuperstep ?? 0);
  }

  outcome(processor: number, { page, kind, bytes, finishedAtUs }: Outcome): void {
    if (finishedAtUs > this.#atUs) this.#atUs = finishedAtUs;
    // Before a run was resumed, the rows have the bytes.
    if (!this.#isHistory) {
      this.#bytes += bytes;
      this.#bytesOf[processor] += bytes;
    }
    if (kind === 'fetched') {
      if (this.#ranks !== undefined && this.#ranked.add(page)) this.#rank += this.#ranks.values[page];
    } else if (isAboutPage(kind)) {
      this.#failures++;
      this.#failuresOf[processor]++;
    }
    if (isTransient(kind)) this.#failingHosts.failed(page, processor, kind, this.#run!.names);
    else if (kind !== 'robotsDenied' && kind !== 'busy') this.#failingHosts.answered(page, this.#run!.names);
  }

  superstep({ superstep, barrierUs, rows, pagesFetched }: SuperstepEnd): void {
    if (this.#isHistory) {
      for (const { processor, bytes } of rows) {
        this.#bytes += bytes;
        this.#bytesOf[processor] += bytes;
      }
    }
    this.#atUs = Math.max(this.#atUs, barrierUs);
    this.#pages = pagesFetched;
    this.#waiting.push({
      moment: {
        superstep, seconds: barrierUs / 1e6, pages: pagesFetched, failures: this.#failures, bytes: this.#bytes,
        rank: this.#ranks === undefined ? 0 : this.#rank / this.#ranks.total,
      },
      barrierUs, rows,
    });
    this.#rowsWaiting += rows.length;
    if (this.#rowsWaiting >= MAX_ROWS_WAITING) this.#account();
  }

  /** Adds the supersteps that wait to the curves and the limits. */
  #account(): void {
    for (const { moment, barrierUs, rows } of this.#waiting) {
      const spanUs = Math.max(0, barrierUs - this.#barrierUs);
      this.#barrierUs = barrierUs;
      this.#limits?.add(rows);
      this.#curves.add(moment, spanOf(rows, this.#robotsOf, this.#robots, spanUs));
    }
    this.#waiting = [];
    this.#rowsWaiting = 0;
  }

  crash(crash: Crash): void {
    if (!this.#isHistory) this.#feed.crash(crash);
  }

  rolledBack({ superstep }: RolledBack): void {
    if (!this.#isHistory) this.#feed.rolledBack(this.#atUs, superstep);
  }

  changed(change: Change): void {
    if (!this.#isHistory) this.#feed.changed(this.#atUs, change);
    const { processor, setting, value } = change;
    if (setting !== 'robots') return;
    this.#account();
    this.#robots += value - this.#robotsOf[processor];
    this.#robotsOf[processor] = value;
  }

  ended(end: RunEnd | 'failed'): void {
    const processors = this.#control.inspect()?.processors ?? [];
    this.#last = { seconds: secondsOf(processors), processors: this.#processors(processors) };
    this.#account();
    this.#curves.end();
    if (end !== 'failed') this.#feed.ended(this.#atUs, end, this.#pages, this.#failures);
  }

  /** The command has ended. @param error what it printed, if it failed. */
  finish(error: string | null = null): void {
    this.#end = { error };
    if (error !== null) this.#tell(`failed: ${error}`);
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
        if (!this.isPaused) this.#tell('paused');
        this.#control.pause();
        break;
      case 'resume':
        if (this.isPaused) this.#tell('resumed');
        this.#control.resume();
        break;
      case 'stop':
        if (!this.#isStopping) this.#tell(stopAsked);
        this.#isStopAsked = true;
        this.#control.stop();
        break;
      case 'robots':
        // Until then it is not known which processors there are, and nobody could be told that there is none of them.
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

  /** Of the run so far; of one that has ended, whole. */
  curves(): CurveColumns & { readonly bound: RankBound | null } {
    this.#account();
    return { ...this.#curves.all(), bound: this.#ranks?.bound ?? null };
  }

  /** All there is so far. */
  whole(): RunMessage[] {
    this.#feed.settle();
    this.#account();
    return [
      { is: 'card', card: this.card }, ...this.#startedRun(), { is: 'curves', curves: this.#curves.all() },
      { is: 'feed', lines: this.#feed.lines }, this.state(),
    ];
  }

  /** What is new since the last call, the state apart. */
  news(): RunMessage[] {
    this.#feed.settle();
    this.#account();
    const started = this.#isStartedTaken ? [] : this.#startedRun();
    this.#isStartedTaken ||= started.length > 0;
    const points = this.#curves.take();
    const lines = this.#feed.take();
    return [...started, ...(points ? [points] : []), ...(lines.length > 0 ? [{ is: 'feed' as const, lines }] : [])];
  }

  state(): Extract<RunMessage, { is: 'state' }> {
    this.#account();
    const snapshot = this.#last === undefined ? this.#control.inspect()?.processors ?? [] : [];
    const { seconds, processors } = this.#last ?? {
      seconds: secondsOf(snapshot), processors: this.#processors(snapshot),
    };
    const state: RunState = {
      phase: this.#phase, error: this.#end?.error ?? null, superstep: this.#superstep, seconds,
      elapsedSeconds: (this.now() - this.#sinceMs) / 1000,
      pagesFetched: processors.reduce((sum, { fetched }) => sum + fetched, 0), failures: this.#failures,
      bytes: this.#bytes, processors, statistics: this.#statistics, figures: this.#figures, degrees: this.#degrees,
      pace: this.#pace?.rate ?? null, limits: this.#limitsText(),
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
    this.#tell(rate === null ? 'at full speed' : `slowed to ${rate} supersteps per second`);
  }

  #limitsText(): string | null {
    const limits = this.#limits?.limits(this.#pages);
    return limits === undefined || limits.named.length === 0 ? null : limitsInWords(limits);
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
    const bound = this.#ranks?.bound ?? null;
    return [{ is: 'started', run: { ...this.card, ...facts, settings: { ...settings }, bound } }];
  }

  #processors(snapshots: readonly ProcessorSnapshot[]): ProcessorState[] {
    return snapshots.map(({ processor, nowUs, robots, openDownloads, lastOutcome, ...one }) => {
      const open = [...openDownloads].sort((a, b) => a.startedAtUs - b.startedAtUs).slice(0, maxOpenShown);
      return {
        processor, robots, openCount: openDownloads.length, queued: one.pagesQueued, pending: one.pendingJobs,
        open: open.map(({ page, startedAtUs }) => (
          { name: this.#nameOf(page), seconds: Math.max(0, nowUs - startedAtUs) / 1e6 }
        )),
        known: one.pagesKnown, fetched: one.pagesFetched, failures: this.#failuresOf.at(processor) ?? 0,
        bytes: this.#bytesOf.at(processor) ?? 0,
        lastOutcome: lastOutcome === undefined ? null : {
          name: this.#nameOf(lastOutcome.page), kind: lastOutcome.kind, at: lastOutcome.finishedAtUs / 1e6,
        },
      };
    });
  }

  #nameOf(page: number): string {
    return this.#run?.names.urlOf(page) ?? `page ${page}`;
  }

  #tell(text: string, processor: number | null = null): void {
    if (!this.#isHistory) this.#feed.add(this.#atUs, text, processor);
  }

  /** Also the lines that there are. */
  #storeFeed(folder: string): void {
    this.#storedFeed = new StoredFeed(folder);
    for (const line of this.#feed.lines) this.#storedFeed.add(line);
  }
}

function secondsOf(processors: readonly ProcessorSnapshot[]): number {
  return processors.reduce((most, { nowUs }) => Math.max(most, nowUs), 0) / 1e6;
}
