export {
  maxBoundPoints, maxCurvePoints, maxFeedLines, maxOpenShown, type CurveColumns, type DegreeCounts, type FeedLine,
  type ProcessorState, type RankBound, type RunCard, type RunMessage, type RunPhase, type RunRequest, type RunState,
  type StartedRun,
} from './contract.ts';
export { Door, type DoorOptions, type Watchable } from './door.ts';
export { recordedFeed } from './feed.ts';
export {
  jobKinds, maxCandidates, type Candidate, type JobBoard, type JobFile, type JobKind, type JobProgress, type JobState,
  type Measure,
} from './job/contract.ts';
export { JobWatch } from './job/job-watch.ts';
export { join, type JoinedRun, type RunAsked, type RunListener } from './join.ts';
export { RunWatch, type RunWatchOptions } from './run/run-watch.ts';
export { doorFolder, newCard, openRuns, type OpenRun } from './runs-folder.ts';
export { recordedCurves } from './curves/spans.ts';
export { loggedOutcomesBefore, OutcomeLog, outcomesFile, type LoggedOutcome } from './stored/outcome-log.ts';
export { feedFile, storedFeedBefore } from './stored/stored-feed.ts';
