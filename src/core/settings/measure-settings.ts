import * as z from 'zod';
import { count, whole } from './ranges.ts';

export const measureSets = ['usual', 'all'] as const;

export const statisticsSets = ['auto', 'exact', 'estimate', 'off'] as const;

/** Settings of the figures alone: they do not change the crawl. */
export const measureSettingsSchema = z.strictObject({
  measures: z
    .enum(measureSets)
    .default('usual')
    .describe(
      'figures in the record; all = also the tau-b of the PageRank of the pages fetched, which takes a third of the run',
    ),
  statistics: z
    .enum(statisticsSets)
    .default('off')
    .describe(
      'distances, components and degrees of the graph fetched so far; auto = exact while it is small, then estimates',
    ),
  messageHeaderBytes: whole(1e6).default(40)
    .describe('bytes per message besides its pairs, for the figures; 40 = IPv4 and TCP'),
  pairBytes: count(1e6).default(12).describe('bytes per pair, for the figures; 12 = id and amount, as in memory'),
});

export type MeasureSettings = z.output<typeof measureSettingsSchema>;
