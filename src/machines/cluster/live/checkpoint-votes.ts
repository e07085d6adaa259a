/**
 * When all nodes of a live crawl take a checkpoint: before the superstep that follows one in which every node said that
 * one is due to it. No two follow at once: until each node has stored one, none begins the superstep after it, so that
 * of the last two of every node one is common to all.
 */
export class CheckpointVotes {
  readonly #nodes: number;
  readonly #isDue: () => boolean;
  readonly #votes = new Map<number, Set<number>>();
  /** The last one taken, or gone back to; -1 at the start of the crawl. */
  #last: number;

  /** @param isDue whether one is due, as far as this node is concerned. */
  constructor(nodes: number, last: number, isDue: () => boolean) {
    this.#nodes = nodes;
    this.#last = last;
    this.#isDue = isDue;
  }

  isDue(): boolean {
    return this.#isDue();
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
