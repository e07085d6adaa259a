import type { Socket } from 'node:net';
import { errors, type Dispatcher } from 'undici';
import { header, type Answer, type Fault, type FaultReason } from './answer.ts';
import type { BodyMemory } from './body-memory.ts';
import { reasonOf, Trouble, type Stage } from './trouble.ts';

/**
 * Says after the headers what is wanted of an answer: its body, so many of its first bytes at most, nothing more than
 * the headers, or nothing at all, and why.
 */
export type Wants = (status: number, rawHeaders: readonly string[]) => 'body' | number | 'headers alone' | FaultReason;

/** Of an unwanted body, what is read so that its connection can be used again: less than a new connection costs. */
const MAX_UNWANTED_BYTES = 16 << 10;

/** 1xx answers before the one that counts: each puts off the headers' time-out. */
const MAX_INFORMATIONAL = 8;

const NO_BODY = Buffer.alloc(0);

/** The connection that a download has, as far as its answer tells of it. */
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
}

/**
 * One request on its way, as undici tells of it: from the connection to the end, which is told exactly once.
 *
 * Bounds   memory: at most twice bodyLimitBytes, counted in `memory`, and the buffer before while a body grows; time:
 *          by undici's time-outs, and by whoever calls `abort`.
 */
export class Download implements Dispatcher.DispatchHandler {
  readonly #settings: DownloadSettings;
  readonly #connection: Connection;
  readonly #memory: BodyMemory;
  readonly #ended: (end: Answer | Fault, heldBytes: number) => void;
  readonly #broken: (error: Error) => void;

