export { componentAlgorithms, distanceAlgorithms, type GrowingAlgorithm } from './algorithms.ts';
export { PrunedClosure } from './components/closure.ts';
export { PrunedDistances } from './distances/kernel-distances.ts';
export type { Growing, GrowingComponents, GrowingDistances } from './contract.ts';
export { GrowingDegrees, type DegreeCount } from './degrees.ts';
export { DistanceMatrix, maxMatrixPages, UNREACHED } from './distance-matrix.ts';
