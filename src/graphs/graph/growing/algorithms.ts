import { BlockClosure, PrunedClosure } from './components/closure.ts';
import { naiveComponents, RebuiltComponents, tarjanComponents } from './components/rebuilt.ts';
import { TwoWaySearch } from './components/two-way-search.ts';
import { YellinClosure } from './components/yellin.ts';
import type { Growing, GrowingComponents, GrowingDistances } from './contract.ts';
import { AusielloDistances } from './distances/ausiello.ts';
import { InsertionDistances, PrunedDistances } from './distances/kernel-distances.ts';
import { fillBreadthFirst, fillFloydWarshall, fillJohnson, RebuiltDistances } from './distances/rebuilt.ts';

/** An algorithm for growing graphs, by the name with which commands choose it. */
export interface GrowingAlgorithm<T extends Growing> {
  readonly name: string;
  /** As tables name it. */
  readonly title: string;
  /** Its numbers in SPAWC's graphbench, the second in its batch form. */
  readonly numbers: readonly number[];
  /** Whether a threshold makes it work on several arcs at a time. */
  readonly isBatch: boolean;
  /** Whether it computes everything anew, in O(n^3), after an arc. */
  readonly isNaive: boolean;
  /** @param threshold - arcs between two computations; ignored unless `isBatch`. */
  make(pages: number, threshold: number): T;
}

export const distanceAlgorithms: readonly GrowingAlgorithm<GrowingDistances>[] = [
  {
    name: 'floyd-warshall', title: 'Floyd-Warshall', numbers: [1, 6], isBatch: true, isNaive: true,
    make: (pages, threshold) => new RebuiltDistances(pages, fillFloydWarshall, threshold),
  },
  {
    name: 'johnson', title: 'Johnson', numbers: [2, 7], isBatch: true, isNaive: false,
    make: (pages, threshold) => new RebuiltDistances(pages, fillJohnson, threshold),
  },
  {
    name: 'breadth-first', title: 'Breadth-first', numbers: [], isBatch: true, isNaive: false,
    make: (pages, threshold) => new RebuiltDistances(pages, fillBreadthFirst, threshold),
  },
  {
    name: 'ausiello', title: 'Ausiello et al.', numbers: [3], isBatch: false, isNaive: false,
    make: (pages) => new AusielloDistances(pages),
  },
  {
    name: 'insertion', title: 'Algorithm 1', numbers: [4], isBatch: false, isNaive: false,
    make: (pages) => new InsertionDistances(pages),
  },
  {
    name: 'pruned', title: 'Algorithm 1, pruned', numbers: [], isBatch: false, isNaive: false,
    make: (pages) => new PrunedDistances(pages),
  },
];

export const componentAlgorithms: readonly GrowingAlgorithm<GrowingComponents>[] = [
  {
    name: 'naive', title: 'Closure, naive', numbers: [1], isBatch: true, isNaive: true,
    make: (pages, threshold) => new RebuiltComponents(pages, naiveComponents, threshold, 1),
  },
  {
    name: 'tarjan', title: 'Tarjan', numbers: [2], isBatch: true, isNaive: false,
    make: (pages, threshold) => new RebuiltComponents(pages, tarjanComponents, threshold),
  },
  {
    name: 'yellin', title: 'Yellin', numbers: [3], isBatch: false, isNaive: false,
    make: (pages) => new YellinClosure(pages),
  },
  ...([8, 16, 32, 64] as const).map((bits, at) => ({
    name: `closure-${bits}`, title: `Algorithm 1, ${bits} bits`, numbers: [4 + at], isBatch: false, isNaive: false,
    make: (pages: number) => new BlockClosure(pages, bits),
  })),
  {
    name: 'pruned', title: 'Algorithm 1, pruned', numbers: [], isBatch: false, isNaive: false,
    make: (pages) => new PrunedClosure(pages),
  },
  {
    name: 'two-way', title: 'Bender et al.', numbers: [], isBatch: false, isNaive: false,
    make: (pages) => new TwoWaySearch(pages),
  },
];
