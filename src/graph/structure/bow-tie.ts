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

const fromCore = 1;
const toCore = 2;
const fromIn = 4;
const toOut = 8;

/**
 * The bow-tie around the largest strong component.
 *
 *   core          the largest strong component
 *   in            reaches the core, is not reached from it
 *   out           reached from the core, does not reach it
 *   tubes         on a way from in to out that passes the core by
 *   tendrils      joined to these by links, whichever way they go, and none of the above
 *   disconnected  not joined to them
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

  /** Marks what is reached from pages where `starts`, these included, but enters none that has a mark of `closed`. */
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
  flood(outOffsets, outTargets, fromCore, inCore, 0);
  flood(inOffsets, inSources, toCore, inCore, 0);
  // Whatever leads on from these through core, in or out is one of them: the search need not go there.
  flood(outOffsets, outTargets, fromIn, (page) => (marks[page] & (fromCore | toCore)) === toCore, fromCore | toCore);
  flood(inOffsets, inSources, toOut, (page) => (marks[page] & (fromCore | toCore)) === fromCore, fromCore | toCore);

  // Any page of the core tells its weak component.
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
  switch (marks & (fromCore | toCore)) {
    case fromCore | toCore:
      return 'core';
    case toCore:
      return 'in';
    case fromCore:
      return 'out';
    default:
      return (marks & (fromIn | toOut)) === (fromIn | toOut) ? 'tubes' : joined ? 'tendrils' : 'disconnected';
  }
}
