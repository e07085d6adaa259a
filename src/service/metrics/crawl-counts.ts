import type { RunSink, RunStarted, SuperstepEnd } from '../../events/index.ts';
import type { Outcome, OutcomeKind } from '../../world/index.ts';

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

/**
 * What a crawl has done in this session. What it did before it was resumed is not counted: a crawl that was killed
 * returns to its checkpoint, and no count may fall.
 */
export class CrawlCounts implements RunSink {
  readonly processors: ProcessorCounts[] = [];
  /** Downloads whose time is at most the bound of their class, and above the one before it; the last has no bound. */
  readonly downloads: number[] = new Array<number>(downloadBounds.length + 1).fill(0);
  downloadSeconds = 0;
  /** Hosts that were asked for something. */
  readonly hosts = new Set<number>();
  supersteps = 0;
  current = 0;
  #firstSuperstep = 0;
  #names: RunStarted['names'] | undefined;

  started({ settings, names, firstSuperstep }: RunStarted): void {
    this.#names = names;
    this.#firstSuperstep = firstSuperstep;
    for (let i = 0; i < settings.processors; i++) {
      const robotUs = { busy: 0, stalled: 0, noJob: 0, barrier: 0 };
      this.processors.push({ outcomes: new Map(), bytes: 0, retries: 0, robotUs });
    }
  }

  superstepBegins(superstep: number): void {
    this.current = superstep;
  }

  outcome(processor: number, { page, kind, bytes, startedAtUs, finishedAtUs }: Outcome, willRetry: boolean): void {
    if (this.current < this.#firstSuperstep) return;
    const counts = this.processors[processor];
    counts.outcomes.set(kind, (counts.outcomes.get(kind) ?? 0) + 1);
    counts.bytes += bytes;
    // The page whose robots.txt was fetched first is not tried again, but for the first time.
    if (willRetry && kind !== 'robotsFetched') counts.retries++;
    if (this.#names !== undefined) this.hosts.add(this.#names.hostOf(page));
    const seconds = (finishedAtUs - startedAtUs) / 1e6;
    this.downloadSeconds += seconds;
    const bound = downloadBounds.findIndex((most) => seconds <= most);
    this.downloads[bound < 0 ? downloadBounds.length : bound]++;
  }

  superstep({ superstep, rows }: SuperstepEnd): void {
    if (superstep < this.#firstSuperstep) return;
    this.supersteps++;
    for (const { processor, busyUs, stalledUs, noJobUs, barrierWaitUs } of rows) {
      const { robotUs } = this.processors[processor];
      robotUs.busy += busyUs;
      robotUs.stalled += stalledUs;
      robotUs.noJob += noJobUs;
      robotUs.barrier += barrierWaitUs;
    }
  }
}
