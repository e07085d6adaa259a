import * as z from 'zod';

/** Flags of settings that a plan chooses, or that another flag of a plan sets. */
export const notInPlans: readonly string[] = [
  'processors', 'robots', 'politeness-ms', 'processor-bandwidth-bytes-per-second', 'bandwidth-bytes-per-second',
  'max-pages', 'max-seconds', 'measures', 'statistics',
];

/** Settings that `tune` chooses. */
export const notInTunes: readonly string[] = ['superstep-limit', 'statistics'];

/** Flags of a tune that are no settings. */
export const tuneFlagsSchema = z.object({
  for: z.enum(['stale', 'rank', 'time']).default('stale').meta({
    title: 'What R_x should optimise',
    description: 'stale: an order close to the ideal one; rank: the most rank within a time; time: the least time',
  }),
  epsilon: z.number().min(0).lt(1).default(0.05).meta({
    title: 'Allowed error (epsilon)', description: 'of the order, with stale',
  }),
});
