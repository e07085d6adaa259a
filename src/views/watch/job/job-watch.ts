import { InputError } from '../../../base/index.ts';
import type { RunCard, RunMessage, RunRequest } from '../contract.ts';
import type { Watchable } from '../door.ts';
import { Feed } from '../feed.ts';
import type { JobBoard, JobFile, JobKind, JobProgress, JobState } from './contract.ts';

export interface JobWatchOptions {
  readonly card: RunCard;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** That of the job; `stop` aborts it. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

const emptyBoard: JobBoard = { noun: 'run', measures: [], candidates: [], unlisted: 0, answer: null };

/** What a watcher learns of a plan, a tune or a study; the only request that it takes is to stop. */
export class JobWatch implements Watchable {
  readonly card: RunCard;
  readonly now: () => number;
  readonly isPaused = false;
  /** What is known of the candidates; called when a state is made. */
  board: () => JobBoard = () => emptyBoard;
  readonly #signal: AbortSignal;
  readonly #stop: () => void;
  readonly #sinceMs: number;
  readonly #feed = new Feed();
  #progress: JobProgress | null = null;
  #end: { readonly error: string | null } | undefined;

  constructor({ card, now, signal, stop }: JobWatchOptions) {
    this.card = card;
    this.now = now;
    this.#signal = signal;
    this.#stop = stop;
    this.#sinceMs = now();
  }

  progress(progress: JobProgress): void {
    const { doing, done, asked, cached } = progress;
    if (doing !== this.#progress?.doing) this.say(doing);
    if (done === asked && cached > 0) this.say(`${doing}: ${cached} of ${asked} found among finished runs`);
    this.#progress = progress;
  }

  /** Adds a line to the feed. */
  say(text: string): void {
    this.#feed.add(this.#elapsedSeconds, text);
  }

  /** The command has ended. @param error what it printed, if it failed. */
  finish(error: string | null = null): void {
    this.#end = { error };
    if (error !== null) this.say(`failed: ${error}`);
  }

  /** Does what a watcher asks. @throws InputError for anything but `stop`. */
  ask(request: RunRequest): void {
    const { kind } = this.card;
    if (this.#end !== undefined) throw new InputError(`the ${kind} has ended`);
    if (request.do !== 'stop') throw new InputError(`a ${kind} can only be stopped: it has no robots, hosts or pace`);
    if (!this.#signal.aborted) this.say('stop asked for: finished runs are stored');
    this.#stop();
  }

  /** What the job's folder says of it. */
  file(ended: JobFile['ended']): JobFile {
    const { kind, name, command, startedAt } = this.card;
    return {
      kind: kind as JobKind, name, command, startedAt, elapsedSeconds: this.#elapsedSeconds, ended, ...this.board(),
    };
  }

  whole(): RunMessage[] {
    return [{ is: 'card', card: this.card }, { is: 'feed', lines: this.#feed.lines }, this.state()];
  }

  news(): RunMessage[] {
    const lines = this.#feed.take();
    return lines.length > 0 ? [{ is: 'feed', lines }] : [];
  }

  state(): Extract<RunMessage, { is: 'job' }> {
    return {
      is: 'job',
      job: {
        phase: this.#phase, error: this.#end?.error ?? null, elapsedSeconds: this.#elapsedSeconds,
        progress: this.#progress, ...this.board(),
      },
    };
  }

  get #phase(): JobState['phase'] {
    if (this.#end !== undefined) return this.#end.error === null ? 'finished' : 'failed';
    if (this.#signal.aborted) return 'stopping';
    return this.#progress === null ? 'preparing' : 'running';
  }

  get #elapsedSeconds(): number {
    return (this.now() - this.#sinceMs) / 1000;
  }
}
