import { createConnection, type Socket } from 'node:net';
import { InputError } from '../../base/index.ts';
import type { RunMessage, RunRequest } from './contract.ts';
import { Lines, parsed } from './lines.ts';
import type { OpenRun } from './runs-folder.ts';

/** A request without its number, which `JoinedRun` gives it. */
export type RunAsked = RunRequest extends infer Request ? (Request extends unknown ? Omit<Request, 'number'> : never)
  : never;

/** Who looks at a run. */
export interface RunListener {
  /** Receives every message but answers: `card`, then everything so far, then the news. */
  message(message: RunMessage): void;
  /** The connection is closed. If the last state was neither `finished` nor `failed`, the process was ended. */
  closed(): void;
}

/** With 4,096 processors a state has 10 MB. */
const MAX_MESSAGE_BYTES = 2 ** 26;

/** Joins a run. @throws InputError if it has ended. */
export async function join({ socket: path }: Pick<OpenRun, 'socket'>, listener: RunListener): Promise<JoinedRun> {
  const socket = createConnection(path);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', ({ message }) => { reject(new InputError(`the run cannot be joined: ${message}`)); });
    socket.once('connect', resolve);
  });
  return new JoinedRun(socket, listener);
}

/** The other side of a door. */
export class JoinedRun {
  readonly #socket: Socket;
  readonly #asked = new Map<number, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  #next = 0;

  constructor(socket: Socket, listener: RunListener) {
    this.#socket = socket;
    const lines = new Lines(MAX_MESSAGE_BYTES, (line) => {
      const message = parsed(line) as RunMessage | undefined;
      if (message === undefined) socket.destroy();
      else if (message.is === 'answer') this.#answered(message);
      else listener.message(message);
    });
    socket
      .removeAllListeners('error')
      .on('data', (chunk: Buffer) => { if (!lines.push(chunk)) socket.destroy(); })
      .on('error', () => { socket.destroy(); })
      .on('close', () => {
        for (const { reject } of this.#asked.values()) reject(new InputError('the run has ended'));
        this.#asked.clear();
        listener.closed();
      });
  }

  /** Fulfilled once the run has taken it. @throws InputError if the run refuses it, or has ended. */
  async ask(request: RunAsked): Promise<void> {
    if (this.#socket.destroyed || !this.#socket.writable) throw new InputError('the run has ended');
    const number = this.#next++;
    await new Promise<void>((resolve, reject) => {
      this.#asked.set(number, { resolve, reject });
      this.#socket.write(`${JSON.stringify({ number, ...request })}\n`);
    });
  }

  /** Leaves: the run goes on. */
  close(): void {
    this.#socket.destroy();
  }

  #answered({ to, error }: Extract<RunMessage, { is: 'answer' }>): void {
    const waiter = this.#asked.get(to);
    this.#asked.delete(to);
    if (error === null) waiter?.resolve();
    else waiter?.reject(new InputError(error));
  }
}
