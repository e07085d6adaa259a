import { z } from 'zod';
import { queueSchema } from './crawl-settings.ts';
import { withPreset } from './network-presets.ts';
import { networkSchema } from './network-schema.ts';
import { amount, count } from './ranges.ts';

export const exchanges = ['bulk', 'batch', 'page'] as const;

/**
 * Settings that a simulated crawl has and a live one has not: what is not real there, and what needs the whole graph.
 */
export const simulationSettingsSchema = z.strictObject({
  network: z.preprocess(withPreset, networkSchema).prefault({}),
  seedPages: z
    .array(
      z
        .int()
        .min(0)
        .max(2 ** 32 - 1),
    )
    .min(1)
    .optional()
    .describe('page ids to start from'),
  checkpointSupersteps: z
    .int()
    .min(0)
    .max(1e9)
    .default(10)
    .describe('supersteps between checkpoints, taken where a processor may crash; 0 = the start alone'),
  barrierUs: count(1e9).default(1000).describe('cost of a barrier, L, microseconds'),
  pairUs: amount(1e9).default(1).describe('cost of a pair, g, microseconds'),
  messageUs: amount(1e9).default(0).describe('cost of a message, o, microseconds'),
  exchange: z
    .enum(exchanges)
    .default('bulk')
    .describe('what shares a message: all pairs for a processor in a superstep, so many of them, or those of one page'),
  exchangeBatch: count(1e9).default(64).describe('pairs in a message of exchange batch'),
});

export type SimulationSettings = z.output<typeof simulationSettingsSchema>;

/** A priority queue in memory or in files: a live crawl's follows from what its store holds, and is in memory. */
export const simulatedQueueSchema = z
  .strictObject({
    ...queueSchema.shape,
    memoryBytes: z
      .int()
      .min(0)
      .max(2 ** 40)
      .default(0)
      .describe(
        "bytes of memory for the entries of a processor's queue, the rest in temporary files; 0 = all in memory",
      ),
  })
  .refine(({ kind, memoryBytes }) => memoryBytes === 0 || kind !== 'binary-heap', {
    path: ['memoryBytes'],
    message:
      "a binary-heap cannot be kept in files, since each entry's way touches as many places as it has levels; take cbt or quickheap",
  });
