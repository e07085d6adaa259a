import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createQueue, type QueueOptions } from './index.ts';
import { serve, type SliceMemory } from './slice-channel.ts';

/** The thread of one slice: started by `slice-workers.ts` with these, and sent larger memory when a batch needs it. */
export interface SliceTask {
  readonly memory: SliceMemory;
  readonly options: QueueOptions;
}

const { memory, options } = workerData as SliceTask;
const port = parentPort!;
serve(memory, createQueue(options), () => receiveMessageOnPort(port)?.message as SharedArrayBuffer | undefined);
