import { InputError } from '../../../base/index.ts';
import type { DistanceMatrix } from './distance-matrix.ts';

/**
 * A graph to which arcs are added one by one, and one result that stays correct: pages 0 ... pages-1, all of them there
 * from the start, and no arcs.
 */
export interface Growing {
  readonly pages: number;
  /**
   * Adds an arc. A loop, or an arc that is there already, changes nothing.
   * @throws InputError if an id is not below `pages`.
   */
  addArc(source: number, target: number): void;
  /** Brings the result up to date: algorithms that work on several arcs at a time may be behind until then. */
  update(): void;
}

/** Distances between all ordered pairs of pages. */
export interface GrowingDistances extends Growing {
  readonly distances: DistanceMatrix;
}

/** Strongly connected components: pages that reach each other. */
export interface GrowingComponents extends Growing {
  /** How many there are; a page alone is one. O(1). */
  readonly count: number;
  /** The lowest page of the component of a page. */
  componentOf(page: number): number;
}

/** False for a loop, which no algorithm follows. Throws InputError for an id out of range. */
export function isArc(pages: number, source: number, target: number): boolean {
  if (!isPage(pages, source) || !isPage(pages, target)) {
    const page = isPage(pages, source) ? target : source;
    throw new InputError(`arc ${source} -> ${target}: page ${page} is not from 0 to ${pages - 1}`);
  }
  return source !== target;
}

function isPage(pages: number, page: number): boolean {
  return page >>> 0 === page && page < pages;
}
