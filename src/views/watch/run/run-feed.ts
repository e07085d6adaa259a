import type {
  Change, Crash, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd,
} from '../../../core/events/index.ts';
import { isTransient, type Outcome } from '../../../core/world/index.ts';
import { Feed } from '../feed.ts';
import { StoredFeed } from '../stored/stored-feed.ts';
import type { RunCounts } from './counts.ts';
import { FailingHosts } from './failing-hosts.ts';

/** The feed of a run that goes on. The history of a resumed run has its lines already, and adds none. */
export class RunFeed implements RunSink {
  readonly #counts: RunCounts;
  readonly #folder: string | undefined;
  readonly #feed = new Feed((line) => this.#stored?.add(line));
  readonly #failingHosts = new FailingHosts((text, processor) => { this.tell(text, processor); });
  #stored: StoredFeed | undefined;
  #run: RunStarted | undefined;
  #isHistory = false;
  /** The latest time of any event. */
  #atUs = 0;

  /** @param folder - stores the feed once the run has started. */
  constructor(counts: RunCounts, folder?: string) {
    this.#counts = counts;
    this.#folder = folder;
  }

  started(run: RunStarted): void {
    this.#run = run;
    if (this.#folder !== undefined) {
      this.#stored = new StoredFeed(this.#folder);
      for (const line of this.#feed.lines) this.#stored.add(line);
    }
    const { settings, firstSuperstep, names } = run;
    this.#feed.started(this.#atUs, { settings, firstSuperstep, hostName: (host) => names.hostName(host) });
  }

  superstepBegins(superstep: number): void {
    this.#isHistory = superstep < (this.#run?.firstSuperstep ?? 0);
  }

  outcome(processor: number, { page, kind, finishedAtUs }: Outcome): void {
    if (finishedAtUs > this.#atUs) this.#atUs = finishedAtUs;
    const { names } = this.#run!;
    if (isTransient(kind)) this.#failingHosts.failed(page, processor, kind, names);
    else if (kind !== 'robotsDenied' && kind !== 'busy') this.#failingHosts.answered(page, names);
  }

  superstep({ barrierUs }: SuperstepEnd): void {
    this.#atUs = Math.max(this.#atUs, barrierUs);
  }

  crash(crash: Crash): void {
    if (!this.#isHistory) this.#feed.crash(crash);
  }

  rolledBack({ superstep }: RolledBack): void {
    if (!this.#isHistory) this.#feed.rolledBack(this.#atUs, superstep);
  }

  changed(change: Change): void {
    if (!this.#isHistory) this.#feed.changed(this.#atUs, change);
  }

  ended(end: RunEnd | 'failed'): void {
    if (end !== 'failed') this.#feed.ended(this.#atUs, end, this.#counts.pages, this.#counts.failures);
  }

  /** Adds a line. */
  tell(text: string, processor: number | null = null): void {
    if (!this.#isHistory) this.#feed.add(this.#atUs, text, processor);
  }

  /** The feed, with a line for every event so far. */
  get feed(): Feed {
    this.#feed.settle();
    return this.#feed;
  }
}
