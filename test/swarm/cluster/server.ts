import {
  MemoryEngine, MemorySlots, type Entry, type Slots, type Streams,
} from '../../../src/machines/cluster/index.ts';
import { Connection, type Machine } from './machines.ts';
import type { Draws, VirtualTime } from './virtual-time.ts';

/** Readers that have waited so long return, as they do of Redis. */
const blockMs = 1000;

/** The server of a case, with the streams and the slots; it may be away, and lose what it has. */
export class Server {
  /** Answers are late no more. */
  isCalm = false;
  readonly #engine = new MemoryEngine();
  readonly #slots: MemorySlots;
  readonly #time: VirtualTime;
  readonly #draws: Draws;
  readonly #meanDelayMs: number;
  readonly #connections = new Map<Machine, Connection[]>();
  /** All that was ever written, by its place: with its contents, and by whom. */
  readonly #written = new Map<string, { readonly bytes: Uint8Array; readonly by: Machine }>();
  readonly #writers = new Map<string, Machine>();
  readonly #options: ServerOptions;
  /** When each process was given its slot last, for another lease. */
  readonly #givenMs = new Map<Machine, number>();
  /** By slot: who took it last, as far as the server still knows. */
  readonly #takers = new Map<number, Machine>();
  #awayUntilMs = 0;
  /** Since the last second. */
  #loseLastOfSlots: () => void;

  constructor(time: VirtualTime, draws: Draws, options: ServerOptions) {
    this.#time = time;
    this.#draws = draws;
    this.#options = options;
    this.#meanDelayMs = options.meanDelayMs;
    this.#slots = new MemorySlots(options.leaseMs, () => time.nowMs);
    this.#loseLastOfSlots = this.#slots.save();
    const passTime = (): void => {
      this.#engine.passTime();
      this.#loseLastOfSlots = this.#slots.save();
      time.after(blockMs, passTime);
    };
    passTime();
  }

  /** Of a process: two connections, for one that waits holds up what is written on its own. */
  streamsOf(machine: Machine): Streams {
    const [writer, reader] = [this.#connect(machine), this.#connect(machine)];
    const [own, waiting] = [this.#engine.connect(), this.#engine.connect()];
    let close: () => void = () => undefined;
    const closed = new Promise<readonly Entry[]>((resolve) => { close = () => { resolve([]); }; });
    return {
      append: async (entry, after) => writer.call(async () => {
        const last = await own.append(entry, after);
        if (last === undefined) this.#note(machine, entry);
        return last;
      }),
      last: async (stream) => writer.call(() => own.last(stream)),
      entryAt: async (stream, id) => writer.call(() => own.entryAt(stream, id)),
      read: async (after) => {
        const asked = new Map(after);
        return Promise.race([reader.call(() => waiting.read(asked)), closed]);
      },
      trim: async (stream, before) => writer.call(() => own.trim(stream, before)),
      close,
    };
  }

  slotsOf(machine: Machine): Slots {
    const connection = this.#connect(machine);
    const slots = this.#slots;
    const noted = <T>(answer: T, isGiven: boolean): T => {
      if (isGiven) this.#givenMs.set(machine, this.#time.nowMs);
      return answer;
    };
    return {
      leaseMs: slots.leaseMs,
      take: async (claimant) => connection.call(async () => {
        const claimed = await slots.take(claimant);
        if (claimed.epoch !== undefined) this.#takers.set(claimant.slot, machine);
        return noted(claimed, claimed.epoch !== undefined);
      }),
      renew: async (claimant, epoch) => connection.call(async () => {
        const isRenewed = await slots.renew(claimant, epoch);
        const taker = this.#takers.get(claimant.slot);
        if (isRenewed && taker !== undefined && taker !== machine) {
          const both = `process ${machine.number} renews slot ${claimant.slot}, though process ${taker.number} took it`;
          this.#options.broken(`${both} since`);
        }
        return noted(isRenewed, isRenewed);
      }),
      release: async (claimant) => connection.call(() => slots.release(claimant)),
    };
  }

  /** Whether the lease of a process has run out, which was not renewed in time. */
  hasRunOut(machine: Machine): boolean {
    return this.#time.nowMs - (this.#givenMs.get(machine) ?? -Infinity) > this.#slots.leaseMs;
  }

  /** All connections of a process are lost for a while. */
  cutOff(machine: Machine, forMs: number): void {
    const ms = Math.max(forMs, this.#awayUntilMs - this.#time.nowMs);
    for (const connection of this.#connections.get(machine) ?? []) connection.lose(ms);
  }

  /** The server is killed, and started again after so long. */
  restart(awayMs: number): void {
    this.#awayUntilMs = Math.max(this.#awayUntilMs, this.#time.nowMs + awayMs);
    for (const machine of this.#connections.keys()) this.cutOff(machine, awayMs);
  }

  forget(machine: Machine): void {
    this.#connections.delete(machine);
  }

  loseEverything(): void {
    this.#engine.lose();
    this.#slots.lose();
    this.#takers.clear();
  }

  /** Loses the last changes of slots, and of each stream up to so many entries. */
  loseTails(nodes: number, maxEntries: number): void {
    this.#loseLastOfSlots();
    this.#takers.clear();
    for (let stream = 0; stream < nodes; stream++)
      this.#engine.lose(this.#draws.int('entries lost', 0, maxEntries), [stream]);
  }

  #connect(machine: Machine): Connection {
    const { chanceOfLateAnswer } = this.#options;
    const connection = new Connection(machine, this.#time, () => {
      const isLate = !this.isCalm && this.#draws.chance('late answer', chanceOfLateAnswer);
      return this.#draws.between('delay', (isLate ? 100 : 1) * this.#meanDelayMs);
    });
    if (this.#awayUntilMs > this.#time.nowMs) connection.lose(this.#awayUntilMs - this.#time.nowMs);
    this.#connections.set(machine, [...this.#connections.get(machine) ?? [], connection]);
    return connection;
  }

  /**
   * What is written once is never written otherwise, not even after it was lost; and an epoch of a node is of one
   * process.
   */
  #note(machine: Machine, { stream, id: { epoch, seq }, bytes }: Entry): void {
    const place = `record ${seq} of node ${stream} in epoch ${epoch}`;
    const known = this.#written.get(place);
    if (known !== undefined && Buffer.compare(known.bytes, bytes) !== 0)
      this.#options.broken(`${place} was written by process ${known.by.number}, and otherwise by ${machine.number}`);
    this.#written.set(place, { bytes, by: machine });
    if (!this.#options.hasEpochs) return;
    const writer = this.#writers.get(`${stream}-${epoch}`);
    if (writer !== undefined && writer !== machine) {
      const both = `processes ${writer.number} and ${machine.number}`;
      this.#options.broken(`${both} write for node ${stream} in epoch ${epoch}`);
    }
    this.#writers.set(`${stream}-${epoch}`, machine);
  }
}

export interface ServerOptions {
  readonly meanDelayMs: number;
  readonly chanceOfLateAnswer: number;
  readonly leaseMs: number;
  /** Whether each process begins an epoch. Those of a simulation do not: all that write for a node write the same. */
  readonly hasEpochs: boolean;
  /** Called with what breaks a promise. */
  readonly broken: (message: string) => void;
}
