import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { header, type Answer, type Fault, type FaultReason, type RequestTimes } from './answer.ts';
import type { BodyMemory } from './body-memory.ts';
import { reasonOf, FaultError, type Stage } from './fault-error.ts';
import { sharedBytes } from './shared-body.ts';

/**
 * Decides from the headers which part of an answer to read: its body, a limited number of its first bytes, only the
 * headers, or nothing, with the reason.
 */
export type Wants = (status: number, rawHeaders: readonly string[]) => 'body' | number | 'headers alone' | FaultReason;

/** This much of an unwanted body is read so that its connection can be reused: cheaper than a new connection. */
const MAX_UNWANTED_BYTES = 16 << 10;

/** 1xx responses before the final one: each extends the headers' time-out. */
const MAX_INFORMATIONAL = 8;

const NO_BODY = Buffer.alloc(0);

export interface Connection {
  readonly secure: boolean;
  socket: Socket | undefined;
  address: string;
}

export interface DownloadSettings {
  readonly url: string;
  readonly requestHead: string;
  readonly bodyLimitBytes: number;
  readonly wants: Wants;
  readonly times: RequestTimes;
}

/**
 * One request in flight, driven by undici's events, from the connection to the end, which is reported exactly once.
 *
 * Bounds   memory: at most twice bodyLimitBytes, counted in `memory`, and the previous buffer while a body grows; time:
 *          by undici's time-outs, and by the caller's `abort`.
 */
export class Download implements Dispatcher.DispatchHandler {
  readonly #settings: DownloadSettings;
  readonly #connection: Connection;
  readonly #memory: BodyMemory;
  readonly #ended: (end: Answer | Fault, heldBytes: number) => void;
  readonly #broken: (error: Error) => void;

  readonly #socketBefore: Socket | undefined;
  #stage: Stage = 'connecting';
  #isOver = false;
  #informational = 0;
  #head: Omit<Answer, 'body'> | undefined;
  /** How the download ends, whatever happens to the rest of its body. */
  #decided: Answer | Fault | undefined;
  #limitBytes = 0;
  /** Whether the bytes up to the limit are an answer. */
  #takesFirst = false;
  #bytes = 0;
  #body: Buffer = NO_BODY;
  #lengthBytes = 0;

  constructor(
    settings: DownloadSettings, connection: Connection, memory: BodyMemory,
    ended: (end: Answer | Fault, heldBytes: number) => void, broken: (error: Error) => void,
  ) {
    this.#settings = settings;
    this.#connection = connection;
    this.#socketBefore = connection.socket;
    Object.assign(settings.times, { connectedMs: undefined, firstByteMs: undefined, endMs: undefined });
    this.#memory = memory;
    this.#ended = ended;
    this.#broken = broken;
  }

