import * as z from 'zod';

/** The changes of a steered run, as run.json has them. */
export const changesSchema = z.array(z.strictObject({
  superstep: z.int().min(0),
  processor: z.int().min(0).max(4095),
  observed: z.int().min(0),
  setting: z.enum(['robots', 'paused', 'stop']),
  value: z.int().min(0).max(65_536),
}));
