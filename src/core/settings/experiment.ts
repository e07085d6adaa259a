import * as z from 'zod';
import { superstepLimit, type CrawlSettings, type crawlSettingsSchema, type SettledCrawl } from './crawl-settings.ts';
import { measureSettingsSchema, type MeasureSettings } from './measure-settings.ts';
import { superstepLimitRule } from './scaling.ts';
import { simulatedQueueSchema, simulationSettingsSchema, type SimulationSettings } from './simulation-settings.ts';

type CrawlSchema = ReturnType<typeof crawlSettingsSchema>;

/**
 * The Experiment: every setting of a simulated run, with unit, range and default. It is one flat object, like flags and
 * files: users who set a delay need not know whether live crawls have it too.
 */
export const experimentSchema = ({ shape: crawl }: CrawlSchema) => z.strictObject({
  ...crawl,
  superstepLimit: z
    .union([superstepLimit, z.literal('auto')])
    .optional()
    .describe(`maximum pages per processor and superstep, R_x; auto = tune it first; ${superstepLimitRule}`),
  superstepMs: crawl.superstepMs.describe('maximum length of a superstep, virtual milliseconds; 0 = no limit'),
  queue: simulatedQueueSchema.prefault({}).describe('priority queue of each processor'),
  maxSeconds: crawl.maxSeconds.describe('maximum duration, virtual seconds; by default no limit'),
  ...simulationSettingsSchema.shape,
  ...measureSettingsSchema.shape,
});
export type ExperimentSchema = ReturnType<typeof experimentSchema>;

/** An experiment as users write it: omitted settings have defaults. */
export type ExperimentInput = z.input<ExperimentSchema>;
export type Experiment = z.output<ExperimentSchema>;

/** An experiment with every value resolved: what `run.json` contains, and what replays the run. */
export interface SettledExperiment extends SettledCrawl, SimulationSettings, MeasureSettings {
  readonly superstepLimit?: number | undefined;
  readonly queue: Experiment['queue'] & { readonly block: number };
  readonly seedPages: number[];
}

/** What a live crawl shares with a simulation: its order, its processors, its figures. */
export const liveCrawlSchema = ({ shape: crawl }: CrawlSchema) =>
  z.strictObject({ ...crawl, ...measureSettingsSchema.shape });
export type LiveCrawlSchema = ReturnType<typeof liveCrawlSchema>;
export type LiveCrawlInput = z.input<LiveCrawlSchema>;
export type LiveCrawlSettings = CrawlSettings & MeasureSettings;

/** Dotted names of the settings that only simulations have. */
export const simulatedOnly: readonly string[] = [...Object.keys(simulationSettingsSchema.shape), 'queue.memoryBytes'];
