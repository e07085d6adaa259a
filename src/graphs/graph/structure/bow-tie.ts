import { transpose } from '../derived/transpose.ts';
import type { WebGraph } from '../web-graph.ts';
import type { Components } from './components.ts';

/** Parts of the bow-tie, in the order of their numbers in `ofPage`. */
export const bowTieParts = ['core', 'in', 'out', 'tubes', 'tendrils', 'disconnected'] as const;
export type BowTiePart = (typeof bowTieParts)[number];

export interface BowTie {
  /** Pages of each part; they sum to all pages. */
  readonly pages: Readonly<Record<BowTiePart, number>>;
  /** Part of each page: a place in bowTieParts. */
  readonly ofPage: Uint8Array;
}

const FROM_CORE = 1;
const TO_CORE = 2;
const FROM_IN = 4;
const TO_OUT = 8;
const CORE_MARKS = FROM_CORE | TO_CORE;

/**
 * The bow-tie around the largest strong component.
 *
 *   core          the largest strong component
 *   in            reaches the core, is not reached from it
 *   out           reached from the core, does not reach it
 *   tubes         on a path from in to out that avoids the core
 *   tendrils      connected to these by links in any direction, and none of the above
 *   disconnected  not connected to them
 *
 * Source  Broder et al., "Graph structure in the Web", Computer Networks 33, 2000, section 3; tubes are part of its
 *         tendrils there.
 * Cost    O(n + m) time; the transpose, 4 (n + m) bytes, and 6n besides.
 */
export function bowTie(
  graph: Pick<WebGraph, 'pages' | 'outOffsets' | 'outTargets'>, strong: Components, weak: Components,
): BowTie {
  const { pages, outOffsets, outTargets } = graph;
  const { inOffsets, inSources } = transpose(graph);
  const marks = new Uint8Array(pages);
  const queue = new Uint32Array(pages);

  /**
   * Marks the pages reached from those for which `starts`, including these; does not enter pages with a mark in
   * `closed`.
   */
  const flood = (
    offsets: Uint32Array, neighbours: Uint32Array, mark: number, starts: (page: number) => boolean, closed: number,
  ): void => {
    let end = 0;
    for (let page = 0; page < pages; page++) {
      if (!starts(page)) continue;
      marks[page] |= mark;
      queue[end++] = page;
    }
    for (let head = 0; head < end; head++) {
      const page = queue[head];
      for (let i = offsets[page]; i < offsets[page + 1]; i++) {
        const next = neighbours[i];
        if ((marks[next] & (mark | closed)) !== 0) continue;
        marks[next] |= mark;
        queue[end++] = next;
      }
    }
  };
  const inCore = (page: number): boolean => strong.ofPage[page] === strong.largest;
  flood(outOffsets, outTargets, FROM_CORE, inCore, 0);
  flood(inOffsets, inSources, TO_CORE, inCore, 0);
  // Pages reached from these through core, in or out belong to these parts too, so the search need not go there.
  flood(outOffsets, outTargets, FROM_IN, (page) => (marks[page] & CORE_MARKS) === TO_CORE, CORE_MARKS);
  flood(inOffsets, inSources, TO_OUT, (page) => (marks[page] & CORE_MARKS) === FROM_CORE, CORE_MARKS);

  // Any page of the core identifies its weak component.
  const core = strong.ofPage.indexOf(strong.largest);
  const counts = new Float64Array(bowTieParts.length);
  for (let page = 0; page < pages; page++) {
    const part = partOf(marks[page], weak.ofPage[page] === weak.ofPage[core]);
    marks[page] = bowTieParts.indexOf(part);
    counts[marks[page]]++;
  }
  const [coreCount, inCount, outCount, tubes, tendrils, disconnected] = counts;
  return { pages: { core: coreCount, in: inCount, out: outCount, tubes, tendrils, disconnected }, ofPage: marks };
}

function partOf(marks: number, joined: boolean): BowTiePart {
  switch (marks & (FROM_CORE | TO_CORE)) {
    case FROM_CORE | TO_CORE:
      return 'core';
    case TO_CORE:
      return 'in';
    case FROM_CORE:
      return 'out';
    default:
      return (marks & (FROM_IN | TO_OUT)) === (FROM_IN | TO_OUT) ? 'tubes' : joined ? 'tendrils' : 'disconnected';
  }
}
