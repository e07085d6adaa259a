import type { ServerResponse } from 'node:http';
import { EventStream } from './event-stream.ts';
import type { Runs } from '../runs/runs.ts';

const LOOK_MS = 1000;
/** The most streams of all browsers together; a browser needs one. */
const MAX_STREAMS = 256;

/** The streams of all browsers. While there is one, it is looked for runs that began or ended. */
export class EventStreams {
  readonly #runs: Runs;
  readonly #open = new Set<EventStream>();
  #timer: NodeJS.Timeout | undefined;
  #listed = '';

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  get isFull(): boolean {
    return this.#open.size >= MAX_STREAMS;
  }

  open(response: ServerResponse, ids: readonly string[]): void {
    const stream = new EventStream(response);
    this.#open.add(stream);
    response.once('close', () => {
      this.#open.delete(stream);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => { void this.#look(); }, LOOK_MS);
    for (const id of new Set(ids)) void this.#follow(stream, id);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const stream of this.#open) stream.end();
  }

  async #follow(stream: EventStream, id: string): Promise<void> {
    const run = await this.#runs.going(id);
    if (run !== undefined) await stream.follow(id, run);
  }

  async #look(): Promise<void> {
    const runs = await this.#runs.list().catch(() => []);
    const listed = runs.map(({ id, state }) => `${id} ${state}`).join();
    if (listed === this.#listed) return;
    this.#listed = listed;
    for (const stream of this.#open) stream.sayRuns();
  }
}
