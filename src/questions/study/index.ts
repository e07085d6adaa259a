export { analyse, labelOf, meanCurve, type Analysis } from './analysis.ts';
export { cellFigures, StudyCells } from './cells.ts';
export { figures, flattened, type Cell, type Figure, type FigureName } from './figures.ts';
export { experimentAt, Grid } from './grid.ts';
export {
  runStudy, type StudyOptions, type StudyOutcome, type StudyProgress, type StudyResult,
} from './run/run-study.ts';
export { axisNames, studyJsonSchema } from './schema.ts';
export { answerShown, fixed, listed, narrowTable, withInterval } from './shown/answer.ts';
export {
  resultColumns, resultsCsv, resultsParquet, studyCurvesCsv, studyDocument, type ResultColumn,
} from './shown/study-files.ts';
export { studyParts, studyReport, studySentence } from './shown/study-report.ts';
export { readStudy, shippedStudies, studyOf, withPolicies, type Axis, type Study } from './study-file.ts';
export { codeVersion } from './run/code-version.ts';
export { canonicalJson, contentKey, RunCache } from './run/run-cache.ts';
export { studyScript } from './run/one-run.ts';
export {
  clonedContext, restoredContext, sharedScores, type ClonedContext, type RunContext,
} from './run/run-context.ts';
export { hashSchema, ofForm, shortArray } from './run/read-run.ts';
export {
  RunPool, type MakeRunner, type ReadRun, type Runner, type RunScript, type RunWork, type TakeBack,
} from './run/run-pool.ts';
export { runsOf, shardOf, type Shard } from './shard.ts';
export { findingsOf, stops, type Change, type Finding, type Stop, type TourRun, type TourRuns } from './tour.ts';
