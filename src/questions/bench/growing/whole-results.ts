import { InputError } from '../../../base/index.ts';
import { sharedUint32, strongComponents } from '../../../graphs/graph/index.ts';
import { maxMatrixPages } from '../../../graphs/graph/growing/index.ts';
import { INFINITE, type ArcSequence } from './sequence.ts';

/** The sequence as compressed rows; repeated arcs stay. */
function rowsOf({ pages, sources, targets }: ArcSequence): {
  pages: number; arcs: number; outOffsets: Uint32Array; outTargets: Uint32Array;
} {
  const outOffsets = new Uint32Array(pages + 1);
  for (const source of sources) outOffsets[source + 1]++;
  for (let page = 0; page < pages; page++) outOffsets[page + 1] += outOffsets[page];
  const next = outOffsets.slice();
  const outTargets = new Uint32Array(targets.length);
  for (let arc = 0; arc < targets.length; arc++) outTargets[next[sources[arc]]++] = targets[arc];
  return { pages, arcs: targets.length, outOffsets, outTargets };
}

/**
 * The distances of the whole graph, by a breadth-first search from each page: O(n (n + m)).
 * @returns n x n in shared memory, as in WholeResults.
 * @throws InputError if there is no memory for them.
 */
export function wholeDistances(sequence: ArcSequence): Uint32Array {
  const { pages } = sequence;
  const bytes = 4 * pages * pages;
  const available = process.availableMemory();
  if (pages > maxMatrixPages || bytes > available) {
    throw new InputError(
      `${sequence.name}: ${pages} pages: distances of all pairs take ${bytes} bytes; ${available} bytes are free`,
    );
  }
  const { outOffsets, outTargets } = rowsOf(sequence);
  const distances = sharedUint32(pages * pages).fill(INFINITE);
  const queue = new Uint32Array(pages);
  for (let start = 0; start < pages; start++) {
    const row = distances.subarray(start * pages, (start + 1) * pages);
    row[start] = 0;
    queue[0] = start;
    let end = 1;
    for (let head = 0; head < end; head++) {
      const page = queue[head];
      for (let at = outOffsets[page]; at < outOffsets[page + 1]; at++) {
        const target = outTargets[at];
        if (row[target] !== INFINITE) continue;
        row[target] = row[page] + 1;
        queue[end++] = target;
      }
    }
  }
  return distances;
}

/** The components of the whole graph, by Tarjan's algorithm: each page has the lowest page of its component. */
export function wholeComponents(sequence: ArcSequence): Uint32Array {
  return lowestPages(strongComponents(rowsOf(sequence)).ofPage);
}

/** For each page, the lowest page with the same label. Labels are below the number of pages. */
export function lowestPages(labels: Uint32Array): Uint32Array {
  const lowest = sharedUint32(labels.length);
  const first = new Uint32Array(labels.length).fill(INFINITE);
  for (const [page, label] of labels.entries()) lowest[page] = first[label] = Math.min(first[label], page);
  return lowest;
}

/** A pair of pages for which an algorithm and the truth differ. */
export interface WrongPair {
  readonly source: number;
  readonly target: number;
  /** What the algorithm says, and what it should: links or INFINITE; of components, 1 if they are in one, or 0. */
  readonly is: number;
  readonly expected: number;
}

/** The first pair in order of rows whose distance is wrong; undefined if none is. */
export function wrongDistance(is: (source: number, target: number) => number, expected: Uint32Array, pages: number):
WrongPair | undefined {
  for (let source = 0; source < pages; source++) {
    for (let target = 0; target < pages; target++) {
      const distance = is(source, target);
      const rightDistance = expected[source * pages + target];
      if (distance !== rightDistance) return { source, target, is: distance, expected: rightDistance };
    }
  }
  return undefined;
}

/** The first page that shares its component with others than it should, and the lowest of these; undefined if none. */
export function wrongComponent(is: (page: number) => number, expected: Uint32Array): WrongPair | undefined {
  for (let page = 0; page < expected.length; page++) {
    const lowest = is(page);
    const rightComponent = expected[page];
    if (lowest === rightComponent) continue;
    const isTogether = lowest < rightComponent;
    const source = Math.min(lowest, rightComponent);
    return { source, target: page, is: Number(isTogether), expected: Number(!isTogether) };
  }
  return undefined;
}
