/** The public library of Orbweaver. The queues alone: `orbweaver/queue`. */
export * from './std/index.ts';
export * from './graph/index.ts';
export * from './generator/index.ts';
export * from './dataset/index.ts';
export * from './rank/index.ts';
export * from './structure/index.ts';
export * from './queue/index.ts';
export * from './bsp/index.ts';
export type * from './world/index.ts';
export * from './scheduler/index.ts';
export * from './simulation/index.ts';
export * from './measure/index.ts';
export * from './experiment/index.ts';
export {
  analyse, readStudy, runStudy, studyOf, studyParts, studyReport,
  type Analysis, type Combination, type Study, type StudyOptions, type StudyOutcome, type StudyResult,
} from './experiment/study/index.ts';
export * from './report/index.ts';
export * from './service/index.ts';
