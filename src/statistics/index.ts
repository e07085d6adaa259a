export { GrowingStatistics, type StatisticsMethod, type StatisticsSettings } from './growing-statistics.ts';
export { GrownGraph } from './grown-graph.ts';
export { runStatistics, RunStatistics, type RunStatisticsOptions } from './statistics-target.ts';