  /** Ends the download and its connection, unless it is over. */
  abort(fault: FaultError): void {
    if (this.#isOver) return;
    this.#fail(fault);
    this.#cut();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(new FaultError('download time-out', 'over before it began'));
    if (this.#connection.socket !== this.#socketBefore) this.#settings.times.connectedMs = performance.now();
    this.#stage = 'head';
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _headers: unknown, statusText = ''): void {
    if (status < 200) {
      if (++this.#informational > MAX_INFORMATIONAL)
        this.abort(new FaultError('malformed answer', `more than ${MAX_INFORMATIONAL} responses 1xx`));
      return;
    }
    this.#stage = 'body';
    this.#settings.times.firstByteMs = performance.now();
    const rawHeaders = (controller.rawHeaders as Buffer[]).map((bytes) => bytes.toString('latin1'));
    const { url, requestHead, bodyLimitBytes } = this.#settings;
    this.#limitBytes = bodyLimitBytes;
    this.#head = { url, status, statusText, rawHeaders, address: this.#connection.address, requestHead };
    this.#lengthBytes = Number(header(rawHeaders, 'content-length') ?? 0);
    let part: ReturnType<Wants>;
    try {
      part = this.#settings.wants(status, rawHeaders);
    } catch (error) {
      // The caller's fault, not the host's.
      this.#isOver = true;
      this.#broken(error as Error);
      this.#cut();
      return;
    }
    // Whatever length they state (RFC 9110, 8.6; 304 states the length that another response would have).
    const isEmpty = status === 204 || status === 304;
    if (typeof part === 'number' && !isEmpty) {
      this.#limitBytes = part;
      this.#takesFirst = true;
      return;
    }
    if (part === 'body' && !isEmpty) {
      if (this.#lengthBytes > bodyLimitBytes) this.abort(new FaultError('body too long', `${this.#lengthBytes} bytes`));
      return;
    }
    this.#decided = part === 'body' || part === 'headers alone' || typeof part === 'number'
      ? { ...this.#head, body: NO_BODY } : { reason: part, detail: '', bytes: 0 };
    if (this.#lengthBytes > MAX_UNWANTED_BYTES) this.#leave(this.#decided);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += chunk.length;
    if (this.#decided !== undefined) {
      if (this.#bytes > MAX_UNWANTED_BYTES) this.#leave(this.#decided);
    } else if (this.#bytes <= this.#limitBytes) {
      this.#append(chunk);
    } else if (this.#takesFirst) {
      const beyondBytes = this.#bytes - this.#limitBytes;
      this.#bytes = this.#limitBytes;
      this.#append(chunk.subarray(0, chunk.length - beyondBytes));
      this.#leave(this.#answer());
    } else {
      this.abort(new FaultError('body too long', `over ${this.#limitBytes} bytes`));
    }
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    const error = this.#connection.socket?.errored;
    // A body without a length whose connection was cut: undici takes it for complete.
    if (error && this.#decided === undefined) this.#fail(error);
    else this.#end(this.#decided ?? this.#answer());
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isOver) return;
    // The end of an unwanted body does not matter.
    if (this.#decided !== undefined) this.#end(this.#decided);
    else this.#fail(error);
  }

  #answer(): Answer {
    return { ...this.#head as Omit<Answer, 'body'>, body: this.#body.subarray(0, this.#bytes) };
  }

  /** Ends as decided, because the rest of the body is not worth reading. */
  #leave(decided: Answer | Fault): void {
    this.#end(decided);
    this.#cut();
  }

  /**
   * Ends the request's connection. Not by undici's `abort`: that puts the request back into the queue until the
   * connection is closed, and opens another connection to the host for it, which is never used.
   */
  #cut(): void {
    if (this.#stage !== 'connecting') this.#connection.socket?.destroy(new Error('left'));
  }

  /**
   * Chunks go into a growing buffer, because chunks of a byte each would take some hundred bytes each; it is in
   * shared memory, because threads read the body.
   */
  #append(chunk: Buffer): void {
    const heldBytes = this.#body.length;
    const at = this.#bytes - chunk.length;
    if (this.#bytes > heldBytes) {
      // The host's stated length is believed up to 1 MiB: overstating it costs the host nothing.
      const statedBytes = Math.min(this.#lengthBytes, 1 << 20);
      const grown = sharedBytes(Math.max(2 * at, this.#bytes, statedBytes));
      this.#body.copy(grown, 0, 0, at);
      this.#body = grown;
      this.#memory.take(grown.length - heldBytes);
    }
    chunk.copy(this.#body, at);
  }

  #fail(error: Error): void {
    const cut = this.#connection.socket?.errored as NodeJS.ErrnoException | null | undefined;
    // undici reports a wrong length when the connection was cut: report what cut it.
    const cause = this.#stage === 'body' && cut?.code === 'ECONNRESET' ? cut : error;
    const { code = '', message } = cause as NodeJS.ErrnoException;
    try {
      const reason = reasonOf(cause, this.#stage, this.#connection.secure);
      // The error of several failed connections has only a code.
      this.#end({ reason, detail: message === '' ? code : message, bytes: this.#bytes });
    } catch (worldError) {
      this.#isOver = true;
      this.#broken(worldError as Error);
    }
  }

  #end(end: Answer | Fault): void {
    this.#isOver = true;
    this.#settings.times.endMs = performance.now();
    const heldBytes = this.#body.length;
    const isUsed = 'status' in end && end.body.length > 0;
    if (!isUsed) this.#memory.give(heldBytes);
    this.#ended(end, isUsed ? heldBytes : 0);
  }
}
