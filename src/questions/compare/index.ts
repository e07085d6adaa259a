export { drawnRuns } from './drawn.ts';
export {
  differences, horizonsOf, named, settingDifferences, type FigureDifference, type SettingDifference,
} from './differences.ts';
export {
  effectivenessOf, indexPages, minSeeds, recordedOrders, type EffectivenessOptions, type JudgedRuns, type NamedIndex,
  type RunsEffectiveness,
} from './effectiveness.ts';
export {
  agreementTable, checkStudySeeds, effectivenessColumns, effectivenessTable, studyOrders,
} from './study-effectiveness.ts';
export { measuredIncomplete } from './incomplete.ts';
export { orderComparison, type ComparedOrders, type JudgedOrder, type LoggedOrder } from './orders.ts';
export {
  isOfTheWeb, judge, pairOf, placesInBoth, readPair, secondsToPages, type Both, type Judged, type Pair, type PairOrder,
  type Side, type WhyNoOrder, type WhyNoProcessors,
} from './pair.ts';
export {
  comparedIn, recorded, type Compared, type Measure, type Named, type RecordedRun, type SeedRun,
} from './runs.ts';
