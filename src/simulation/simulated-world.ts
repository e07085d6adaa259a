import { assert } from '../std/index.ts';
import type { FetchRequest, Outcome, OutcomeKind, World } from '../world/index.ts';
import type { Network } from './network.ts';

/**
 * A download that fetches its page. A class, for engines come to place the objects of a literal among the old ones where many live for a
 * while, and old ones are dear to collect.
 */
class Download implements Outcome {
  readonly page: number;
  readonly sequence: number;
  readonly kind: OutcomeKind = 'fetched';
  readonly startedAtUs: number;
  readonly finishedAtUs: number;
  readonly bytes: number;
  readonly waitUs = 0;
  readonly links: Uint32Array;

  constructor(page: number, sequence: number, startedAtUs: number, finishedAtUs: number, bytes: number, links: Uint32Array) {
    this.page = page;
    this.sequence = sequence;
    this.startedAtUs = startedAtUs;
    this.finishedAtUs = finishedAtUs;
    this.bytes = bytes;
    this.links = links;
  }
}

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

    const bytes = this.#network.bytesOf(page);
    const finishedAtUs = this.nowUs + this.#network.durationUs(page, this.#open.length + 1, bytes);
    let position = this.#open.length;
    while (position > 0 && this.#open[position - 1].finishedAtUs <= finishedAtUs) position--;
    this.#open.splice(position, 0, new Download(page, sequence, this.nowUs, finishedAtUs, bytes, this.#network.linksOf(page)));
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
