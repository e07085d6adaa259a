import { availableParallelism } from 'node:os';

/** Looks that take some tens of microseconds, which is what it costs to sleep and be woken. */
const patientLooks = 20_000;

/** Cells of the barrier's memory: threads that have arrived, and how often all have. */
const cell = { arrived: 0, round: 1 } as const;

export function newBarrierMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(4 * Object.keys(cell).length);
}

/**
 * The barrier of `threads` threads: returns when all have called it, and what any wrote before is then seen by all
 * (ECMAScript, "Memory Model"). A thread that is early looks a while, where each thread has a core, and then sleeps;
 * for ever, if one never comes.
 */
export function barrier(memory: SharedArrayBuffer, threads: number): () => void {
  const cells = new Int32Array(memory);
  const looks = threads <= availableParallelism() ? patientLooks : 0;
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
