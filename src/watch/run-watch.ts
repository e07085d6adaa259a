import { BitSet, grown, InputError } from '../base/index.ts';
import type { ProcessorSnapshot, RunControl } from '../engine/index.ts';
import type { Change, Crash, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd } from '../events/index.ts';
import { limitsInWords, LimitsSoFar, type StatisticsRow } from '../measure/index.ts';
import type { SimulationSettings } from '../settings/index.ts';
import { isTransient, type Outcome, type OutcomeKind } from '../world/index.ts';
import {
  maxOpenShown, type CurveColumns, type DegreeCounts, type ProcessorState, type RankBound, type RunCard,
  type RunMessage, type RunPhase, type RunRequest, type RunState,
} from './contract.ts';
import { Curves } from './curves/curves.ts';
import type { Watchable } from './door.ts';
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

/** So many failures of a host one after the other are worth a line of the feed. */
const FAILURES_IN_A_ROW = 10;
/** Of so many hosts at most. */
const FAILING_HOSTS = 20;

/**
 * What a watcher learns of a run: a sink that counts what the run reports, and makes messages of it when asked to.
 *
 * Cost  some additions per outcome, without memory; O(P) per superstep; names are looked up when a state is made.
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
  #barrierUs = 0;
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
  /** By host: failures since its last answer, up to FAILURES_IN_A_ROW. */
  #inARow = new Uint8Array(64);
  /** Hosts with such failures. */
  #hostsInARow = 0;
  #failingHosts = 0;
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
      politenessUs: 1000 * run.settings.politenessMs, isWhole: false,
      processorBandwidth: network?.processorBandwidthBytesPerSecond, hostBandwidth: network?.bandwidthBytesPerSecond,
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
    } else if (kind !== 'robotsFetched') {
      this.#failures++;
      this.#failuresOf[processor]++;
    }
    if (isTransient(kind)) this.#hostFailed(this.#run!.names.hostOf(page), processor, kind);
    // The host of a page is far away in memory: most runs never look it up.
    else if (this.#hostsInARow > 0) this.#hostAnswered(this.#run!.names.hostOf(page));
  }

  superstep({ superstep, barrierUs, rows, pagesFetched }: SuperstepEnd): void {
    const spanUs = Math.max(0, barrierUs - this.#barrierUs);
    const span = spanOf(rows, this.#robotsOf, this.#robots, spanUs);
    if (this.#isHistory) {
      for (const { processor, bytes } of rows) {
        this.#bytes += bytes;
        this.#bytesOf[processor] += bytes;
      }
    }
    this.#limits?.add(rows);
    this.#barrierUs = barrierUs;
    this.#atUs = Math.max(this.#atUs, barrierUs);
    this.#pages = pagesFetched;
    this.#curves.add({
      superstep, seconds: barrierUs / 1e6, pages: pagesFetched, failures: this.#failures, bytes: this.#bytes,
      rank: this.#ranks === undefined ? 0 : this.#rank / this.#ranks.total,
    }, span);
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
    this.#robots += value - this.#robotsOf[processor];
    this.#robotsOf[processor] = value;
  }

  ended(end: RunEnd | 'failed'): void {
    const processors = this.#control.inspect()?.processors ?? [];
    this.#last = { seconds: secondsOf(processors), processors: this.#processors(processors) };
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
    return { ...this.#curves.all(), bound: this.#ranks?.bound ?? null };
  }

  /** All there is so far. */
  whole(): RunMessage[] {
    this.#feed.settle();
    return [
      { is: 'card', card: this.card }, ...this.#startedRun(), { is: 'curves', curves: this.#curves.all() },
      { is: 'feed', lines: this.#feed.lines }, this.state(),
    ];
  }

  /** What is new since the last call, the state apart. */
  news(): RunMessage[] {
    this.#feed.settle();
    const started = this.#isStartedTaken ? [] : this.#startedRun();
    this.#isStartedTaken ||= started.length > 0;
    const points = this.#curves.take();
    const lines = this.#feed.take();
    return [...started, ...(points ? [points] : []), ...(lines.length > 0 ? [{ is: 'feed' as const, lines }] : [])];
  }

  state(): Extract<RunMessage, { is: 'state' }> {
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
    const limits = this.#limits?.limits(this.#pages, this.#failures);
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

  #hostFailed(host: number, processor: number, kind: OutcomeKind): void {
    this.#inARow = grown(this.#inARow, host + 1);
    if (this.#inARow[host] === 0) this.#hostsInARow++;
    if (this.#inARow[host] === FAILURES_IN_A_ROW || ++this.#inARow[host] < FAILURES_IN_A_ROW) return;
    this.#failingHosts++;
    if (this.#failingHosts > FAILING_HOSTS + 1) return;
    this.#tell(
      this.#failingHosts > FAILING_HOSTS ? `more than ${FAILING_HOSTS} hosts fail: others are not listed`
        : `${this.#run!.names.hostName(host)}: ${FAILURES_IN_A_ROW} downloads in a row failed, the last one: ${kind}`,
      processor,
    );
  }

  #hostAnswered(host: number): void {
    if (host >= this.#inARow.length || this.#inARow[host] === 0) return;
    this.#inARow[host] = 0;
    this.#hostsInARow--;
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
