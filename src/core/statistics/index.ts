export { GrowingStatistics, type StatisticsMethod, type StatisticsSettings } from './growing-statistics.ts';
export { FetchedGraph } from './fetched-graph.ts';
export { GrownGraph } from './grown-graph.ts';
export { replayedStatistics } from './replayed.ts';
export { runStatistics, RunStatistics, type RunStatisticsOptions, type Statistics } from './statistics-target.ts';
