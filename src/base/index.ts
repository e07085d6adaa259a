export { BitSet } from './collections/bit-set.ts';
export {
  Columns, isLike, type ColumnArrays, type ColumnTypes, type Restorable, type SavedPart,
} from './collections/columns.ts';
export { grown } from './collections/growable.ts';
export { IdIndex } from './collections/id-index.ts';
export { LargeMap, LargeSet } from './collections/large-map.ts';
export { pageGrowth, PageIndex } from './collections/page-index.ts';
export { RecentIds } from './collections/recent-ids.ts';
export { copiedText, remembering } from './collections/remembering.ts';
export { DrawStream, exp, inverseNormal, log } from './random/draw.ts';
export {
  assert, AssertionError, InputError, isOwnError, RestartError, WorldError, type InputErrorOptions,
} from './errors.ts';
/** @internal */
export { kernelModule } from './package/kernel-module.ts';
export { onDemand } from './package/on-demand.ts';
export { checkArrays, checkFields, checkText, wrongArgument } from './text/arguments.ts';
export { decimalText } from './text/decimal.ts';
export { editDistance } from './text/edit-distance.ts';
export { didYouMean, nearest, noField, noneOf } from './text/nearest.ts';
export { quoted, shortly } from './text/quote.ts';
export { packageVersion } from './package/version.ts';
export { inOwnUnit, quantityOf, quantityWords, type Quantity } from './quantities.ts';
export {
  bandwidthText, countText, durationText, parseBandwidth, parseCount, parseDuration, parseSize, sizeText, unitKinds,
  type DurationUnit, type UnitKind,
} from './units.ts';
export { xorshift32 } from './random/xorshift32.ts';
