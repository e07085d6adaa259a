import type { Change, RunSink, RunStarted, SuperstepEnd } from '../../../core/events/index.ts';
import { isAboutPage, type Outcome, type OutcomeKind } from '../../../core/world/index.ts';

/** Upper bounds of the classes of download times, seconds: from a page on the same machine to the longest time-out. */
export const downloadBounds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60, 120] as const;

/** What one processor did. */
export interface ProcessorCounts {
  readonly outcomes: Map<OutcomeKind, number>;
  bytes: number;
  /** Outcomes after which the page is tried again. */
  retries: number;
  /** Robot time of the supersteps that have ended. */
  readonly robotUs: { busy: number; stalled: number; noJob: number; barrier: number };
}

/** The same, and up to which barrier robot time is counted: a processor at rest has no rows. */
interface Counting extends ProcessorCounts {
  robots: number;
  untilUs: number;
}

/**
 * What a crawl has done in this session. What it did before it was resumed is not counted: a crawl that was killed
 * returns to its checkpoint, and no count may fall.
 */
export class CrawlCounts implements RunSink {
  /** Downloads whose time is at most the bound of their class, and above the one before it; the last has no bound. */
  readonly downloads: number[] = new Array<number>(downloadBounds.length + 1).fill(0);
  downloadSeconds = 0;
  /** Hosts that were asked for something. */
  readonly hosts = new Set<number>();
  supersteps = 0;
  current = 0;
  readonly #processors: Counting[] = [];
  #firstSuperstep = 0;
  /** The last barrier. */
  #barrierUs = 0;
  #names: RunStarted['names'] | undefined;

  started({ settings, names, firstSuperstep }: RunStarted): void {
    this.#names = names;
    this.#firstSuperstep = firstSuperstep;
    for (let i = 0; i < settings.processors; i++) {
      const robotUs = { busy: 0, stalled: 0, noJob: 0, barrier: 0 };
      const { robots } = settings;
      this.#processors.push({ outcomes: new Map(), bytes: 0, retries: 0, robotUs, robots, untilUs: 0 });
    }
  }

  /** Sorted by their numbers. */
  get processors(): readonly ProcessorCounts[] {
    for (const counts of this.#processors) this.#rest(counts);
    return this.#processors;
  }

  /** Outcomes that say something about their page, and brought none. */
  get failures(): number {
    let failures = 0;
    for (const { outcomes } of this.#processors)
      for (const [kind, count] of outcomes) if (kind !== 'fetched' && isAboutPage(kind)) failures += count;
    return failures;
  }

  changed({ processor, setting, value }: Change): void {
    if (setting !== 'robots') return;
    const counts = this.#processors[processor];
    this.#rest(counts);
    counts.robots = value;
  }

  superstepBegins(superstep: number): void {
    this.current = superstep;
  }

  outcome(processor: number, { page, kind, bytes, startedAtUs, finishedAtUs }: Outcome, willRetry: boolean): void {
    if (this.current < this.#firstSuperstep) return;
    const counts = this.#processors[processor];
    counts.outcomes.set(kind, (counts.outcomes.get(kind) ?? 0) + 1);
    counts.bytes += bytes;
    // A page that nobody was asked for is not tried again, but for the first time.
    if (willRetry && isAboutPage(kind)) counts.retries++;
    if (this.#names !== undefined) this.hosts.add(this.#names.hostOf(page));
    const seconds = (finishedAtUs - startedAtUs) / 1e6;
    this.downloadSeconds += seconds;
    const bound = downloadBounds.findIndex((most) => seconds <= most);
    this.downloads[bound < 0 ? downloadBounds.length : bound]++;
  }

  superstep({ superstep, barrierUs, rows }: SuperstepEnd): void {
    const isNew = superstep >= this.#firstSuperstep;
    if (isNew) this.supersteps++;
    else for (const counts of this.#processors) counts.untilUs = barrierUs;
    for (const { processor, busyUs, stalledUs, noJobUs, barrierWaitUs } of isNew ? rows : []) {
      const counts = this.#processors[processor];
      this.#rest(counts);
      counts.untilUs = barrierUs;
      const { robotUs } = counts;
      robotUs.busy += busyUs;
      robotUs.stalled += stalledUs;
      robotUs.noJob += noJobUs;
      robotUs.barrier += barrierWaitUs;
    }
    this.#barrierUs = barrierUs;
  }

  /** Counts the time of a processor without rows up to the last barrier: its robots wait. */
  #rest(counts: Counting): void {
    if (counts.untilUs >= this.#barrierUs) return;
    counts.robotUs.barrier += counts.robots * (this.#barrierUs - counts.untilUs);
    counts.untilUs = this.#barrierUs;
  }
}
