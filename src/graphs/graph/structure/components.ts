import type { WebGraph } from '../web-graph.ts';

/** Pages in groups; every page is in one. */
export interface Components {
  readonly count: number;
  /** Component of each page, 0 ... count-1. */
  readonly ofPage: Uint32Array;
  /** Pages of each component. */
  readonly sizes: Uint32Array;
  /** The component with the most pages, the lowest number on ties; 0 for a graph without pages. */
  readonly largest: number;
}

type Rows = Pick<WebGraph, 'pages' | 'outOffsets' | 'outTargets'>;

/**
 * Strongly connected components: pages that reach each other. A component has a lower number than those that link to
 * it. Pearce's algorithm, without recursion: `rank` is first the order of discovery, lowered to the least rank that a
 * page reaches, then its component's number; these count down from n, above any order in use. A page is either on the
 * search path or waits for its component, so one array holds both stacks, one from each end.
 *
 * Source  Pearce, "A space-efficient algorithm for finding strongly connected components", Information Processing
 *         Letters 116, 2016.
 * Cost    O(n + m) time, 9n bytes besides the result.
 */
export function strongComponents({ pages, outOffsets, outTargets }: Rows): Components {
  const rank = new Uint32Array(pages);
  const cursor = new Uint32Array(pages);
  const stacks = new Uint32Array(pages);
  const isRoot = new Uint8Array(pages);
  let discovered = 1;
  let component = pages;
  let path = 0; // Above its top.
  let waiting = pages; // Its top.
  for (let start = 0; start < pages; start++) {
    if (rank[start] !== 0) continue;
    let page = start;
    begin(page);
    for (;;) {
      const child = nextChild(page);
      if (child >= 0) {
        page = child;
        begin(page);
        continue;
      }
      path--;
      finish(page);
      if (path === 0) break;
      page = stacks[path - 1];
    }
  }
  for (let page = 0; page < pages; page++) rank[page] = pages - rank[page];
  return counted(rank, pages - component);

  function begin(page: number): void {
    stacks[path++] = page;
    cursor[page] = outOffsets[page];
    isRoot[page] = 1;
    rank[page] = discovered++;
  }

  /**
   * An undiscovered page that `page` links to; -1 when all its links are followed. A child is visited again when it is
   * finished.
   */
  function nextChild(page: number): number {
    const end = outOffsets[page + 1];
    let least = rank[page];
    let at = cursor[page];
    for (; at < end; at++) {
      const target = outTargets[at];
      const other = rank[target];
      if (other === 0) {
        cursor[page] = at;
        rank[page] = least;
        return target;
      }
      if (other < least) {
        least = other;
        isRoot[page] = 0;
      }
    }
    rank[page] = least;
    return -1;
  }

  function finish(page: number): void {
    if (isRoot[page] === 0) {
      stacks[--waiting] = page;
      return;
    }
    discovered--;
    while (waiting < pages && rank[page] <= rank[stacks[waiting]]) {
      rank[stacks[waiting++]] = component;
      discovered--;
    }
    rank[page] = component--;
  }
}

/**
 * Weakly connected components: pages connected by links in any direction, numbered by their lowest page.
 * Union-find with path halving; nearly O(n + m) time, no memory besides the result.
 */
export function weakComponents({ pages, outOffsets, outTargets }: Rows): Components {
  const parent = Uint32Array.from({ length: pages }, (_, page) => page);
  const rootOf = (page: number): number => {
    while (parent[page] !== page) page = parent[page] = parent[parent[page]];
    return page;
  };
  for (let page = 0; page < pages; page++) {
    let root = rootOf(page);
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
      const other = rootOf(outTargets[i]);
      // The lower page is the root, so that parents are never above their children.
      if (other < root) root = parent[root] = other;
      else parent[other] = root;
    }
  }
  let count = 0;
  for (let page = 0; page < pages; page++) parent[page] = parent[page] === page ? count++ : parent[parent[page]];
  return counted(parent, count);
}

function counted(ofPage: Uint32Array, count: number): Components {
  const sizes = new Uint32Array(count);
  for (let page = 0; page < ofPage.length; page++) sizes[ofPage[page]]++;
  let largest = 0;
  for (let component = 1; component < count; component++) if (sizes[component] > sizes[largest]) largest = component;
  return { count, ofPage, sizes, largest };
}
