import { Machine } from './machines.ts';
import { Server, type ServerOptions } from './server.ts';
import { Draws, VirtualTime } from './virtual-time.ts';

/** What may happen to the processes and the server of a case. */
export const faultKinds = [
  'process killed', 'process stopped', 'second process', 'connections lost', 'server restarted', 'tails lost',
  'everything lost',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** The process ends, and its supervisor is to start it anew. */
export class StartAnew extends Error {}

export interface Supervision {
  readonly nodes: number;
  readonly kinds: readonly FaultKind[];
  readonly maxFaults: number;
  readonly meanMsBetweenFaults: number;
  readonly meanRestartMs: number;
  /** The longest stop of a process. */
  readonly maxStopMs: number;
  /** The mean of the longest kind of times for which connections and server are away; there are much shorter ones. */
  readonly meanAwayMs: number;
  readonly drift: number;
  /** What is written to a disk takes so long. */
  readonly meanDiskMs: number;
  /** Nothing ends it sooner; only what hangs takes so long. */
  readonly maxMs: number;
  readonly server: Omit<ServerOptions, 'broken'>;
}

/** What the code of a process is given. */
export interface Surroundings {
  readonly machine: Machine;
  readonly server: Server;
  readonly time: VirtualTime;
  readonly draws: Draws;
  readonly meanDiskMs: number;
  readonly broken: (message: string) => void;
  /** Faults end: from now on a node may have left for good. */
  readonly calm: () => void;
}

/** The code of a process, to its end: what it came to. @throws StartAnew. */
export type Program = (surroundings: Surroundings) => Promise<string>;

export interface Supervised {
  /** By node. */
  readonly results: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
  readonly processes: number;
  readonly ms: number;
  /** All that happened to processes and server, in order. */
  readonly story: readonly string[];
}

/**
 * The processes of N nodes with their supervisors, in virtual time: each that ends before its node has a result is
 * started anew. Faults of the kinds given happen at drawn times, so many at most; then it is calm.
 */
export class Cluster {
  readonly #program: Program;
  readonly #supervision: Supervision;
  readonly #time = new VirtualTime();
  readonly #draws: Draws;
  readonly #server: Server;
  readonly #results: (string | undefined)[];
  readonly #faults: Record<string, number> = {};
  readonly #story: string[] = [];
  #machines: Machine[] = [];
  #processes = 0;
  #faultsLeft: number;
  /** When the server last lost anything. */
  #lostMs = -Infinity;
  #problem: string | undefined;

  constructor(seed: number, supervision: Supervision, program: Program) {
    this.#program = program;
    this.#supervision = supervision;
    this.#draws = new Draws(seed);
    this.#faultsLeft = supervision.maxFaults;
    this.#results = Array.from({ length: supervision.nodes }, () => undefined);
    this.#server = new Server(this.#time, this.#draws, { ...supervision.server, broken: this.#broken });
  }

  /** @throws Error with what was broken, and what happened before. */
  async run(): Promise<Supervised> {
    const { nodes, maxMs } = this.#supervision;
    for (let slot = 0; slot < nodes; slot++) this.#startAfter(slot, this.#draws.between('first start', 100));
    this.#faultLater();
    const isOver = (): boolean => this.#problem !== undefined || this.#results.every((one) => one !== undefined);
    if (!await this.#time.pass(isOver, maxMs)) this.#broken(`nothing has come of it after ${maxMs / 1000} s`);
    if (this.#problem !== undefined) throw new Error(`${this.#problem}\n${this.#story.slice(-60).join('\n')}`);
    return {
      results: this.#results.map(String), faults: this.#faults, processes: this.#processes, ms: this.#time.nowMs,
      story: this.#story,
    };
  }

  readonly #broken = (message: string): void => {
    this.#problem ??= `after ${this.#time.nowMs.toFixed(1)} ms: ${message}`;
  };

  #tell(text: string): void {
    this.#story.push(`${this.#time.nowMs.toFixed(3)} ${text}`);
  }

  #startAfter(slot: number, ms: number): void {
    this.#time.after(ms, () => { if (this.#results[slot] === undefined) this.#start(slot); });
  }

  #start(slot: number): void {
    const { drift, meanDiskMs } = this.#supervision;
    const machine = new Machine(slot, this.#processes++, this.#time, this.#draws, drift);
    this.#machines.push(machine);
    this.#tell(`process ${machine.number} of node ${slot} starts`);
    const end = (text: string): void => {
      if (!machine.isAlive) return;
      this.#tell(`process ${machine.number} of node ${slot} ends: ${text}`);
      this.#remove(machine);
    };
    const surroundings: Surroundings = {
      machine, server: this.#server, time: this.#time, draws: this.#draws, meanDiskMs, broken: this.#broken,
      calm: () => { this.#faultsLeft = 0; },
    };
    this.#program(surroundings).then(
      (result) => {
        if (!machine.isAlive) return;
        end(result);
        this.#results[slot] = result;
      },
      (error: unknown) => {
        if (!machine.isAlive) return;
        end(String(error));
        if (error instanceof StartAnew) this.#restart(slot);
        else {
          const what = error instanceof Error ? error.stack ?? error.message : String(error);
          this.#broken(`process ${machine.number} of node ${slot}: ${what}`);
        }
      },
    );
  }

  #remove(machine: Machine): void {
    machine.kill();
    this.#machines = this.#machines.filter((one) => one !== machine);
    this.#server.forget(machine);
  }

  /** By the supervisor, unless another process of the node is there: also one that is stopped. */
  #restart(slot: number): void {
    if (this.#machines.some((one) => one.slot === slot)) return;
    this.#startAfter(slot, this.#draws.between('restart', this.#supervision.meanRestartMs));
  }

  #faultLater(): void {
    if (this.#supervision.kinds.length === 0) {
      this.#server.isCalm = true;
      return;
    }
    this.#time.after(this.#draws.between('fault', this.#supervision.meanMsBetweenFaults), () => {
      if (this.#faultsLeft-- <= 0) {
        this.#server.isCalm = true;
        return;
      }
      const kind = this.#draws.of('kind of fault', this.#supervision.kinds);
      const what = this.#happen(kind);
      if (what !== undefined) {
        this.#faults[kind] = (this.#faults[kind] ?? 0) + 1;
        this.#tell(`${kind}: ${what}`);
      }
      this.#faultLater();
    });
  }

  /** @returns what happened; undefined if there was nothing that it could happen to. */
  #happen(kind: FaultKind): string | undefined {
    const { nodes, maxStopMs, meanAwayMs, server } = this.#supervision;
    const draws = this.#draws;
    if (kind === 'second process') {
      const slot = draws.int('slot', 0, nodes - 1);
      this.#startAfter(slot, 0);
      return `of node ${slot}`;
    }
    const awayMs = draws.between('away', draws.of('away for', [5, 50, meanAwayMs]));
    if (kind === 'tails lost' || kind === 'everything lost') {
      // More often than that is not covered: see HeldSlot.
      if (this.#time.nowMs - this.#lostMs < server.leaseMs) return undefined;
      this.#lostMs = this.#time.nowMs;
    }
    if (kind === 'server restarted' || kind === 'tails lost' || kind === 'everything lost') {
      if (kind === 'tails lost') this.#server.loseTails(nodes, 4);
      if (kind === 'everything lost') this.#server.loseEverything();
      this.#server.restart(awayMs);
      return `away for ${awayMs.toFixed(1)} ms`;
    }
    const able = this.#machines.filter(({ isStopped }) => !isStopped);
    if (able.length === 0) return undefined;
    const machine = draws.of('process', able);
    if (kind === 'connections lost') {
      this.#server.cutOff(machine, awayMs);
      return `of process ${machine.number}, for ${awayMs.toFixed(1)} ms`;
    }
    if (kind === 'process killed') {
      this.#remove(machine);
      this.#restart(machine.slot);
      return `${machine.number}`;
    }
    const ms = draws.between('stop', maxStopMs / 3);
    machine.stop();
    this.#time.after(ms, () => { machine.goOn(); });
    // What watches its health sees that it does not answer, and starts another one.
    if (draws.chance('replaced', 0.5)) this.#startAfter(machine.slot, draws.between('replacement', ms));
    return `${machine.number}, for ${ms.toFixed(1)} ms`;
  }
}
