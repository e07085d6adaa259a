export { readStudy, studyOf, type Axis, type Study } from './study-file.ts';
export { axisNames, runsMost, studyJsonSchema, studySchema } from './schema.ts';
export { experimentAt, Grid } from './grid.ts';
export { runStudy, type StudyOptions, type StudyOutcome, type StudyProgress, type StudyResult } from './run-study.ts';
export { analyse, type Analysis, type Combination } from './analysis.ts';
export { fixed, narrowTable, withInterval } from './answer.ts';
export { figures, flattened, isOracle, type Cell, type Figure, type FigureName } from './figures.ts';
export { studyParts, studyReport, studySentence } from './study-report.ts';
export { resultColumns, resultsCsv, resultsParquet, studyDocument } from './study-files.ts';
