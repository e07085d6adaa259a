import { chmod } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import * as z from 'zod';
import { InputError } from '../../base/index.ts';
import type { RunCard, RunMessage, RunRequest } from './contract.ts';
import { Lines, parsed } from './lines.ts';
import { doorFolder, makeDoorFolder, removeFiles, socketOf, writeCard } from './runs-folder.ts';

/** What a door shows, and what it passes requests to. */
export interface Watchable {
  readonly card: RunCard;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Only a request can let it go on. */
  readonly isPaused: boolean;
  /** All there is so far. */
  whole(): RunMessage[];
  /** What is new since the last call, the state apart. */
  news(): RunMessage[];
  state(): RunMessage;
  /** Does what a watcher asks. @throws InputError if it cannot. */
  ask(request: RunRequest): void;
}

export interface DoorOptions {
  /** Fulfilled after so many milliseconds; it need not hold the process. */
  readonly wait: (ms: number) => Promise<unknown>;
  /** The folder of doors; the default is the folder of this user. */
  readonly folder?: string | undefined;
}

/** Someone who has joined. */
interface Watcher {
  readonly socket: Socket;
  /** It reads too slowly, and gets nothing until it has read what there is. */
  isBehind: boolean;
}

const number = z.int().min(0);
const requestSchema = z.discriminatedUnion('do', [
  z.strictObject({ number, do: z.enum(['pause', 'resume', 'stop']) }),
  z.strictObject({ number, do: z.literal('robots'), robots: z.number(), processor: z.number().optional() }),
  z.strictObject({ number, do: z.literal('host'), host: z.string(), delayMs: z.number().nullable() }),
  z.strictObject({ number, do: z.literal('pace'), maxSuperstepsPerSecond: z.number().nullable() }),
]);

const MAX_REQUEST_BYTES = 65_536;
/** A watcher with more than that to read is behind. */
const MAX_UNREAD_BYTES = 2 ** 20;
/** What is sent takes at most a hundredth of the run's time. */
const SHARE = 100;
/** How long the end waits for those who have not read the last state. */
const LAST_WORDS_MS = 500;

/**
 * The socket of a run, for as many watchers as come. It does not hold its process, unless the run is paused: then only
 * a request can let it go on.
 */
export class Door {
  readonly #watch: Watchable;
  readonly #wait: DoorOptions['wait'];
  readonly #folder: string;
  readonly #server: Server;
  readonly #watchers = new Set<Watcher>();
  #dueMs = -Infinity;

  /** @throws InputError if the folder of doors cannot be used, or the socket cannot be made. */
  static async open(watch: Watchable, { wait, folder = doorFolder() }: DoorOptions): Promise<Door> {
    await makeDoorFolder(folder);
    const door = new Door(watch, wait, folder);
    await door.#listen();
    return door;
  }

  private constructor(watch: Watchable, wait: DoorOptions['wait'], folder: string) {
    this.#watch = watch;
    this.#wait = wait;
    this.#folder = folder;
    this.#server = createServer((socket) => { this.#join(socket); }).unref();
  }

  /** Sends the news and the state to all watchers; called about four times a second. */
  tick(): void {
    const { now } = this.#watch;
    const beginMs = now();
    if (beginMs < this.#dueMs || !this.#present().length) return;
    this.#send(this.#present(), [...this.#watch.news(), this.#watch.state()]);
    const endMs = now();
    this.#dueMs = endMs + (SHARE - 1) * (endMs - beginMs);
  }

  /** Sends the last state, and closes. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.abandon();
    this.#send(this.#present(), [...this.#watch.news(), this.#watch.state()]);
    for (const { socket, isBehind } of this.#watchers) {
      if (isBehind) socket.write(linesOf(this.#watch.whole()));
      // Until they are closed, the process waits for them.
      socket.ref().end();
    }
    if (this.#watchers.size > 0) await Promise.race([closed, this.#wait(LAST_WORDS_MS)]);
    for (const { socket } of this.#watchers) socket.destroy();
    await closed;
  }

  /** Removes its files: nobody can join any more. */
  async abandon(): Promise<void> {
    await removeFiles(this.#folder, this.#watch.card.id);
  }

  async #listen(): Promise<void> {
    const path = socketOf(this.#folder, this.#watch.card.id);
    try {
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject).listen(path, resolve);
      });
      await chmod(path, 0o600);
      await writeCard(this.#folder, this.#watch.card);
    } catch (error) {
      this.#server.close();
      throw new InputError(`${path}: cannot be made: ${(error as Error).message}`);
    }
  }

  #present(): Watcher[] {
    return [...this.#watchers].filter(({ isBehind }) => !isBehind);
  }

  #join(socket: Socket): void {
    const watcher: Watcher = { socket, isBehind: false };
    const lines = new Lines(MAX_REQUEST_BYTES, (line) => { this.#take(socket, line); });
    socket.unref()
      .on('data', (chunk) => { if (!lines.push(chunk)) socket.destroy(); })
      .on('drain', () => { if (watcher.isBehind) this.#bringUpToDate(watcher); })
      .on('error', () => { socket.destroy(); })
      .on('close', () => { this.#watchers.delete(watcher); });
    this.#bringUpToDate(watcher);
    this.#watchers.add(watcher);
  }

  /** Sends everything: other watchers first get the news, which `news` returns only once. */
  #bringUpToDate(watcher: Watcher): void {
    this.#send(this.#present(), this.#watch.news());
    watcher.isBehind = false;
    watcher.socket.resume();
    this.#send([watcher], this.#watch.whole());
  }

  #send(watchers: readonly Watcher[], messages: readonly RunMessage[]): void {
    if (watchers.length === 0 || messages.length === 0) return;
    const lines = linesOf(messages);
    for (const watcher of watchers) {
      if (watcher.socket.writableLength <= MAX_UNREAD_BYTES) watcher.socket.write(lines);
      else {
        watcher.isBehind = true;
        // What it asks would be answered.
        watcher.socket.pause();
      }
    }
  }

  #take(socket: Socket, line: string): void {
    if (socket.destroyed) return;
    const request = parsed(line);
    const { success, data } = requestSchema.safeParse(request);
    const to = number.safeParse((request as { number?: unknown } | undefined)?.number).data;
    if (to === undefined) {
      socket.destroy();
      return;
    }
    const error = success ? this.#asked(data) : 'is not a request that this version of Orbweaver knows';
    socket.write(linesOf([{ is: 'answer', to, error }]));
  }

  /** @returns why it is refused, if it is. */
  #asked(request: RunRequest): string | null {
    try {
      this.#watch.ask(request);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return error.message;
    }
    if (this.#watch.isPaused) this.#server.ref();
    else this.#server.unref();
    return null;
  }
}

function linesOf(messages: readonly RunMessage[]): string {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
}
