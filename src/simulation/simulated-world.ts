import { assert } from '../std/index.ts';
import type { FetchRequest, Outcome, World } from '../world/index.ts';
import type { Network } from './network.ts';

/**
 * The World of one processor over a simulated network: a virtual clock that jumps from event to event. Answers at once.
 * It watches politeness on its own account: a request before its host's delay has passed, or while the host has a download
 * open, is a breach, whatever the scheduler believed.
 */
export class SimulatedWorld implements World {
  nowUs: number;
  politenessBreaches = 0;
  readonly #network: Network;
  readonly #politenessUs: number;
  /** Downloads open, by falling (finishedAtUs, sequence): the next to finish is last. At most one a robot. */
  readonly #open: Outcome[] = [];
  /** Per host: when its last download ended; Infinity while one is open. */
  readonly #endedAtUs: Map<number, number>;

  /** @param before the World whose processor crashed: its downloads end where its clock stands, and its hosts remember them. */
  constructor(network: Network, politenessUs: number, nowUs = 0, before?: SimulatedWorld) {
    this.#network = network;
    this.#politenessUs = politenessUs;
    this.nowUs = nowUs;
    this.#endedAtUs = new Map();
    if (before === undefined) return;
    for (const [host, endedUs] of before.#endedAtUs) this.#endedAtUs.set(host, Math.min(endedUs, before.nowUs));
  }

  hostOf(page: number): number {
    return this.#network.hostOf(page);
  }

  start({ page, sequence }: FetchRequest): void {
    const host = this.hostOf(page);
    const endedAtUs = this.#endedAtUs.get(host);
    if (endedAtUs !== undefined && endedAtUs + this.#politenessUs > this.nowUs) this.politenessBreaches++;
    this.#endedAtUs.set(host, Infinity);

    const finishedAtUs = this.nowUs + this.#network.durationUs(page, this.#open.length + 1);
    let position = this.#open.length;
    while (position > 0 && this.#open[position - 1].finishedAtUs <= finishedAtUs) position--;
    this.#open.splice(position, 0, {
      page,
      sequence,
      kind: 'fetched',
      startedAtUs: this.nowUs,
      finishedAtUs,
      bytes: this.#network.bytesOf(page),
      waitUs: 0,
      links: this.#network.linksOf(page),
    });
  }

  next(untilUs: number): Outcome | undefined {
    const first = this.#open.at(-1);
    assert(first !== undefined || untilUs !== Infinity, 'waiting for ever with nothing in flight');
    if (first === undefined || first.finishedAtUs > untilUs) {
      this.nowUs = Math.max(this.nowUs, untilUs);
      return undefined;
    }
    this.#open.pop();
    this.nowUs = Math.max(this.nowUs, first.finishedAtUs);
    this.#endedAtUs.set(this.hostOf(first.page), first.finishedAtUs);
    return first;
  }
}
