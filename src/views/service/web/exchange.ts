import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoggedRequest } from './request-log.ts';
import type { NoReply, Reply } from './site.ts';

/** Pause between two pieces of a slowly sent body, and maximum size of a piece. */
const PIECE_US = 10_000;
const PIECE_BYTES = 1 << 16;
/** Timers accept no longer waits. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

type OnEnd = (how: Pick<LoggedRequest, 'status' | 'bytes' | 'end' | 'endedAtUs'>) => void;

/** One request and its response: waits, sends at the requested pace, and reports once how it ended. */
export class Exchange {
  /** Set by the server when it aborts the exchange, so that the end is not attributed to the client. */
  wasAborted = false;
  readonly #socket: Socket;
  readonly #response: ServerResponse;
  readonly #isHead: boolean;
  #status = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Ends the wait of the method that sends piece by piece. */
  #wake: (() => void) | undefined;
  readonly #nowUs: () => number;
  /** When the system took the whole response, if it took it at once. */
  #takenAtUs: number | undefined;
  #onEnd: OnEnd | undefined;

  constructor(socket: Socket, response: ServerResponse, isHead: boolean, nowUs: () => number, onEnd: OnEnd) {
    this.#socket = socket;
    this.#response = response;
    this.#isHead = isHead;
    this.#nowUs = nowUs;
    this.#onEnd = onEnd;
    response.on('finish', () => this.end('sent'));
    // Writing to a closed connection is not an error here.
    response.on('error', () => undefined);
  }

  /** To be called once. */
  begin(reply: Reply | NoReply): void {
    if (this.#isOver()) return;
    if ('resetAfterUs' in reply) this.#after(reply.resetAfterUs, () => this.#abort());
    else this.#after(reply.beginsAfterUs, () => this.#send(reply));
  }

  /** Reports how it ended, the first time. */
  end(end: LoggedRequest['end']): void {
    clearTimeout(this.#timer);
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    this.#wake?.();
    const endedAtUs = end === 'sent' && this.#takenAtUs !== undefined ? this.#takenAtUs : this.#nowUs();
    onEnd?.({ status: this.#status, bytes: this.#bytes, end, endedAtUs });
  }

  #after(us: number, then: () => void): void {
    if (us === 0) then();
    else this.#timer = setTimeout(then, us / 1000);
  }

  #abort(): void {
    this.wasAborted = true;
    this.#socket.resetAndDestroy();
    // Reported now, not when the system reports the connection's end: the client may be faster.
    this.end('destroyed');
  }

  #send(reply: Reply): void {
    const { status, headers, bytes, body, bytesPerUs } = reply;
    this.#status = status;
    this.#response.writeHead(status, [...headers, 'Content-Length', String(bytes)]);
    if (this.#isHead) {
      this.#endResponse();
      return;
    }
    if (!Array.isArray(body) || bytesPerUs !== Infinity) {
      void this.#sendSlowly(reply);
      return;
    }
    this.#bytes = bytes;
    for (let i = 0; i < body.length - 1; i++) this.#response.write(body[i]);
    this.#endResponse(body.at(-1) as Uint8Array | undefined);
  }

  /** What the system takes at once the client may have long before `finish` is heard of here. */
  #endResponse(last?: Uint8Array): void {
    const nowUs = this.#nowUs();
    this.#response.end(last);
    if (this.#socket.writableLength === 0) this.#takenAtUs = nowUs;
  }

  /**
   * Sends piece by piece, none before its time; waits while the connection is full. A body that is too short aborts the
   * exchange.
   */
  async #sendSlowly({ bytes, body, bytesPerUs }: Reply): Promise<void> {
    const beganAtMs = performance.now();
    const pieceBytes = Math.max(1, Math.min(PIECE_BYTES, Math.floor(PIECE_US * bytesPerUs)));
    try {
      for await (const chunk of body) {
        for (let at = 0; at < chunk.length && this.#bytes < bytes; at += pieceBytes) {
          const piece = chunk.subarray(at, Math.min(at + pieceBytes, at + bytes - this.#bytes));
          const dueMs = beganAtMs + (this.#bytes + piece.length) / bytesPerUs / 1000;
          const waitMs = dueMs - performance.now();
          if (waitMs >= 1)
            await this.#pause((wake) => (this.#timer = setTimeout(wake, Math.min(waitMs, LONGEST_WAIT_MS))));
          if (this.#isOver()) return;
          this.#bytes += piece.length;
          if (!this.#response.write(piece)) await this.#pause((wake) => this.#response.once('drain', wake));
          if (this.#isOver()) return;
        }
      }
    } catch {
      // A file that cannot be read to its end: handled below.
    }
    if (this.#isOver()) return;
    if (this.#bytes < bytes) this.#abort();
    else this.#endResponse();
  }

  #isOver(): boolean {
    return this.#onEnd === undefined;
  }

  /** Waits until `start` calls back, or the exchange is over. */
  #pause(start: (wake: () => void) => void): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      start(resolve);
    });
  }
}
