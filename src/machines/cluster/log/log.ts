import { assert, WorldError } from '../../../base/index.ts';
import { isBefore, streamStart, type Entry, type EntryId, type Streams } from './streams.ts';

/** Entries of a node that are read ahead: one that starts again reads what all others have written. */
const maxAhead = 64;

export interface LogOptions {
  readonly streams: Streams;
  /** This node, from 0, of `nodes`. */
  readonly node: number;
  readonly nodes: number;
  /** Records of earlier epochs are ignored; one of a later epoch ends the log. */
  readonly epoch: number;
  /** Called about once a second while no record comes, with the nodes that are waited for. */
  readonly onIdle?: ((nodes: readonly number[]) => void) | undefined;
}

/** Another process has begun a later epoch: this one is not to go on. */
export class EpochEnded extends WorldError {
  /** The node that has begun it: this process's own one, and another process has its place; or another, to follow. */
  readonly node: number;
  readonly epoch: number;

  constructor(node: number, epoch: number) {
    super(`node ${node} has begun epoch ${epoch}; this process belongs to an earlier one and ends`);
    this.node = node;
    this.epoch = epoch;
  }
}

interface Peer {
  at: EntryId;
  ahead: Entry[];
  wait: Wait | undefined;
}

interface Wait {
  readonly seq: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The log of a crawl on several nodes, as one of them sees it. A node writes records, numbered, into a stream of its
 * own; every other node reads each of them once, in order.
 *
 *  - *Write-once.* A record that is there stays. Who writes the same record again (a node that computes a simulation
 *  from the start) finds it there; who writes another one under its number gets an error.
 *  - *Nothing durable.* The engine may lose the end of a stream, or everything. A node holds its own records until it
 *  trims them, and appends again those that are missing. A stream thus has no gaps.
 *  - *Fencing.* Once a later epoch has begun in a node's stream, nothing of an earlier one can be written there, and
 *  both a writer and a reader of the earlier epoch end with EpochEnded.
 */
export class Log {
  readonly node: number;
  readonly nodes: number;
  /** Records of earlier epochs are ignored; one of a later epoch ends the log. */
  readonly epoch: number;
  readonly #streams: Streams;
  readonly #onIdle: LogOptions['onIdle'];
  /** Callers that wait for an answer of the engine: their rejections. */
  readonly #asking = new Set<(error: unknown) => void>();
  readonly #failureHeard: ((error: unknown) => void)[] = [];
  readonly #peers = new Map<number, Peer>();
  /** Own records that are not trimmed, in order; the place of the last entry, as far as is known. */
  #own: Entry[] = [];
  #last: EntryId = streamStart;
  #appendedSeq = 0;
  #storing: Promise<unknown> = Promise.resolve();
  #makeRoom: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #isClosed = false;

