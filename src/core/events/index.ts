export type {
  Change, CheckpointTaken, Crash, Observed, PageNames, RolledBack, RunEnd, RunSink, RunStarted, SuperstepEnd,
  SuperstepRow,
} from './run-sink.ts';
export { Sinks } from './sinks.ts';
