import { availableParallelism } from 'node:os';

/** Polls before sleeping: they take some tens of microseconds, as long as sleeping and waking up. */
const SPINS_BEFORE_SLEEP = 20_000;

/** Cells of the barrier's memory: the number of threads that have arrived, and of completed rounds. */
const cell = { arrived: 0, round: 1 } as const;

export function newBarrierMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * Object.keys(cell).length);
}

/**
 * A barrier of `threads` threads: returns once all have called it; writes made before the call are then visible to all
 * (ECMAScript, "Memory Model"). An early thread polls for a while if each thread has a core, then sleeps; forever, if
 * another never arrives.
 */
export function barrier(memory: SharedArrayBuffer, threads: number): () => void {
  const cells = new Int32Array(memory);
  const looks = threads <= availableParallelism() ? SPINS_BEFORE_SLEEP : 0;
  return () => {
    const round = Atomics.load(cells, cell.round);
    if (Atomics.add(cells, cell.arrived, 1) === threads - 1) {
      Atomics.store(cells, cell.arrived, 0);
      Atomics.add(cells, cell.round, 1);
      Atomics.notify(cells, cell.round);
      return;
    }
    for (let look = 0; look < looks; look++) if (Atomics.load(cells, cell.round) !== round) return;
    while (Atomics.load(cells, cell.round) === round) Atomics.wait(cells, cell.round, round);
  };
}