  #stage: Stage = 'connecting';
  #isOver = false;
  #informational = 0;
  #head: Omit<Answer, 'body'> | undefined;
  /** How the download ends whatever becomes of the rest of its body. */
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
    this.#memory = memory;
    this.#ended = ended;
    this.#broken = broken;
  }

  /** Ends the download, and its connection, unless it is over. */
  abort(trouble: Trouble): void {
    if (this.#isOver) return;
    this.#fail(trouble);
    this.#cut();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(new Trouble('download time-out', 'over before it began'));
    this.#stage = 'head';
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _headers: unknown, statusText = ''): void {
    if (status < 200) {
      if (++this.#informational > MAX_INFORMATIONAL)
        this.abort(new Trouble('malformed answer', `over ${MAX_INFORMATIONAL} answers 1xx`));
      return;
    }
    this.#stage = 'body';
    const rawHeaders = (controller.rawHeaders as Buffer[]).map((bytes) => bytes.toString('latin1'));
    const { url, requestHead, bodyLimitBytes } = this.#settings;
    this.#limitBytes = bodyLimitBytes;
    this.#head = { url, status, statusText, rawHeaders, address: this.#connection.address, requestHead };
    this.#lengthBytes = Number(header(rawHeaders, 'content-length') ?? 0);
    let wanted: ReturnType<Wants>;
    try {
      wanted = this.#settings.wants(status, rawHeaders);
    } catch (error) {
      // A fault of the caller, not of the host.
      this.#isOver = true;
      this.#broken(error as Error);
      this.#cut();
      return;
    }
    // Whatever they promise (RFC 9110, 8.6; 304 tells the length that another answer would have).
    const isEmpty = status === 204 || status === 304;
    if (typeof wanted === 'number' && !isEmpty) {
      this.#limitBytes = wanted;
      this.#takesFirst = true;
      return;
    }
    if (wanted === 'body' && !isEmpty) {
      if (this.#lengthBytes > bodyLimitBytes) this.abort(new Trouble('body too long', `${this.#lengthBytes} bytes`));
      return;
    }
    this.#decided = wanted === 'body' || wanted === 'headers alone' || typeof wanted === 'number'
      ? { ...this.#head, body: NO_BODY } : { reason: wanted, detail: '', bytes: 0 };
    if (this.#lengthBytes > MAX_UNWANTED_BYTES) this.#leave(this.#decided);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isOver) return;
    this.#bytes += chunk.length;
    if (this.#decided !== undefined) {
      if (this.#bytes > MAX_UNWANTED_BYTES) this.#leave(this.#decided);
    } else if (this.#bytes <= this.#limitBytes) {
      this.#keep(chunk);
    } else if (this.#takesFirst) {
      const beyondBytes = this.#bytes - this.#limitBytes;
      this.#bytes = this.#limitBytes;
      this.#keep(chunk.subarray(0, chunk.length - beyondBytes));
      this.#leave(this.#answer());
    } else {
      this.abort(new Trouble('body too long', `over ${this.#limitBytes} bytes`));
    }
  }

  onResponseEnd(): void {
    if (this.#isOver) return;
    const error = this.#connection.socket?.errored;
    // A body that lasts until its connection ends, and the connection was cut: undici takes it for whole.
    if (error && this.#decided === undefined) this.#fail(error);
    else this.#end(this.#decided ?? this.#answer());
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#isOver) return;
    // Of an unwanted body the end does not matter.
    if (this.#decided !== undefined) this.#end(this.#decided);
    else this.#fail(error);
  }

  #answer(): Answer {
    return { ...this.#head as Omit<Answer, 'body'>, body: this.#body.subarray(0, this.#bytes) };
  }

  /** Ends as decided: the rest of the body is not worth reading. */
  #leave(decided: Answer | Fault): void {
    this.#end(decided);
    this.#cut();
  }

  /**
   * Ends the connection that the request is on. Not by undici's `abort`: that puts the request back into the queue
   * until the connection is closed, and opens another connection to the host for it, on which nothing is ever asked.
   */
  #cut(): void {
    if (this.#stage !== 'connecting') this.#connection.socket?.destroy(new errors.SocketError('left'));
  }

  /**
   * The first chunk is kept as it came; more go into one growing buffer, for chunks of one byte each would hold a
   * hundred each.
   */
  #keep(chunk: Buffer): void {
    const heldBytes = this.#body.buffer.byteLength;
    if (heldBytes === 0) {
      this.#body = chunk;
    } else {
      const before = this.#bytes - chunk.length;
      const isOurs = this.#body.byteOffset === 0 && this.#body.length === heldBytes;
      if (!isOurs || this.#bytes > heldBytes) {
        // What the host says is believed up to 1 MiB: to say more costs it nothing.
        const promisedBytes = Math.min(this.#lengthBytes, 1 << 20);
        const grown = Buffer.allocUnsafeSlow(Math.max(2 * before, this.#bytes, promisedBytes));
        this.#body.copy(grown, 0, 0, before);
        this.#body = grown;
      }
      chunk.copy(this.#body, before);
    }
    this.#memory.take(this.#body.buffer.byteLength - heldBytes);
  }

  #fail(error: Error): void {
    const cut = this.#connection.socket?.errored as NodeJS.ErrnoException | null | undefined;
    // undici tells of a wrong length where the connection was cut: what cut it counts.
    const cause = this.#stage === 'body' && cut?.code === 'ECONNRESET' ? cut : error;
    const { code = '', message } = cause as NodeJS.ErrnoException;
    try {
      const reason = reasonOf(cause, this.#stage, this.#connection.secure);
      // That of several connections tried in vain has a code alone.
      this.#end({ reason, detail: message === '' ? code : message, bytes: this.#bytes });
    } catch (worldError) {
      this.#isOver = true;
      this.#broken(worldError as Error);
    }
  }

  #end(end: Answer | Fault): void {
    this.#isOver = true;
    const heldBytes = this.#body.buffer.byteLength;
    const isKept = 'status' in end && end.body.length > 0;
    if (!isKept) this.#memory.give(heldBytes);
    this.#ended(end, isKept ? heldBytes : 0);
  }
}
