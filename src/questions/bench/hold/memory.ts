import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { BatchQueue } from '../contenders.ts';
import { hold, type HoldPlan } from './hold-model.ts';

let gc: (() => void) | undefined;

function exposedGc(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/**
 * Collects garbage. The flag can be set while the program runs, so that no one must start it with one. Three times,
 * with turns of the event loop between: the memory of typed arrays is given back by a thread of its own, for which only
 * the next collection waits. Once is enough where nothing is read afterwards.
 */
export async function collect(times = 3): Promise<void> {
  gc ??= exposedGc();
  for (let turn = 0; turn < times; turn++) {
    gc();
    await setImmediate();
  }
}

/** This thread's heap, and the memory of its objects outside it. */
export function bytesInUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Bytes an entry of a queue that holds N and has seen a tenth as many leave and come: spare room of its arrays
 * included. Measured by the engine's own account, so not below some kilobytes in all: for small N it says little.
 */
export async function bytesPerEntry(make: () => BatchQueue, plan: HoldPlan): Promise<number> {
  await collect();
  const startBytes = bytesInUse();
  const queue = make();
  hold(queue, { ...plan, warmBatches: 0, batches: Math.max(1, Math.floor(plan.entries / plan.block / 10)) });
  await collect();
  const after = bytesInUse();
  // Used after the last reading, so that the queue cannot be collected before.
  queue.insertMany(new Float64Array(0), 0, 0);
  return (after - startBytes) / plan.entries;
}