  constructor({ streams, node, nodes, epoch, onIdle }: LogOptions) {
    this.node = node;
    this.nodes = nodes;
    this.#streams = streams;
    this.epoch = epoch;
    this.#onIdle = onIdle;
    for (let other = 0; other < nodes; other++)
      if (other !== node) this.#peers.set(other, { at: { epoch, seq: 0 }, ahead: [], wait: undefined });
    if (this.#peers.size > 0) this.#read().catch((error: unknown) => { this.fail(error); });
  }

  /**
   * Resolves when the record is in the log, or was there.
   * @throws EpochEnded; WorldError if there is another record of this number.
   */
  async put(seq: number, bytes: Uint8Array): Promise<void> {
    assert(seq > (this.#own.at(-1)?.id.seq ?? 0), () => `record ${seq} comes after record ${this.#own.at(-1)?.id.seq}`);
    if (this.#failure !== undefined) throw this.#failure.error;
    const entry = { stream: this.node, id: { epoch: this.epoch, seq }, bytes };
    this.#own.push(entry);
    await this.#orFailed(this.#alone(async () => {
      await this.#store();
      if (this.#appendedSeq < seq) await this.#compare(entry);
    }));
  }

  /** A record of another node; waits for it. Records are taken in order: those before it are dropped. */
  async get(node: number, seq: number): Promise<Uint8Array> {
    const peer = this.#peers.get(node);
    assert(peer !== undefined && peer.wait === undefined, () => `node ${node} is not read here, or twice at once`);
    if (this.#failure !== undefined) throw this.#failure.error;
    return new Promise((resolve, reject) => {
      peer.wait = { seq, resolve, reject };
      this.#serve(node, peer);
    });
  }

  /** The last record of another node, of whatever epoch, or undefined: what `get` does not give. */
  async lastOf(node: number): Promise<{ readonly seq: number; readonly bytes: Uint8Array } | undefined> {
    const id = await this.#orFailed(this.#streams.last(node));
    const bytes = await this.#orFailed(this.#streams.entryAt(node, id));
    return bytes && { seq: id.seq, bytes };
  }

  /** Resolves when all own records are in the log, also those that the engine has lost since. @throws EpochEnded. */
  async complete(): Promise<void> {
    await this.#orFailed(this.#restore());
  }

  /**
   * Own records before this one are not needed any more, by any node. Resolves when they are gone, and need not be
   * waited for: where the engine refuses it, the log fails.
   */
  async trim(seq: number): Promise<void> {
    this.#own = this.#own.filter(({ id }) => id.seq >= seq);
    await this.#streams.trim(this.node, { epoch: this.epoch, seq }).catch((error: unknown) => { this.fail(error); });
  }

  /** Whatever waits here, or will, ends with this error. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const hear of this.#failureHeard.splice(0)) hear(error);
    for (const reject of this.#asking) reject(error);
    for (const peer of this.#peers.values()) {
      peer.wait?.reject(error);
      peer.wait = undefined;
    }
  }

  /** Calls `hear` with the error that ends the log. */
  onceFailed(hear: (error: unknown) => void): void {
    if (this.#failure === undefined) this.#failureHeard.push(hear);
    else hear(this.#failure.error);
  }

  close(): void {
    this.#isClosed = true;
    this.#makeRoom?.();
    this.#streams.close();
  }

  async #read(): Promise<void> {
    while (!this.#isClosed) {
      const after = new Map<number, EntryId>();
      for (const [node, { at, ahead }] of this.#peers) if (ahead.length < maxAhead) after.set(node, at);
      if (after.size === 0) {
        await new Promise<void>((resolve) => { this.#makeRoom = resolve; });
        continue;
      }
      const entries = await this.#streams.read(after);
      for (const entry of entries) this.#take(entry);
      if (entries.length > 0 || this.#hasClosed()) continue;
      await this.#restore();
      this.#onIdle?.([...this.#peers].filter(([, { wait }]) => wait !== undefined).map(([node]) => node));
    }
  }

  /** A method, for the compiler: it changes while others are awaited. */
  #hasClosed(): boolean {
    return this.#isClosed;
  }

  #take(entry: Entry): void {
    const { stream, id } = entry;
    const peer = this.#peers.get(stream)!;
    if (!isBefore(peer.at, id)) return;
    if (id.epoch > this.epoch) throw new EpochEnded(stream, id.epoch);
    peer.at = id;
    peer.ahead.push(entry);
    this.#serve(stream, peer);
  }

  /** Gives the record that is waited for, if it is there. */
  #serve(node: number, peer: Peer): void {
    if (peer.wait === undefined) return;
    const { seq, resolve, reject } = peer.wait;
    while (peer.ahead.length > 0 && peer.ahead[0].id.seq < seq) peer.ahead.shift();
    const [entry] = peer.ahead as readonly (Entry | undefined)[];
    if (peer.ahead.length < maxAhead) this.#makeRoom?.();
    if (entry === undefined) return;
    peer.wait = undefined;
    if (entry.id.seq === seq) {
      peer.ahead.shift();
      resolve(entry.bytes);
    } else reject(new WorldError(`record ${seq} of node ${node} is no longer in the log, which has ${entry.id.seq}`));
  }

  /** Appends own records that are behind the last entry, until all are there. */
  async #store(): Promise<void> {
    for (;;) {
      const next = this.#nextToStore();
      if (next === undefined) return;
      const last = await this.#streams.append(next, this.#last);
      if (last !== undefined && last.epoch > this.epoch) throw new EpochEnded(this.node, last.epoch);
      if (last === undefined) this.#appendedSeq = next.id.seq;
      this.#last = last ?? next.id;
    }
  }

  /** The first own record behind the last entry: mostly the newest, so it is looked for from the end. */
  #nextToStore(): Entry | undefined {
    let at = this.#own.length;
    while (at > 0 && isBefore(this.#last, this.#own[at - 1].id)) at--;
    return this.#own.at(at);
  }

  /** Appends again what the engine has lost. */
  async #restore(): Promise<void> {
    await this.#alone(async () => {
      const last = await this.#streams.last(this.node);
      if (last.epoch > this.epoch) throw new EpochEnded(this.node, last.epoch);
      if (!isBefore(last, this.#last)) return;
      this.#last = last;
      await this.#store();
    });
  }

  async #compare({ stream, id, bytes }: Entry): Promise<void> {
    const there = await this.#streams.entryAt(stream, id);
    if (there === undefined || Buffer.compare(there, bytes) === 0) return;
    throw new WorldError(`record ${id.seq} of node ${stream} is in the log already, with other contents`);
  }

  /** An engine that is away answers no more; the log may end all the same. */
  async #orFailed<T>(answer: Promise<T>): Promise<T> {
    if (this.#failure !== undefined) {
      answer.catch(() => undefined);
      throw this.#failure.error;
    }
    return new Promise<T>((resolve, reject) => {
      this.#asking.add(reject);
      answer.then(resolve, reject).finally(() => this.#asking.delete(reject));
    });
  }

  /** One after another. */
  async #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#storing.then(work);
    this.#storing = result.catch(() => undefined);
    return result;
  }
}
