/**
 * Decides when all nodes of a live crawl take a checkpoint: before a superstep if every node wanted one in the last. No
 * two follow at once: until each node has stored a checkpoint, none begins the superstep after it. Of the last two of
 * every node, one is therefore common to all.
 */
export class CheckpointVotes {
  readonly isDue: () => boolean;
  readonly #nodes: number;
  readonly #votes = new Map<number, Set<number>>();
  /** The last checkpoint taken, or gone back to; -1 at the start of the crawl. */
  #last: number;

  /** @param isDue whether this node wants a checkpoint. */
  constructor(nodes: number, last: number, isDue: () => boolean) {
    this.#nodes = nodes;
    this.#last = last;
    this.isDue = isDue;
  }

  hear(node: number, superstep: number, isDue: boolean): void {
    if (!isDue) return;
    const votes = this.#votes.get(superstep) ?? new Set();
    this.#votes.set(superstep, votes.add(node));
  }

  /** Asked once, as each superstep begins. */
  isTakenAt(superstep: number): boolean {
    const votes = this.#votes.get(superstep - 1)?.size ?? 0;
    this.#votes.delete(superstep - 1);
    const isTaken = this.#last < 0 || (votes === this.#nodes && superstep - this.#last >= 2);
    if (isTaken) this.#last = superstep;
    return isTaken;
  }
}
