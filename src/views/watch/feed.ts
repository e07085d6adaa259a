import type { Change, Crash, RunEnd, SuperstepRow } from '../../core/events/index.ts';
import { bySuperstep, type RunSummary } from '../../core/measure/index.ts';
import { maxFeedLines, type FeedLine } from './contract.ts';

export const stopAsked = 'stop asked for: the run ends at its next barrier';

/** What the lines of a feed are about. */
export interface FeedRun {
  readonly settings: { readonly processors: number; readonly robots: number; readonly policy: string };
  readonly firstSuperstep: number;
  readonly hostName: (host: number) => string;
}

/** The feed of a run: a line for each event that matters to a user. The last lines are in memory. */
export class Feed {
  readonly #lines: FeedLine[] = [];
  readonly #onLine: ((line: FeedLine) => void) | undefined;
  #next = 0;
  /** Lines that were taken. */
  #taken = 0;
  #run: FeedRun | undefined;
  /** Processors with a new number of robots, all of the same one, which has no line yet. */
  #newRobots: { readonly atUs: number; readonly robots: number; readonly processors: number[] } | undefined;
  /** The last delay of a host that has a line, since each processor reports it; null: blocked. */
  readonly #hostDelays = new Map<number, number | null>();

  /** @param onLine gets each line when it is there. */
  constructor(onLine?: (line: FeedLine) => void) {
    this.#onLine = onLine;
  }

  started(atUs: number, run: FeedRun): void {
    this.#run = run;
    const { settings: { policy, processors, robots }, firstSuperstep } = run;
    const begins = firstSuperstep === 0 ? 'started' : `continued with superstep ${firstSuperstep}`;
    this.add(atUs, `${begins}: policy ${policy}, processors ${processors}, robots ${robots} each`);
  }

  crash({ processor, atUs, resumedUs }: Crash): void {
    this.add(atUs, `crashed; all processors continue ${((resumedUs - atUs) / 1e6).toFixed(1)} s later`, processor);
  }

  rolledBack(atUs: number, superstep: number): void {
    this.add(atUs, `rolled back to superstep ${superstep}: pages fetched since then are fetched again`);
  }

  changed(atUs: number, { processor, setting, value, host }: Change): void {
    if (host !== undefined) this.#hostChanged(atUs, host, setting === 'hostBlocked' ? null : value);
    if (setting !== 'robots') return;
    if (this.#newRobots?.robots !== value) {
      this.settle();
      this.#newRobots = { atUs, robots: value, processors: [] };
    }
    this.#newRobots.processors.push(processor);
  }

  ended(atUs: number, end: RunEnd, pages: number, failures: number): void {
    this.add(atUs, `ended (${end}): pages fetched ${pages}, failures ${failures}`);
  }

  add(atUs: number, text: string, processor: number | null = null): void {
    // Lines keep the order of events.
    this.settle();
    this.#add({ number: this.#next, at: atUs / 1e6, processor, text });
  }

  /** Makes a line of what still waits for more of its kind. */
  settle(): void {
    const changed = this.#newRobots;
    if (changed === undefined) return;
    this.#newRobots = undefined;
    const processors = [...new Set(changed.processors)].sort((a, b) => a - b);
    const all = processors.length === this.#run?.settings.processors;
    const { atUs, robots } = changed;
    const line = { number: this.#next, at: atUs / 1e6 };
    if (processors.length === 1) this.#add({ ...line, processor: processors[0], text: `robots: ${robots}` });
    else {
      const where = all ? 'all processors' : `processors ${processors.join(', ')}`;
      this.#add({ ...line, processor: null, text: `robots: ${robots} on ${where}` });
    }
  }

  get lines(): readonly FeedLine[] {
    return [...this.#lines];
  }

  /** Those of the last lines that were not taken before. */
  take(): readonly FeedLine[] {
    const lines = this.#lines.filter(({ number }) => number >= this.#taken);
    this.#taken = this.#next;
    return lines;
  }

  #hostChanged(atUs: number, host: number, delayMs: number | null): void {
    if (this.#hostDelays.get(host) === delayMs) return;
    this.#hostDelays.set(host, delayMs);
    this.add(atUs, `${this.#run!.hostName(host)}: ${
      delayMs === null ? 'blocked' : `at least ${delayMs / 1000} s between two downloads`}`);
  }

  #add(line: FeedLine): void {
    this.#next++;
    this.#lines.push(line);
    if (this.#lines.length > maxFeedLines) this.#lines.shift();
    this.#onLine?.(line);
  }
}

/** The parts of a run's record that make a feed; the feed of a watched run says more. */
export interface RecordedRun {
  readonly experiment: FeedRun['settings'];
  /** Records of earlier versions lack the last two. */
  readonly summary:
    Pick<RunSummary, 'ended' | 'pagesFetched'> & Partial<Pick<RunSummary, 'crashes' | 'virtualSeconds'>>;
  readonly changes: readonly Change[];
  readonly forkOf?: { readonly superstep: number } | undefined;
}

/** The feed of a run that was not watched: changes are at the beginning of their supersteps. */
export function recordedFeed(run: RecordedRun, rows: readonly SuperstepRow[]): readonly FeedLine[] {
  const { experiment, summary, changes, forkOf } = run;
  const feed = new Feed();
  const firstSuperstep = forkOf?.superstep ?? 0;
  const begins = new Map(bySuperstep(rows).map(([{ superstep, barrierUs }]) => [superstep + 1, barrierUs]));
  const beginOf = (superstep: number): number => begins.get(superstep) ?? 0;
  feed.started(beginOf(firstSuperstep), { settings: experiment, firstSuperstep, hostName: (host) => `host ${host}` });
  const crashes = (summary.crashes ?? []).map((crash) => ({ atUs: crash.atUs, tell: () => { feed.crash(crash); } }));
  const changed = changes.filter(({ superstep }) => superstep >= firstSuperstep).map((change) => {
    const atUs = beginOf(change.superstep);
    return { atUs, tell: () => { tellChange(feed, atUs, change); } };
  });
  for (const { tell } of [...crashes, ...changed].sort((first, other) => first.atUs - other.atUs)) tell();
  const { ended, pagesFetched, virtualSeconds = 0 } = summary;
  feed.add(1e6 * virtualSeconds, `ended (${ended}): pages fetched ${pagesFetched}`);
  return feed.lines;
}

/** Whoever watches a run hears of a pause and of a stop when they are asked for; all processors are then paused. */
function tellChange(feed: Feed, atUs: number, change: Change): void {
  const { setting, value, processor } = change;
  if (setting === 'paused' && processor === 0) feed.add(atUs, value === 1 ? 'paused' : 'resumed');
  if (setting === 'stop') feed.add(atUs, stopAsked);
  feed.changed(atUs, change);
}
