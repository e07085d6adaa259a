import { LargeMap } from '../../../base/index.ts';
import type { AddressRest } from '../../world/index.ts';

export interface HostAddress {
  readonly processor: number;
  /** As `addressName` spells it. */
  readonly address: string;
}

/**
 * Which processors have hosts at an address: a host never moves, so each of `k` processors leaves the address alone for
 * `k` delays, and together they ask it once per delay. A host may be new to its processor, which then does not know
 * that its address rests: the gate on the wire therefore keeps the requests of one machine, which has `h` of these
 * processors, `k / h` delays apart.
 *
 * Processors on other machines count from when they are heard of. None is ever forgotten.
 *
 * Cost     O(k) per request. Memory: some 200 bytes per address, of other machines too.
 */
export class SharedAddresses {
  readonly #delayUs: number;
  /** Processors by address, on this machine and on others. */
  readonly #here = new LargeMap<string, number[]>();
  readonly #elsewhere = new LargeMap<string, number[]>();
  /** Those on this machine, in the order in which they became known. */
  readonly #own: HostAddress[] = [];

  constructor(delayUs: number) {
    this.#delayUs = delayUs;
  }

  /**
   * How long a processor of this machine leaves the address of its host alone; it counts from now on.
   * @param busyUs how long it is known to be busy or at rest for another processor.
   */
  restOf({ name, busyUs }: { readonly name: string; readonly busyUs: number }, processor: number): AddressRest {
    if (addTo(this.#here, name, processor)) this.#own.push({ processor, address: name });
    const restUs = busyUs > 0 ? busyUs : (this.#here.get(name)!.length + this.#countElsewhere(name)) * this.#delayUs;
    return { address: name, restUs };
  }

  /** How long this machine leaves an address alone after a request, microseconds: one delay unless others share it. */
  wireRestUs(address: string): number {
    const here = Math.max(1, this.#here.get(address)?.length ?? 0);
    return Math.ceil((here + this.#countElsewhere(address)) * this.#delayUs / here);
  }

  /** The pairs that other machines must hear from this one, from number `from` on: at most `max`, in a fixed order. */
  ownPairs(from: number, max: number): readonly HostAddress[] {
    return this.#own.slice(from, from + max);
  }

  /** Processors of other machines have hosts at these addresses, as far as that is new. */
  hear(pairs: readonly HostAddress[]): void {
    for (const { address, processor } of pairs) addTo(this.#elsewhere, address, processor);
  }

  #countElsewhere(address: string): number {
    return this.#elsewhere.get(address)?.length ?? 0;
  }
}

/** Adds a processor to an address. @returns false if it was there. */
function addTo(processors: LargeMap<string, number[]>, address: string, processor: number): boolean {
  const others = processors.get(address);
  if (others?.includes(processor) === true) return false;
  if (others === undefined) processors.set(address, [processor]);
  else others.push(processor);
  return true;
}
