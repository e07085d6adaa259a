import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { InputError } from '../../../base/index.ts';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * Everything assigned as global unicast (RFC 4291, 2.4; IANA's registry); other addresses are reserved, wrap IPv4, or
 * are local.
 */
const GLOBAL_UNICAST: Network = [ipaddr.parse('2000::'), 3];

/**
 * A public address at which a large cloud provider serves metadata that is only for its guests, as others do at
 * 169.254.169.254.
 */
const METADATA_IN_PUBLIC_SPACE = '168.63.129.16';

/**
 * Allows connections to addresses of the public internet, and to the networks that the user opened. An address
 * that wraps an IPv4 address is judged by the latter if the system would connect to it (IPv4-mapped), and denied if a
 * gateway might (IPv4-compatible, NAT64, 6to4, Teredo), because the gateway's target is unknown here.
 *
 * Cost     O(networks opened) per address; asked once per connection.
 */
export class AddressGuard {
  readonly #opened: readonly Network[];

  constructor(allowNetworks: readonly string[]) {
    this.#opened = allowNetworks.map(network);
  }

  /** Whether `address`, as text without brackets, may be connected to; false if it is not an address. */
  allows(address: string): boolean {
    if (isIP(address) === 0) return false;
    const judged = ipaddr.process(address);
    return isPublic(judged) || this.#opened.some((opened) => isIn(judged, opened));
  }
}

/** The same name for all spellings of an address: IPv4's for an address that wraps IPv4 as above. */
export function addressName(address: string): string {
  return ipaddr.process(address).toString();
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? address.toString() !== METADATA_IN_PUBLIC_SPACE : isIn(address, GLOBAL_UNICAST);
}

function isIn(address: Address, [first, prefixBits]: Network): boolean {
  return address.kind() === first.kind() && address.match(first, prefixBits);
}

function network(text: string): Network {
  const field = 'live.allowNetworks';
  const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/([0-9]{1,3})$/i.exec(text) ?? [];
  // `isIP` first, because ipaddr.js would read 010.0.0.0 as octal, and 10.1 as 10.0.0.1.
  const version = isIP(address);
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128)) {
    throw new InputError(
      `allowNetworks: ${JSON.stringify(text)} is not a network: it must be CIDR, like 10.0.0.0/8 or fd00::/8`,
      { field },
    );
  }
  const [parsed, prefixBits] = ipaddr.parseCIDR(text);
  const of = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = of.networkAddressFromCIDR(text).toString();
  if (first !== parsed.toString()) {
    throw new InputError(`allowNetworks: ${text} is an address within a network: write ${first}/${bits}`, { field });
  }
  if (parsed.range() === 'ipv4Mapped') {
    throw new InputError(`allowNetworks: ${text} is IPv4 written as IPv6: write it as IPv4`, { field });
  }
  return [parsed, prefixBits];
}
