import type { RunEvents } from './record/events.ts';
import { importanceOf } from './quality/hot-pages.ts';

/** Figures of Cho & Garcia-Molina ("Parallel crawlers", WWW 2002, section 4); null if nothing was downloaded. */
export interface ParallelFigures {
  /** (N - I) / I: N pages downloaded in all, I of them different. Only crashes make pages be downloaded twice. */
  readonly overlap: number | null;
  /** I / U, U the pages within reach. */
  readonly coverage: number;
  /** Share of the I most important pages within reach, by true PageRank, that are among the I downloaded. */
  readonly quality: number | null;
  /** Pairs sent from processor to processor, over N. */
  readonly communication: number | null;
}

/** @param best true PageRank of the pages within reach, falling. O(pages). */
export function measureParallel(
  { order, failures, rows }: RunEvents, ranks: Float64Array, best: Float64Array,
): ParallelFigures {
  const different = order.length;
  if (different === 0) return { overlap: null, coverage: 0, quality: null, communication: null };
  const downloads = different + failures.reduce((count, { kind }) => count + (kind === 'lost' ? 1 : 0), 0);
  const least = importanceOf(best, different);
  let important = 0;
  for (let i = 0; i < different; i++) if (ranks[order[i]] >= least) important++;
  return {
    overlap: (downloads - different) / different,
    coverage: different / best.length,
    // More than I pages may be as important as the I-th: any I of them are the most important.
    quality: Math.min(1, important / different),
    communication: rows.reduce((sum, row) => sum + row.pairsSent, 0) / downloads,
  };
}
