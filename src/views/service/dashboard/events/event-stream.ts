import type { ServerResponse } from 'node:http';
import { join, type JoinedRun, type OpenRun, type RunMessage } from '../../../watch/index.ts';
import type { RunEvent } from '../api.ts';

/** A comment is sent after so long without anything else, so that both sides notice a dead connection. */
const BEAT_MS = 15_000;
/** What may wait for a browser. With more, its runs are left, and joined again once it has read all. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

/**
 * Server-sent events of some runs to one browser. Nothing piles up for one that does not read: it gets all there is of
 * a run again when it does.
 */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #beat: NodeJS.Timeout;
  /** The runs that the stream follows, by their ids. */
  readonly #joined = new Map<string, JoinedRun>();

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8', 'X-Accel-Buffering': 'no' });
    response.write('retry: 1000\n\n');
    this.#beat = setInterval(() => { this.#write(':\n\n'); }, BEAT_MS);
    response.once('close', () => {
      clearInterval(this.#beat);
      this.#leave();
    });
  }

  /** Sends what a run has so far, and what it reports until it ends. */
  async follow(id: string, run: OpenRun): Promise<void> {
    try {
      const joined = await join(run, {
        message: (message) => { this.#send(id, run, message); },
        closed: () => { this.#joined.delete(id); },
      });
      if (this.#response.destroyed) joined.close();
      else this.#joined.set(id, joined);
    } catch {
      // It has just ended: the list says how.
    }
  }

  /** Says that the list of runs has changed. */
  sayRuns(): void {
    this.#write('event: runs\ndata:\n\n');
  }

  end(): void {
    this.#response.end();
  }

  #send(id: string, run: OpenRun, message: RunMessage): void {
    const event: RunEvent = { id, message };
    this.#write(`data: ${JSON.stringify(event)}\n\n`);
    if (this.#response.writableLength <= MAX_WAITING_BYTES) return;
    this.#joined.get(id)?.close();
    this.#joined.delete(id);
    this.#response.once('drain', () => { void this.follow(id, run); });
  }

  #write(text: string): void {
    if (!this.#response.destroyed && this.#response.writableLength <= MAX_WAITING_BYTES) this.#response.write(text);
  }

  #leave(): void {
    for (const joined of this.#joined.values()) joined.close();
    this.#joined.clear();
  }
}
