import { LargeMap } from '../../base/index.ts';
import type { AddressRest } from '../../world/index.ts';

/**
 * Which processors have hosts at an address: a host never moves, so each of `k` processors leaves the address alone for
 * `k` delays, and together they ask it once per delay. The gate on the wire is the guarantee.
 *
 * Memory   some 100 bytes per address.
 */
export class SharedAddresses {
  readonly #delayUs: number;
  readonly #processors = new LargeMap<string, Set<number>>();

  constructor(delayUs: number) {
    this.#delayUs = delayUs;
  }

  /**
   * How long a processor leaves the address of its host alone.
   * @param busyUs how long it is known to be at work or at rest for another one.
   */
  restOf({ name, busyUs }: { readonly name: string; readonly busyUs: number }, processor: number): AddressRest {
    let sharers = this.#processors.get(name);
    if (sharers === undefined) this.#processors.set(name, (sharers = new Set()));
    sharers.add(processor);
    return { address: name, restUs: busyUs > 0 ? busyUs : sharers.size * this.#delayUs };
  }
}
