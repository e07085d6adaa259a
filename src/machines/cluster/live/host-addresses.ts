import { isIP } from 'node:net';
import { Damage, type ByteReader, type ByteWriter } from '../records/bytes.ts';
import type { ReadPlaces } from '../records/letters.ts';

export interface HostAddress {
  readonly processor: number;
  readonly address: string;
}

/** The addresses of hosts, on this node and on others. */
export interface HostAddresses {
  /** The pairs that other nodes must hear from this one, from number `from` on: at most `max`, in a fixed order. */
  ownPairs(from: number, max: number): readonly HostAddress[];
  /** Processors of other nodes have hosts at these addresses; some may be known. */
  hear(pairs: readonly HostAddress[]): void;
}

/** Most pairs in an arrival, some 2 MB; the next arrival has others. */
export const maxPairs = 2 ** 16;

const PAIR_BYTES = 8;

/** 4 count, per pair: 4 processor, 4 length of the address, UTF-8 */
export function putHostAddresses(writer: ByteWriter, pairs: readonly HostAddress[]): void {
  writer.uint32(pairs.length);
  for (const { processor, address } of pairs) {
    writer.uint32(processor);
    writer.text(address);
  }
}

export function takeHostAddresses(
  bytes: ByteReader, { sender, nodeOf, processors }: Pick<ReadPlaces, 'sender' | 'nodeOf' | 'processors'>,
): HostAddress[] {
  return bytes.list(PAIR_BYTES, () => {
    const processor = bytes.below(processors, 'a processor');
    if (nodeOf(processor) !== sender) throw new Damage(`processor ${processor} does not belong to node ${sender}`);
    const address = bytes.text();
    if (isIP(address) === 0) throw new Damage(`an address is ${JSON.stringify(address.slice(0, 80))}`);
    return { processor, address };
  });
}
