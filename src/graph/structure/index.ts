export { histogramOf, inDegrees, outDegrees, placesOfLargest, type Histogram } from './histogram.ts';
export { fitPowerLaw, leastTail, powerLawAbove, type PowerLawFit } from './power-law.ts';
export { plausibility, type Plausibility } from './plausibility.ts';
export { strongComponents, weakComponents, type Components } from './components.ts';
export { bowTie, bowTieParts, type BowTie, type BowTiePart } from './bow-tie.ts';
export { distancesOf, exactNeighbourhoods, type Distances, type Estimate } from './distances.ts';
export {
  counterDeviation, hyperBall, hyperBallBytes, maxKernelBytes, minRegistersLog2, maxRegistersLog2,
  type HyperBallOptions,
} from './hyperball.ts';
