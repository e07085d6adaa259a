import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createQueue } from '../create-queue.ts';
import { serve, type SliceTask } from './slice-channel.ts';

// The thread of a slice: `slice-workers.ts` starts it, and sends larger memory when a batch needs it.
const { memory, options } = workerData as SliceTask;
const port = parentPort!;
serve(memory, createQueue(options), () => receiveMessageOnPort(port)?.message as SharedArrayBuffer | undefined);
