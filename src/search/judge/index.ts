export {
  bestOf, bootstrap, differenceOf, intervalOf, type BootstrapOptions, type Resampled, type ResampledInterval,
} from './figures/bootstrap.ts';
export { measureNames, measures, valueOf, type Measure } from './figures/measures.ts';
export {
  Judge, judgedShares, measuresOf, prefixesOf, type Effectiveness, type EffectivenessCurve, type JudgedPolicy,
  type ServedBest, type SetFigures,
} from './effectiveness.ts';
export { isUrl, linkTable, type LinkTable, type LinkText } from './links/link-table.ts';
export {
  drawQueries, querySets, type DrawnQueries, type DrawOptions, type Half, type JudgedQuery, type QuerySetName,
} from './queries/draw-queries.ts';
export { FetchedSoFar, NOT_INDEXED } from './ranks/fetched.ts';
export { orderRanks, type OrderRanks, type RanksInput } from './ranks/order-ranks.ts';
export { rankOf } from './ranks/target-ranks.ts';
export { FetchedPart, type Fetched } from './views/fetched-part.ts';
export { WithoutField } from './views/without-field.ts';
export { WithoutLinks } from './views/without-links.ts';
