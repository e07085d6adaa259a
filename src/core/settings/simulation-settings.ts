import * as z from 'zod';
import { queueSchema } from './crawl-settings.ts';
import { withPreset } from './network-presets.ts';
import { networkSchema } from './network-schema.ts';
import { amount, count, whole } from './ranges.ts';

export const exchanges = ['bulk', 'batch', 'page'] as const;

/** Settings that only simulated crawls have: what they simulate, and what needs the whole graph. */
export const simulationSettingsSchema = z.strictObject({
  network: z.preprocess(withPreset, networkSchema).prefault({}).describe('simulated network'),
  seedPages: z.array(whole(2 ** 32 - 1)).min(1).optional().describe('ids of the pages to start from'),
  checkpointSupersteps: whole(1e9).default(10)
    .describe('supersteps between checkpoints, which are taken if processors may crash; 0 = only at the start'),
  barrierUs: count(1e9).default(1000).describe('cost per barrier, L, microseconds'),
  pairUs: amount(1e9).default(1).describe('cost per pair, g, microseconds'),
  messageUs: amount(1e9).default(0).describe('cost per message, o, microseconds'),
  exchange: z
    .enum(exchanges)
    .default('bulk')
    .describe('pairs that share a message: all for a processor in a superstep, a fixed number of them, or those of one page'),
  exchangeBatch: count(1e9).default(64).describe('pairs per message of exchange batch'),
});

export type SimulationSettings = z.output<typeof simulationSettingsSchema>;

/** A priority queue in memory or in files. A live crawl rebuilds its queue from its store, so it is in memory. */
export const simulatedQueueSchema = z
  .strictObject({
    ...queueSchema.shape,
    memoryBytes: whole(2 ** 40).default(0).describe(
      'memory for the queue entries of each processor, bytes; the rest goes to temporary files; 0 = all in memory',
    ),
  })
  .refine(({ kind, memoryBytes }) => memoryBytes === 0 || kind !== 'binary-heap', {
    path: ['memoryBytes'],
    message:
      'a binary-heap cannot be stored in files, since each operation touches one place per level; use cbt or quickheap',
  });
