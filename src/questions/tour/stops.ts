import type { ExperimentInput, SettledExperiment } from '../../core/settings/index.ts';
import type { RunResult } from '../../core/measure/index.ts';

/** The runs of the tour: the four policies with every default, then opic with one setting changed. */
export const stops = {
  'breadth-first': { policy: 'breadth-first' },
  random: { policy: 'random' },
  opic: { policy: 'opic' },
  pagerank: { policy: 'pagerank' },
  'opic, 1 processor': { policy: 'opic', processors: 1 },
  'opic, 1 robot each': { policy: 'opic', robots: 1 },
  'opic, lpt': { policy: 'opic', partition: 'lpt' },
  'opic, superstep-ms 0': { policy: 'opic', superstepMs: 0 },
} as const satisfies Record<string, ExperimentInput>;

export type Stop = keyof typeof stops;
export type TourRun = RunResult<SettledExperiment>;
export type TourRuns = ReadonlyMap<Stop, TourRun>;
