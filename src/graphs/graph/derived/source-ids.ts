import type { GraphPages } from '../web-graph.ts';

/**
 * Pages by the ids that users write: the ids of the source where the graph has such, else 0 ... pages-1.
 * Cost   O(n) once, O(n log n) and 4 bytes per page where pages with ids of the source were reordered; then O(log n).
 */
export function pagesById({ pages, sourceIds }: Pick<GraphPages, 'pages' | 'sourceIds'>): (id: number) => number | undefined {
  if (sourceIds === undefined) return (id) => (id >= 0 && id < pages ? id : undefined);
  const ascends = sourceIds.every((id, page) => page === 0 || id > sourceIds[page - 1]);
  const order = ascends ? undefined
    : Uint32Array.from(sourceIds, (_, page) => page).sort((a, b) => sourceIds[a] - sourceIds[b]);
  return (id) => {
    let [low, high] = [0, pages];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sourceIds[order?.[middle] ?? middle] < id) low = middle + 1;
      else high = middle;
    }
    const page = order?.[low] ?? low;
    return low < pages && sourceIds[page] === id ? page : undefined;
  };
}

/** Which ids the pages of a graph have, for messages: "0 to 5". */
export function idsInWords({ pages, sourceIds }: Pick<GraphPages, 'pages' | 'sourceIds'>): string {
  if (sourceIds === undefined) return `0 to ${pages - 1}`;
  let [least, largest] = [sourceIds[0], sourceIds[0]];
  for (const id of sourceIds) [least, largest] = [Math.min(least, id), Math.max(largest, id)];
  return `${least} to ${largest}`;
}
