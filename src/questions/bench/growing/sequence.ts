import { asSharedUint32, type WebGraph } from '../../../graphs/graph/index.ts';

/** Arcs in the order in which they are added to a graph whose pages are all there from the start. */
export interface ArcSequence {
  readonly name: string;
  /** What it is, as half a sentence. */
  readonly description: string;
  /** Drawn or invented by us: every output says so. */
  readonly isSynthetic: boolean;
  readonly pages: number;
  /** The ends of each arc, in order; in shared memory. */
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  /** What a graph file says of the whole graph; `--validate` believes it. */
  readonly stored?: WholeResults;
  /** What of the source was not used: sentences. */
  readonly notes: readonly string[];
}

/** The distance of pages that do not reach each other. */
export const INFINITE = 0xffff_ffff;

/** What algorithms must come to in the end. */
export interface WholeResults {
  /** Row by row, n x n: links on the shortest path, or INFINITE. In shared memory. */
  readonly distances: Uint32Array;
  /** The lowest page of each page's component. In shared memory. */
  readonly components: Uint32Array;
}

/** @param arcs - pairs, in order. */
export function sequenceOfArcs(
  { arcs, ...rest }: Omit<ArcSequence, 'sources' | 'targets' | 'notes'> & {
    readonly arcs: readonly (readonly [source: number, target: number])[];
    readonly notes?: readonly string[];
  },
): ArcSequence {
  return {
    notes: [], ...rest,
    sources: asSharedUint32(Uint32Array.from(arcs, ([source]) => source)),
    targets: asSharedUint32(Uint32Array.from(arcs, ([, target]) => target)),
  };
}

/** The links of a stored graph, page after page. */
export function sequenceOfGraph({ name, pages, arcs, outOffsets, outTargets }: WebGraph): ArcSequence {
  const sources = new Uint32Array(arcs);
  for (let page = 0; page < pages; page++) sources.fill(page, outOffsets[page], outOffsets[page + 1]);
  return {
    name, description: 'links of a stored graph, page after page', isSynthetic: false, pages,
    sources: asSharedUint32(sources), targets: asSharedUint32(outTargets.subarray(0, arcs)), notes: [],
  };
}

/** Arcs of the sequence per ordered pair of different pages. */
export function densityOf({ pages, sources }: ArcSequence): number {
  return pages < 2 ? 0 : sources.length / (pages * (pages - 1));
}
