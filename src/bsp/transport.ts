import { assert } from '../base/index.ts';
import type { Pairs } from './mailbox.ts';

/** What a barrier settled. */
export interface Barrier {
  /** When every processor may go on, integer microseconds since the run began. */
  readonly barrierUs: number;
  /** What each processor sent and received over this barrier. */
  readonly traffic: readonly Traffic[];
}

/** What one processor sent and received over a barrier. */
export interface Traffic {
  readonly pairsSent: number;
  readonly pairsReceived: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
}

export const noTraffic: Traffic = { pairsSent: 0, pairsReceived: 0, messagesSent: 0, messagesReceived: 0 };

/**
 * How pairs reach other processors between supersteps. What is sent in a superstep can be received after its barrier,
 * by sending processor in ascending order, and not before.
 */
export interface Transport {
  send(from: number, to: number, pairs: Pairs): void;
  /** Ends the superstep. `arrivedUs` says when each processor arrived. */
  sync(arrivedUs: readonly number[]): Barrier | Promise<Barrier>;
  /** The superstep that `sync` ended was in vain: nothing that it brought is received. */
  discard(): void;
  /** Takes what the last barrier brought to `processor`, by sending processor. */
  receive(processor: number): readonly Pairs[];
  /** Pairs that wait at `processor` to be received. */
  waiting(processor: number): number;
  /** Sum of the amounts sent and not yet received, over all processors. */
  amountUnderWay(): number;
}

/** What waits to be received, by receiver. */
export type SavedMail = readonly (readonly Letter[])[];

/** Pairs on their way. */
interface Letter {
  readonly from: number;
  readonly pairs: Pairs;
}

/** The price of a barrier: L and g in Valiant's terms, and o in those of LogP (Culler et al., PPoPP 1993). */
export interface BarrierCost {
  /** L, microseconds. */
  readonly barrierUs: number;
  /** g, microseconds a pair. */
  readonly pairUs: number;
  /** o, microseconds a message. */
  readonly messageUs: number;
}

/**
 * Pairs handed over in memory. The barrier stands at max(arrivedUs) + L + g*h + o*k, where h is the h-relation, the
 * most pairs that any processor sent or received (Valiant, "A bridging model for parallel computation", CACM 33(8),
 * 1990; Marin et al., WIDM 2008, section 2), and k the most messages. With L = g = o = 0 it is the moment when the last
 * processor arrived.
 *
 * Messages that a crawler would send within a superstep are received after it all the same: how pairs are exchanged
 * changes the price and not the moment, so that the order of a crawl changes only as far as its barriers move.
 */
export class MemoryTransport implements Transport {
  readonly #cost: BarrierCost;
  readonly #processors: number;
  /** What is sent in this superstep, and what the last barrier brought, for each receiving processor. */
  #sending: Letter[][];
  #arrived: Letter[][];

  constructor(processors: number, cost: BarrierCost) {
    assert(processors >= 1, 'a transport needs at least one processor');
    this.#processors = processors;
    this.#cost = cost;
    this.#sending = this.#emptyMail();
    this.#arrived = this.#emptyMail();
  }

  #emptyMail(): Letter[][] {
    return Array.from({ length: this.#processors }, () => []);
  }

  send(from: number, to: number, pairs: Pairs): void {
    const mail = this.#sending[to];
    assert(
      mail.every((letter) => letter.from !== from),
      () => `processor ${from} has sent to ${to} in this superstep already`,
    );
    if (pairs.size > 0) mail.push({ from, pairs });
  }

  sync(arrivedUs: readonly number[]): Barrier {
    const traffic = Array.from({ length: this.#processors }, () => ({ ...noTraffic }));
    for (let to = 0; to < this.#processors; to++) {
      assert(this.waiting(to) === 0, () => `processor ${to} has not received what the last barrier brought`);
      for (const { from, pairs: { size, messages } } of this.#sending[to]) {
        traffic[from].pairsSent += size;
        traffic[to].pairsReceived += size;
        traffic[from].messagesSent += messages;
        traffic[to].messagesReceived += messages;
      }
      this.#sending[to].sort((a, b) => a.from - b.from);
    }
    this.#arrived = this.#sending;
    this.#sending = this.#emptyMail();
    let h = 0;
    let messages = 0;
    for (const { pairsSent, pairsReceived, messagesSent, messagesReceived } of traffic) {
      h = Math.max(h, pairsSent, pairsReceived);
      messages = Math.max(messages, messagesSent, messagesReceived);
    }
    const { barrierUs, pairUs, messageUs } = this.#cost;
    return { barrierUs: Math.max(...arrivedUs) + Math.ceil(barrierUs + pairUs * h + messageUs * messages), traffic };
  }

  /** What the last barrier brought and nobody has received yet, by receiver, as copies. */
  save(): SavedMail {
    return this.#arrived.map((mail) => mail.map(({ from, pairs: { pages, amounts, size, messages } }) => (
      { from, pairs: { pages: pages.slice(0, size), amounts: amounts.slice(0, size), size, messages } }
    )));
  }

  /** Takes up what `save` gave. */
  restore(mail: SavedMail): void {
    this.#arrived = mail.map((letters) => [...letters]);
  }

  discard(): void {
    this.#arrived = this.#emptyMail();
  }

  receive(processor: number): readonly Pairs[] {
    const mail = this.#arrived[processor];
    this.#arrived[processor] = [];
    return mail.map(({ pairs }) => pairs);
  }

  waiting(processor: number): number {
    return this.#arrived[processor].reduce((count, { pairs }) => count + pairs.size, 0);
  }

  amountUnderWay(): number {
    let sum = 0;
    for (const mail of [...this.#sending, ...this.#arrived]) {
      for (const { pairs: { amounts, size } } of mail) for (let i = 0; i < size; i++) sum += amounts[i];
    }
    return sum;
  }
}
