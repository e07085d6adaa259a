import * as z from 'zod';

/** Names of flags of settings that a plan chooses itself, or that a flag of its own sets. */
export const notInPlans: readonly string[] = [
  'processors', 'robots', 'politeness-ms', 'processor-bandwidth-bytes-per-second', 'bandwidth-bytes-per-second',
  'max-pages', 'max-seconds', 'measures', 'statistics',
];

/** The same for `tune`. */
export const notInTunes: readonly string[] = ['superstep-limit', 'statistics'];

/** What a tune is asked for besides settings. */
export const tuneFlagsSchema = z.object({
  for: z.enum(['stale', 'rank', 'time']).default('stale').meta({
    title: 'What R_x should optimise',
    description: 'stale: an order close to the ideal one; rank: the most rank within a time; time: the least time',
  }),
  epsilon: z.number().min(0).lt(1).default(0.05).meta({
    title: 'Allowed error (epsilon)', description: 'of the order, with stale',
  }),
});
