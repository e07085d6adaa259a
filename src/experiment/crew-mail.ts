import type { Pairs } from '../bsp/index.ts';
import { sharedFloat64 } from '../graph/index.ts';
import { newCounts, type SuperstepCounts } from '../scheduler/index.ts';
import type { Arrival, Letter, Settled, Settlement, Standing, SuperstepWork } from './crew.ts';

// What loop and crew tell each other every superstep, as numbers in memory that both threads have. A message itself says only that they are
// there: to clone hundreds of small arrays costs more than a superstep takes (some 100 us against 10).

/** Numbers to another thread. What it is told is good until it has answered. */
export class MailWriter {
  #numbers = sharedFloat64(1024);
  #count = 0;
  #isTold = false;

  put(number: number): void {
    if (this.#count === this.#numbers.length) {
      const larger = sharedFloat64(2 * this.#count);
      larger.set(this.#numbers);
      this.#numbers = larger;
      this.#isTold = false;
    }
    this.#numbers[this.#count++] = number;
  }

  /** @param count the first so many. */
  putAll(numbers: ArrayLike<number>, count = numbers.length): void {
    for (let i = 0; i < count; i++) this.put(numbers[i]);
  }

  /** All is written. Returns the memory where the reader does not have it yet. */
  end(): SharedArrayBuffer | undefined {
    this.#count = 0;
    if (this.#isTold) return undefined;
    this.#isTold = true;
    return this.#numbers.buffer;
  }
}

/** Numbers from another thread, in the order in which they were put. */
export class MailReader {
  #numbers: Float64Array = new Float64Array(0);
  #at = 0;

  /** A message has come, with memory of its own or in that of the last. */
  begin(memory: SharedArrayBuffer | undefined): void {
    if (memory !== undefined) this.#numbers = new Float64Array(memory);
    this.#at = 0;
  }

  next(): number {
    return this.#numbers[this.#at++];
  }

  times<T>(count: number, read: () => T): T[] {
    const all: T[] = [];
    for (let i = 0; i < count; i++) all.push(read());
    return all;
  }

  fill<Numbers extends Uint32Array | Float64Array>(numbers: Numbers): Numbers {
    for (let i = 0; i < numbers.length; i++) numbers[i] = this.#numbers[this.#at++];
    return numbers;
  }
}

function putPairs(to: MailWriter, { pages, amounts, size, messages }: Pairs): void {
  to.put(size);
  to.put(messages);
  to.putAll(pages, size);
  to.putAll(amounts, size);
}

function takePairs(from: MailReader): Pairs {
  const size = from.next();
  const messages = from.next();
  return { pages: from.fill(new Uint32Array(size)), amounts: from.fill(new Float64Array(size)), size, messages };
}

export function putWork(to: MailWriter, { superstep, received, endUs, shares, isCheckpoint }: SuperstepWork): void {
  to.put(superstep);
  to.put(Number(isCheckpoint));
  to.putAll(endUs);
  to.putAll(shares);
  for (const mail of received) {
    to.put(mail.length);
    for (const pairs of mail) putPairs(to, pairs);
  }
}

/** @param size processors of the crew, here and below. */
export function takeWork(from: MailReader, size: number): SuperstepWork {
  const next = (): number => from.next();
  return {
    superstep: next(),
    isCheckpoint: next() === 1,
    endUs: from.times(size, next),
    shares: from.times(size, next),
    received: from.times(size, () => from.times(next(), () => takePairs(from))),
  };
}

export function putArrival(to: MailWriter, { arrivedUs, sent, observed, known, cashChanges }: Arrival): void {
  to.put(known);
  to.put(cashChanges);
  to.putAll(arrivedUs);
  to.put(observed.length);
  for (const { pages, failures, retried } of observed) to.putAll([pages, failures, retried]);
  to.put(sent.length);
  for (const { from, to: receiver, pairs } of sent) {
    to.put(from);
    to.put(receiver);
    putPairs(to, pairs);
  }
}

export function takeArrival(from: MailReader, size: number): Arrival {
  const next = (): number => from.next();
  return {
    known: next(),
    cashChanges: next(),
    arrivedUs: from.times(size, next),
    observed: from.times(next(), () => ({ pages: next(), failures: next(), retried: next() })),
    sent: from.times(next(), (): Letter => ({ from: next(), to: next(), pairs: takePairs(from) })),
  };
}

export function putSettlement(to: MailWriter, { barrierUs, countsCash }: Settlement): void {
  to.put(barrierUs);
  to.put(Number(countsCash));
}

export function takeSettlement(from: MailReader): Settlement {
  return { barrierUs: from.next(), countsCash: from.next() === 1 };
}

const countNames = Object.keys(newCounts()) as (keyof SuperstepCounts)[];

export function putSettled(to: MailWriter, { counts, cash }: Settled, standings: readonly Standing[]): void {
  for (const { hasWork, isIdle, fetched, inFlight } of standings) to.putAll([Number(hasWork), Number(isIdle), fetched, inFlight]);
  for (const one of counts) for (const name of countNames) to.put(one[name]);
  to.putAll(cash === undefined ? [0] : [1, cash.held, cash.total]);
}

export function takeSettled(from: MailReader, size: number): Settled & { readonly standings: readonly Standing[] } {
  const next = (): number => from.next();
  return {
    standings: from.times(size, () => ({ hasWork: next() === 1, isIdle: next() === 1, fetched: next(), inFlight: next() })),
    counts: from.times(size, () => {
      const counts = newCounts();
      for (const name of countNames) counts[name] = next();
      return counts;
    }),
    cash: next() === 1 ? { held: next(), total: next() } : undefined,
  };
}
