import { sharedFloat64, sharedUint32, sharedUint8, StringTable, type Hosts } from '../../graph/index.ts';
import { grown } from '../../../base/index.ts';

/** The hosts of a graph in which each page is a whole host: host i is page i. Stores bytes, not strings. */
export class HostNames {
  #ends = new Float64Array(1 << 12);
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  at(host: number): Uint8Array {
    return this.#bytes.subarray(host === 0 ? 0 : this.#ends[host - 1], this.#ends[host]);
  }

  add(name: Uint8Array): void {
    this.#ends = grown(this.#ends, this.#count + 1);
    this.#bytes = grown(this.#bytes, this.#length + name.length);
    this.#bytes.set(name, this.#length);
    this.#length += name.length;
    this.#ends[this.#count++] = this.#length;
  }

  hosts(): Hosts {
    const offsets = sharedFloat64(this.#count + 1);
    offsets.set(this.#ends.subarray(0, this.#count), 1);
    const bytes = sharedUint8(this.#length);
    bytes.set(this.#bytes.subarray(0, this.#length));
    const ofPage = sharedUint32(this.#count);
    for (let page = 0; page < ofPage.length; page++) ofPage[page] = page;
    return { count: this.#count, ofPage, names: new StringTable(offsets, bytes), synthetic: false };
  }
}

/** Whether bytes may be the name of a host: not empty, without blanks and control characters. */
export function isHostName(host: Uint8Array): boolean {
  return host.length > 0 && host.every((byte) => byte > 32 && byte !== 127);
}
