/**
 * Pages in groups that only ever merge. Union by size, path halving (Tarjan & van Leeuwen 1984): nearly O(1) per call,
 * 12 bytes per page.
 */
export class Partition {
  readonly #parent: Uint32Array;
  readonly #sizes: Uint32Array;
  /** At a root: the lowest page of its group. */
  readonly #lowest: Uint32Array;
  #count: number;

  /** Each page alone. */
  constructor(pages: number) {
    this.#parent = Uint32Array.from({ length: pages }, (_, page) => page);
    this.#sizes = new Uint32Array(pages).fill(1);
    this.#lowest = this.#parent.slice();
    this.#count = pages;
  }

  /** How many groups there are. */
  get count(): number {
    return this.#count;
  }

  /** The lowest page of the page's group. */
  lowestOf(page: number): number {
    return this.#lowest[this.rootOf(page)];
  }

  /** Makes one group of two; nothing if they are one already. Returns the page that stands for the group. */
  merge(page: number, other: number): number {
    let root = this.rootOf(page);
    let child = this.rootOf(other);
    if (root === child) return root;
    if (this.#sizes[root] < this.#sizes[child]) [root, child] = [child, root];
    this.#parent[child] = root;
    this.#sizes[root] += this.#sizes[child];
    if (this.#lowest[child] < this.#lowest[root]) this.#lowest[root] = this.#lowest[child];
    this.#count--;
    return root;
  }

  /** The page that stands for the page's group, until the group merges with another. */
  rootOf(page: number): number {
    const parent = this.#parent;
    while (parent[page] !== page) page = parent[page] = parent[parent[page]];
    return page;
  }
}
