/** Looks at the turn before a thread goes to sleep: some tens of microseconds, which is what it costs to sleep and be woken. */
const spins = 20_000;

const cell = { arrived: 0, turn: 1 } as const;

export function newBarrierMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * Object.keys(cell).length);
}

/** Where T threads wait for each other: they look for a while, then sleep, so that it also ends where there are fewer cores. */
export class Barrier {
  readonly #cells: Int32Array;
  readonly #threads: number;

  constructor(memory: SharedArrayBuffer, threads: number) {
    this.#cells = new Int32Array(memory);
    this.#threads = threads;
  }

  /** Returns when all threads have called it as often as this one. Blocks the thread. */
  wait(): void {
    const cells = this.#cells;
    // Before arriving: once all have, the turn may change at any time.
    const turn = Atomics.load(cells, cell.turn);
    if (Atomics.add(cells, cell.arrived, 1) === this.#threads - 1) {
      Atomics.store(cells, cell.arrived, 0);
      Atomics.add(cells, cell.turn, 1);
      Atomics.notify(cells, cell.turn);
      return;
    }
    for (let spin = 0; spin < spins; spin++) if (Atomics.load(cells, cell.turn) !== turn) return;
    while (Atomics.load(cells, cell.turn) === turn) Atomics.wait(cells, cell.turn, turn);
  }
}
