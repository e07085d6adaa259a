import { isArc, type GrowingDistances } from '../contract.ts';
import { DistanceMatrix } from '../distance-matrix.ts';
import { NONE, PageTrees } from './page-trees.ts';

/** Pages that come closer, as a tree in preorder: after a page come the pages below it. */
interface Improved {
  readonly pages: number[];
  /** The page before it on a shortest path from s. */
  readonly parents: number[];
  /** Its distance from s. */
  readonly lengths: number[];
  /** The end of the tree of this entry. */
  readonly ends: number[];
}

/**
 * Per page a tree of the shortest paths from it and one of those to it. An arc (s, t) improves a part of the tree from
 * t that hangs together at its root, and is passed up the tree to s: what no longer improves for a page improves
 * neither for the pages behind it, nor do the pages below it.
 *
 * Source  Ausiello, Italiano, Marchetti Spaccamela & Nanni, "Incremental algorithms for minimal length paths", Journal
 *         of Algorithms 12(4), 1991, for arcs of length 1.
 * Cost    O(n log n) per arc on average over n^2 arcs; 18 n^2 bytes.
 */
export class AusielloDistances implements GrowingDistances {
  readonly pages: number;
  readonly distances: DistanceMatrix;
  /** Tree of each page: the shortest paths from it. */
  readonly #from: PageTrees;
  /** Tree of each page: the shortest paths to it. */
  readonly #to: PageTrees;

  constructor(pages: number) {
    this.pages = pages;
    this.distances = new DistanceMatrix(pages, 18);
    this.#from = new PageTrees(pages);
    this.#to = new PageTrees(pages);
  }

  addArc(source: number, target: number): void {
    const { pages } = this;
    const { cells } = this.distances;
    if (!isArc(pages, source, target) || cells[source * pages + target] === 1) return;
    const queue = [source];
    const trees = [this.#below(source, target)];
    for (let head = 0; head < queue.length; head++) {
      const page = queue[head];
      const towards = page === source ? target : this.#to.parentOf(source, page);
      const improved = this.#improve(page, cells[page * pages + source], towards, trees[head]);
      if (improved.pages.length === 0) continue;
      for (let next = this.#to.firstBelow(source, page); next !== NONE; next = this.#to.nextOf(source, next)) {
        queue.push(next);
        trees.push(improved);
      }
    }
  }

  update(): void {
    // Every arc updates all distances.
  }

  /** The whole tree of the paths from t, as seen from s. */
  #below(source: number, target: number): Improved {
    const { pages } = this;
    const { cells } = this.distances;
    const tree: Improved = { pages: [], parents: [], lengths: [], ends: [] };
    const from = this.#from;
    const open: number[] = []; // Entries whose trees have not ended.
    let page = target;
    for (;;) {
      open.push(tree.pages.length);
      tree.pages.push(page);
      tree.parents.push(page === target ? source : from.parentOf(target, page));
      tree.lengths.push(1 + cells[target * pages + page]);
      tree.ends.push(0);
      let next = from.firstBelow(target, page);
      while (next === NONE) {
        tree.ends[open.pop()!] = tree.pages.length;
        if (page === target) return tree;
        next = from.nextOf(target, page);
        page = from.parentOf(target, page);
      }
      page = next;
    }
  }

  /** Lowers the distances from `page`, `toSource` away from s. Returns the part of the tree that came closer. */
  #improve(page: number, toSource: number, towards: number, tree: Improved): Improved {
    const { pages } = this;
    const { cells, counts } = this.distances;
    const improved: Improved = { pages: [], parents: [], lengths: [], ends: [] };
    const row = page * pages;
    const ends: number[] = []; // The ends in `tree` of the trees of entries of `improved`.
    const open: number[] = [];
    const close = (at: number): void => {
      while (open.length > 0 && ends[open[open.length - 1]] <= at) improved.ends[open.pop()!] = improved.pages.length;
    };
    for (let at = 0; at < tree.pages.length;) {
      close(at);
      const below = tree.pages[at];
      const earlier = cells[row + below];
      const now = toSource + tree.lengths[at];
      if (now >= earlier) {
        at = tree.ends[at];
        continue;
      }
      cells[row + below] = now;
      counts[earlier]--;
      counts[now]++;
      this.#from.move(page, below, tree.parents[at]);
      this.#to.move(below, page, towards);
      open.push(improved.pages.length);
      improved.pages.push(below);
      improved.parents.push(tree.parents[at]);
      improved.lengths.push(tree.lengths[at]);
      improved.ends.push(0);
      ends.push(tree.ends[at]);
      at++;
    }
    close(tree.pages.length);
    return improved;
  }
}
