import { assert } from '../../../base/index.ts';
import type { Change, RunSink, RunStarted, SuperstepEnd } from '../../../core/events/index.ts';
import { limitsInWords, LimitsSoFar } from '../../../core/measure/index.ts';
import type { SimulationSettings } from '../../../core/settings/index.ts';
import type { RunCounts } from '../run/counts.ts';
import { Curves, type CurveMoment } from './curves.ts';
import { spanOf } from './spans.ts';

/** Rows of supersteps that are accounted together, if nobody looks before; some 300 bytes each. */
const MAX_ROWS_WAITING = 4096;

/** A superstep that has ended and is not accounted, with the state at its barrier. */
interface Waiting extends Pick<SuperstepEnd, 'barrierUs' | 'rows'> {
  readonly moment: CurveMoment;
}

/**
 * The curves of a run that goes on, and what limits it. A superstep is stored, and accounted with others once somebody
 * looks, or there are many.
 */
export class RunCurves implements RunSink {
  readonly #counts: RunCounts;
  #curves = new Curves(false);
  #limits: LimitsSoFar | undefined;
  #robotsOf = new Uint32Array(0);
  #robots = 0;
  /** The last barrier that is accounted. */
  #barrierUs = 0;
  #waiting: Waiting[] = [];
  #rowsWaiting = 0;

  /** @param counts - they hear of each superstep first. */
  constructor(counts: RunCounts) {
    this.#counts = counts;
  }

  /** Before the run: its counts have ranks. */
  drawRank(): void {
    this.#curves = new Curves(true);
  }

  started({ settings }: RunStarted): void {
    const { processors, robots, politenessMs, superstepMs, maxPages } = settings;
    this.#robotsOf = new Uint32Array(processors).fill(robots);
    this.#robots = processors * robots;
    // A live crawl does not know the bandwidth of others.
    const { network } = settings as Partial<Pick<SimulationSettings, 'network'>>;
    this.#limits = new LimitsSoFar({
      politenessUs: 1000 * Math.max(politenessMs, network?.addressDelayMs ?? 0), isWhole: false,
      processorBandwidth: network?.processorBandwidthBytesPerSecond,
      superstepUs: superstepMs === 0 ? undefined : 1000 * superstepMs,
      maxPages,
    });
  }

  superstep(end: SuperstepEnd): void {
    const { barrierUs, rows } = end;
    assert(rows.every(({ processor }) => processor < this.#robotsOf.length), 'a row of an unknown processor');
    this.#waiting.push({ moment: this.#counts.moment(end), barrierUs, rows });
    this.#rowsWaiting += rows.length;
    if (this.#rowsWaiting >= MAX_ROWS_WAITING) this.#account();
  }

  changed({ processor, setting, value }: Change): void {
    if (setting !== 'robots') return;
    this.#account();
    this.#robots += value - this.#robotsOf[processor];
    this.#robotsOf[processor] = value;
    assert(this.#robots >= 0, () => `${this.#robots} robots after a change`);
  }

  ended(): void {
    this.#account();
    this.#curves.end();
  }

  /** The curves so far. */
  get curves(): Curves {
    this.#account();
    return this.#curves;
  }

  /** What limits the run so far, as a sentence; null before a page is fetched. */
  get limits(): string | null {
    this.#account();
    const limits = this.#limits?.limits(this.#counts.pages);
    return limits === undefined || limits.named.length === 0 ? null : limitsInWords(limits);
  }

  #account(): void {
    for (const { moment, barrierUs, rows } of this.#waiting) {
      this.#limits?.add(rows);
      this.#curves.add(moment, spanOf(rows, this.#robotsOf, this.#robots, Math.max(0, barrierUs - this.#barrierUs)));
      this.#barrierUs = barrierUs;
    }
    this.#waiting = [];
    this.#rowsWaiting = 0;
  }
}
