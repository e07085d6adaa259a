export * from './record.ts';
export { agreement, type Agreement, type TopOverlap } from './agreement.ts';
export { bySuperstep, measureBalance } from './balance.ts';
export { measureQuality, type QualityInput } from './quality.ts';
export { type RecorderMark, Recorder } from './recorder.ts';
export { replayHash } from './replay-hash.ts';
export { OutputFolder, recordFiles } from './run-folder.ts';
export { verifyRun, type VerifiedSettings } from './verify-run.ts';
export { summarise, type SummaryInput } from './summary.ts';
