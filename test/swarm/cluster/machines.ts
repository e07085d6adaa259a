import type { Web } from '../../../src/core/live/index.ts';
import type { Draws, VirtualTime } from './virtual-time.ts';

/**
 * A process on a machine of its own, as the operating system has it: it may be stopped for a while, and killed. Its
 * code runs in this process and cannot be stopped there; but it does nothing unless something from outside reaches it,
 * an answer or a timer, and all of that comes through `reach`.
 */
export class Machine {
  readonly slot: number;
  /** Of all processes of the case, from 0. */
  readonly number: number;
  isStopped = false;
  /** When it ended, by the time of the case. */
  diedMs = Infinity;
  readonly #time: VirtualTime;
  /** Clocks of machines agree neither in the time nor in the length of a second. */
  readonly #rate: number;
  readonly #offsetMs: number;
  #held: (() => void)[] = [];

  constructor(slot: number, number: number, time: VirtualTime, draws: Draws, drift: number) {
    this.slot = slot;
    this.number = number;
    this.#time = time;
    this.#rate = 1 + drift * (2 * draws.uniform('rate of a clock') - 1);
    this.#offsetMs = draws.int('offset of a clock', 0, 1e6);
  }

  /** The clock of the machine, which never goes back. */
  get nowMs(): number {
    return this.#offsetMs + this.#rate * this.#time.nowMs;
  }

  /** Something from outside arrives: at once, once the process goes on, or never. */
  reach(work: () => void): void {
    if (!this.isAlive) return;
    if (this.isStopped) this.#held.push(work);
    else work();
  }

  /** After so long by its own clock; returns what cancels it. */
  timer(ms: number, ring: () => void): () => void {
    let isCancelled = false;
    this.#time.after(Math.max(0, ms) / this.#rate, () => { this.reach(() => { if (!isCancelled) ring(); }); });
    return () => { isCancelled = true; };
  }

  async sleep(ms: number): Promise<void> {
    return new Promise((resolve) => { this.timer(ms, resolve); });
  }

  /** SIGSTOP. */
  stop(): void {
    this.isStopped = true;
  }

  /** SIGCONT: what has arrived meanwhile is there, in its order. */
  goOn(): void {
    this.isStopped = false;
    const held = this.#held;
    this.#held = [];
    for (const work of held) this.reach(work);
  }

  get isAlive(): boolean {
    return this.diedMs === Infinity;
  }

  /** SIGKILL. */
  kill(): void {
    if (this.isAlive) this.diedMs = this.#time.nowMs;
    this.#held = [];
  }
}

/** The clock of a session, by that of its machine: microseconds since the crawl began, from `beginUs` on. */
export class SessionClock implements Pick<Web['clock'], 'nowUs' | 'alarm'> {
  readonly #machine: Machine;
  readonly #beginUs: number;
  readonly #originMs: number;

  constructor(machine: Machine, beginUs: number) {
    this.#machine = machine;
    this.#beginUs = beginUs;
    this.#originMs = machine.nowMs;
  }

  get nowUs(): number {
    return this.#beginUs + Math.floor(1000 * (this.#machine.nowMs - this.#originMs));
  }

  alarm(atUs: number, ring: () => void): () => void {
    let cancel = (): void => undefined;
    const wait = (): void => {
      if (this.nowUs >= atUs) ring();
      else cancel = this.#machine.timer(Math.max(0.001, (atUs - this.nowUs) / 1000), wait);
    };
    wait();
    return () => { cancel(); };
  }
}

interface Call {
  /** Runs on the server. */
  readonly execute: () => Promise<unknown>;
  readonly answered: (answer: unknown) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * A connection of a process to the server: calls arrive, and are answered, in their order and each after a delay. One
 * that is lost is made again, and what was not answered is asked again, though it may have been done.
 */
export class Connection {
  readonly #machine: Machine;
  readonly #time: VirtualTime;
  readonly #delayMs: () => number;
  /** Made anew so often. */
  #generation = 0;
  #isOpen = true;
  readonly #unanswered = new Set<Call>();
  #lastThereMs = 0;
  #lastBackMs = 0;

  constructor(machine: Machine, time: VirtualTime, delayMs: () => number) {
    this.#machine = machine;
    this.#time = time;
    this.#delayMs = delayMs;
  }

  async call<T>(execute: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!this.#machine.isAlive) return;
      const call: Call = { execute, answered: (answer) => { resolve(answer as T); }, failed: reject };
      this.#unanswered.add(call);
      if (this.#isOpen) this.#send(call);
    });
  }

  /** It is lost now, and there again after so long. */
  lose(forMs: number): void {
    const generation = ++this.#generation;
    this.#isOpen = false;
    this.#time.after(forMs, () => {
      if (generation !== this.#generation) return;
      this.#isOpen = true;
      this.#machine.reach(() => {
        if (generation === this.#generation) for (const call of this.#unanswered) this.#send(call);
      });
    });
  }

  #send(call: Call): void {
    const generation = this.#generation;
    const isLost = (): boolean => generation !== this.#generation;
    this.#lastThereMs = Math.max(this.#lastThereMs, this.#time.nowMs + this.#delayMs());
    this.#time.after(this.#lastThereMs - this.#time.nowMs, () => {
      if (isLost()) return;
      const answer = (deliver: () => void): void => {
        if (isLost()) return;
        this.#lastBackMs = Math.max(this.#lastBackMs, this.#time.nowMs + this.#delayMs());
        this.#time.after(this.#lastBackMs - this.#time.nowMs, () => {
          if (isLost()) return;
          this.#unanswered.delete(call);
          this.#machine.reach(deliver);
        });
      };
      call.execute().then(
        (value) => { answer(() => { call.answered(value); }); },
        (error: unknown) => { answer(() => { call.failed(error); }); },
      );
    });
  }
}
