import { assert } from '../../base/index.ts';
import { amountOf, type Pairs } from './mailbox.ts';

/** The result of a barrier. */
export interface Barrier {
  /** When every processor may continue, integer microseconds since the run began. */
  readonly barrierUs: number;
  /** What each processor sent and received over this barrier; those without pairs are left out. */
  readonly traffic: ReadonlyMap<number, Traffic>;
}

/** What one processor sent and received over a barrier. */
export interface Traffic {
  readonly pairsSent: number;
  readonly pairsReceived: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const noPairs: readonly Pairs[] = [];

export const noTraffic: Traffic = { pairsSent: 0, pairsReceived: 0, messagesSent: 0, messagesReceived: 0 };

/**
 * Carries pairs to other processors between supersteps: they arrive after the barrier, in ascending order of sender.
 *
 * In a crawl on several machines, each machine has a transport with the letters of all. It prices the barrier by them,
 * and hands out the letters to its processors. It knows only the number of pairs in letters between other machines.
 */
export interface Transport {
  send(from: number, to: number, pairs: Pairs): void;
  /** Ends the superstep. `arrivedUs` says when processors arrived: the last of them, at least. */
  sync(arrivedUs: readonly number[]): Barrier | Promise<Barrier>;
  /** The superstep that `sync` ended was wasted: its pairs are discarded. */
  discard(): void;
  /** Takes what the last barrier delivered to `processor`, in order of sending processor. */
  receive(processor: number): readonly Pairs[];
  /** Pairs waiting to be received by `processor`. */
  waiting(processor: number): number;
  /** The processors that pairs wait for, ascending. */
  receivers(): readonly number[];
  /** Sum of the amounts sent and not yet received, over all processors. */
  amountUnderWay(): number;
}

/** Letters that wait for each receiver. */
export type SavedMail = readonly (readonly Letter[])[];

/** Pairs in transit. */
interface Letter {
  readonly from: number;
  readonly pairs: Pairs;
}

/** The price of a barrier: L and g in Valiant's terms, o in LogP's (Culler et al., PPoPP 1993). */
export interface BarrierCost {
  /** L, microseconds. */
  readonly barrierUs: number;
  /** g, microseconds per pair. */
  readonly pairUs: number;
  /** o, microseconds per message. */
  readonly messageUs: number;
}

/**
 * Pairs passed in memory. The barrier is at max(arrivedUs) + L + g*h + o*k, where h is the h-relation, the
 * most pairs that any processor sent or received (Valiant, "A bridging model for parallel computation", CACM 33(8),
 * 1990; Marin et al., WIDM 2008, section 2), and k the most messages. With L = g = o = 0 it is the moment when the last
 * processor arrived.
 *
 * Messages that a real crawler would send within a superstep are also received after it: the mode of exchange changes
 * the price, not the moment, so the order of a crawl changes only as far as its barriers move.
 */
export class MemoryTransport implements Transport {
  readonly #cost: BarrierCost;
  readonly #processors: number;
  /** What is sent in this superstep, and what the last barrier brought, by receiving processor; none is empty. */
  #sending = new Map<number, Letter[]>();
  #arrived = new Map<number, Letter[]>();

  constructor(processors: number, cost: BarrierCost) {
    assert(processors >= 1, 'a transport needs at least one processor');
    this.#processors = processors;
    this.#cost = cost;
  }

  send(from: number, to: number, pairs: Pairs): void {
    assert(to < this.#processors, () => `processor ${from} sends to ${to}, of ${this.#processors} processors`);
    const letter = { from, pairs };
    const mail = this.#sending.get(to);
    if (mail === undefined) {
      if (pairs.size > 0) this.#sending.set(to, [letter]);
      return;
    }
    // They mostly come in order.
    assert(
      mail[mail.length - 1].from < from || mail.every((other) => other.from !== from),
      () => `processor ${from} has sent to ${to} in this superstep already`,
    );
    if (pairs.size > 0) mail.push(letter);
  }

  sync(arrivedUs: readonly number[]): Barrier {
    assert(this.#arrived.size === 0, () => `processor ${this.receivers().join()} has not received what the last barrier brought`);
    const traffic = new Map<number, Writable<Traffic>>();
    const of = (processor: number): Writable<Traffic> => {
      let counts = traffic.get(processor);
      if (counts !== undefined) return counts;
      // A literal: spread is slow here.
      traffic.set(processor, (counts = { pairsSent: 0, pairsReceived: 0, messagesSent: 0, messagesReceived: 0 }));
      return counts;
    };
    for (const [to, mail] of this.#sending) {
      const received = of(to);
      for (const { from, pairs: { size, messages } } of mail) {
        const sender = of(from);
        sender.pairsSent += size;
        received.pairsReceived += size;
        sender.messagesSent += messages;
        received.messagesReceived += messages;
      }
      mail.sort((a, b) => a.from - b.from);
    }
    this.#arrived = this.#sending;
    this.#sending = new Map();
    let h = 0;
    let messages = 0;
    for (const { pairsSent, pairsReceived, messagesSent, messagesReceived } of traffic.values()) {
      h = Math.max(h, pairsSent, pairsReceived);
      messages = Math.max(messages, messagesSent, messagesReceived);
    }
    const { barrierUs, pairUs, messageUs } = this.#cost;
    return { barrierUs: Math.max(...arrivedUs) + Math.ceil(barrierUs + pairUs * h + messageUs * messages), traffic };
  }

  /** Copies of the letters that the last barrier brought and nobody has received. */
  save(): SavedMail {
    return Array.from({ length: this.#processors }, (_, to) => (this.#arrived.get(to) ?? []).map(
      ({ from, pairs: { pages, amounts, first, size, messages, amount } }) => ({
        from,
        pairs: {
          pages: pages.slice(first, first + size), amounts: amounts.slice(first, first + size), first: 0, size,
          messages, ...(amount !== undefined && { amount }),
        },
      }),
    ));
  }

  /** Takes up what `save` gave. */
  restore(mail: SavedMail): void {
    mail.forEach((letters, to) => { if (letters.length > 0) this.#arrived.set(to, [...letters]); });
  }

  discard(): void {
    this.#arrived.clear();
  }

  receive(processor: number): readonly Pairs[] {
    const mail = this.#arrived.get(processor);
    if (mail === undefined) return noPairs;
    this.#arrived.delete(processor);
    return mail.map(({ pairs }) => pairs);
  }

  waiting(processor: number): number {
    return this.#arrived.get(processor)?.reduce((count, { pairs }) => count + pairs.size, 0) ?? 0;
  }

  receivers(): readonly number[] {
    return [...this.#arrived.keys()].sort((a, b) => a - b);
  }

  amountUnderWay(): number {
    let sum = 0;
    for (const mail of [...this.#sending.values(), ...this.#arrived.values()])
      for (const { pairs } of mail) sum += amountOf(pairs);
    return sum;
  }
}
