import { LargeMap } from '../../base/index.ts';
import type { AddressRest } from '../../world/index.ts';

/** A processor has hosts at an address. */
export interface HostAddress {
  readonly processor: number;
  /** As Node writes it. */
  readonly address: string;
}

/**
 * Which processors have hosts at an address: a host never moves, so each of `k` processors leaves the address alone for
 * `k` delays, and together they ask it once per delay. A host may be new to its processor, which then does not know
 * that its address rests. So the gate on the wire makes the requests of `h` processors on one machine once per `k / h`
 * delays.
 *
 * Processors on other machines count from when they are heard of. None is ever forgotten.
 *
 * Memory   some 300 bytes per address and machine that has hosts there.
 */
export class SharedAddresses {
  readonly #delayUs: number;
  /** Processors by address, on this machine and on others. */
  readonly #here = new LargeMap<string, Set<number>>();
  readonly #elsewhere = new LargeMap<string, Set<number>>();
  /** Those on this machine, in the order in which they became known. */
  readonly #own: HostAddress[] = [];

  constructor(delayUs: number) {
    this.#delayUs = delayUs;
  }

  /**
   * How long a processor of this machine leaves the address of its host alone; it counts from now on.
   * @param busyUs how long it is known to be at work or at rest for another one.
   */
  restOf({ name, busyUs }: { readonly name: string; readonly busyUs: number }, processor: number): AddressRest {
    if (isNew(this.#here, name, processor)) this.#own.push({ processor, address: name });
    const restUs = busyUs > 0 ? busyUs : (this.#here.get(name)!.size + this.#countElsewhere(name)) * this.#delayUs;
    return { address: name, restUs };
  }

  /** How long this machine leaves an address alone after a request, microseconds: one delay unless others share it. */
  wireRestUs(address: string): number {
    const here = Math.max(1, this.#here.get(address)?.size ?? 0);
    return Math.ceil((here + this.#countElsewhere(address)) * this.#delayUs / here);
  }

  /** What other machines are to hear from this one, but for the first `from`: at most `max`, in a fixed order. */
  told(from: number, max: number): readonly HostAddress[] {
    return this.#own.slice(from, from + max);
  }

  /** Processors of other machines have hosts at these addresses, as far as that is new. */
  hear(pairs: readonly HostAddress[]): void {
    for (const { address, processor } of pairs) isNew(this.#elsewhere, address, processor);
  }

  #countElsewhere(address: string): number {
    return this.#elsewhere.get(address)?.size ?? 0;
  }
}

/** Adds a processor to an address; whether it was new there. */
function isNew(processors: LargeMap<string, Set<number>>, address: string, processor: number): boolean {
  let some = processors.get(address);
  if (some === undefined) processors.set(address, (some = new Set()));
  const before = some.size;
  return some.add(processor).size > before;
}
