import { BitSet, grown, InputError } from '../base/index.ts';
import type { ProcessorSnapshot, RunControl } from '../engine/index.ts';
import type { Change, Crash, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd } from '../events/index.ts';
import { limitsInWords, LimitsSoFar, type StatisticsRow } from '../measure/index.ts';
import type { SimulationSettings } from '../settings/index.ts';
import { isTransient, type Outcome, type OutcomeKind } from '../world/index.ts';
import {
  maxOpenShown, type CurveColumns, type ProcessorState, type RunCard, type RunMessage, type RunPhase, type RunRequest,
  type RunState,
} from './contract.ts';
import { Curves } from './curves.ts';
import type { Watchable } from './door.ts';
import { Feed } from './feed.ts';
import { Pace } from './pace.ts';
import { spanOf } from './spans.ts';

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
  readonly #feed = new Feed();
  #curves = new Curves(false);
  #ranks: { readonly values: Float64Array; readonly total: number } | undefined;
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
  #failingHosts = 0;
  /** Processors with a new number of robots, all of the same one, which the feed does not have yet. */
  #newRobots: { readonly robots: number; readonly processors: number[] } | undefined;
  #limits: LimitsSoFar | undefined;
  #statistics: StatisticsRow | null = null;
  #figures: StatisticsRow | null = null;
  /** By host: the last delay that the feed has, as each processor reports it; null: blocked. */
  readonly #hostDelays = new Map<number, number | null>();
  readonly #pace: Pace | undefined;
  #isStopAsked = false;
  /** Since the run has ended: its processors are gone. */
  #last: { readonly seconds: number; readonly processors: readonly ProcessorState[] } | undefined;
  #end: { readonly error: string | null } | undefined;

  constructor({ card, control, now, signal, sleep }: RunWatchOptions) {
    this.card = card;
    this.now = now;
    this.#control = control;
    this.#signal = signal;
    this.#sinceMs = now();
    this.#pace = sleep && new Pace({ now, sleep, isOver: () => this.#isStopping });
  }

  /** Before the run: the ranks of all pages, and the sum of those within reach. */
  rankBy(values: Float64Array, total: number): void {
    this.#ranks = { values, total };
    this.#curves = new Curves(true);
  }

  /** Figures of the graph fetched, in order of supersteps. */
  statistics(row: StatisticsRow): void {
    this.#statistics = row;
    if (row.method !== '') this.#figures = row;
  }

  started(run: RunStarted): void {
    this.#run = run;
    const { processors, robots, policy } = run.settings;
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
    const begins = run.firstSuperstep === 0 ? 'started' : `continued with superstep ${run.firstSuperstep}`;
    this.#tell(`${begins}: policy ${policy}, processors ${processors}, robots ${robots} each`);
  }

  superstepBegins(superstep: number): void {
    if (this.#isHistory) this.#tellRobots();
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
    const host = this.#run!.names.hostOf(page);
    if (isTransient(kind)) this.#hostFailed(host, processor, kind);
    else if (host < this.#inARow.length) this.#inARow[host] = 0;
  }

  superstep({ superstep, barrierUs, rows, pagesFetched }: SuperstepEnd): void {
    const spanUs = Math.max(0, barrierUs - this.#barrierUs);
    const span = spanOf(rows, this.#robotsOf, this.#robots, spanUs);
    for (const { processor, bytes } of this.#isHistory ? rows : []) {
      this.#bytes += bytes;
      this.#bytesOf[processor] += bytes;
    }
    this.#limits?.add(rows);
    this.#barrierUs = barrierUs;
    this.#atUs = Math.max(this.#atUs, barrierUs);
    this.#pages = pagesFetched;
    this.#curves.add({
      superstep, seconds: barrierUs / 1e6, pages: pagesFetched, failures: this.#failures, bytes: this.#bytes,
      rank: this.#ranks === undefined ? 0 : this.#rank / this.#ranks.total, ...span,
    });
  }

  crash({ processor, atUs, resumedUs }: Crash): void {
    this.#tellAt(atUs, `crashed; all processors continue ${seconds(resumedUs - atUs)} later`, processor);
  }

  rolledBack({ superstep }: RolledBack): void {
    this.#tell(`rolled back to superstep ${superstep}: pages fetched since then are fetched again`);
  }

  changed({ processor, setting, value, host }: Change): void {
    if (host !== undefined) this.#tellHost(host, setting === 'hostBlocked' ? null : value);
    if (setting !== 'robots') return;
    this.#robots += value - this.#robotsOf[processor];
    this.#robotsOf[processor] = value;
    if (this.#newRobots?.robots !== value) {
      this.#tellRobots();
      this.#newRobots = { robots: value, processors: [] };
    }
    this.#newRobots.processors.push(processor);
  }

  ended(end: RunEnd | 'failed'): void {
    const processors = this.#control.inspect()?.processors ?? [];
    this.#last = { seconds: secondsOf(processors), processors: this.#processors(processors) };
    this.#curves.end();
    if (end !== 'failed') this.#tell(`ended (${end}): pages fetched ${this.#pages}, failures ${this.#failures}`);
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
        if (!this.#isStopping) this.#tell('stop asked for: the run ends at its next barrier');
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
  curves(): CurveColumns {
    return this.#curves.all();
  }

  /** All there is so far. */
  whole(): RunMessage[] {
    this.#tellRobots();
    return [
      { is: 'card', card: this.card }, ...this.#startedRun(), { is: 'curves', curves: this.#curves.all() },
      { is: 'feed', lines: this.#feed.lines }, this.state(),
    ];
  }

  /** What is new since the last call, the state apart. */
  news(): RunMessage[] {
    this.#tellRobots();
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
      bytes: this.#bytes, processors, statistics: this.#statistics, figures: this.#figures,
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
    return [{ is: 'started', run: { ...this.card, ...facts, settings: { ...settings } } }];
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
    if (this.#inARow[host] === FAILURES_IN_A_ROW || ++this.#inARow[host] < FAILURES_IN_A_ROW) return;
    this.#failingHosts++;
    if (this.#failingHosts > FAILING_HOSTS + 1) return;
    this.#tell(
      this.#failingHosts > FAILING_HOSTS ? `more than ${FAILING_HOSTS} hosts fail: others are not listed`
        : `${this.#run!.names.hostName(host)}: ${FAILURES_IN_A_ROW} downloads in a row failed, the last one: ${kind}`,
      processor,
    );
  }

  #tellHost(host: number, delayMs: number | null): void {
    if (this.#hostDelays.get(host) === delayMs) return;
    this.#hostDelays.set(host, delayMs);
    this.#tell(`${this.#run!.names.hostName(host)}: ${
      delayMs === null ? 'blocked' : `at least ${delayMs / 1000} s between two downloads`}`);
  }

  #tellRobots(): void {
    const changed = this.#newRobots;
    if (changed === undefined) return;
    this.#newRobots = undefined;
    const processors = [...new Set(changed.processors)].sort((a, b) => a - b);
    if (processors.length === 1) this.#tell(`robots: ${changed.robots}`, processors[0]);
    else {
      const all = processors.length === this.#robotsOf.length;
      this.#tell(`robots: ${changed.robots} on ${all ? 'all processors' : `processors ${processors.join(', ')}`}`);
    }
  }

  #tell(text: string, processor: number | null = null): void {
    this.#tellAt(this.#atUs, text, processor);
  }

  #tellAt(us: number, text: string, processor: number | null): void {
    // In the order in which it happened.
    this.#tellRobots();
    if (!this.#isHistory) this.#feed.add(us / 1e6, text, processor);
  }
}

function secondsOf(processors: readonly ProcessorSnapshot[]): number {
  return processors.reduce((most, { nowUs }) => Math.max(most, nowUs), 0) / 1e6;
}

function seconds(us: number): string {
  return `${(us / 1e6).toFixed(1)} s`;
}
