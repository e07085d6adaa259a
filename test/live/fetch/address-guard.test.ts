import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/index.ts';
import { AddressGuard } from '../../../src/core/live/fetch/address-guard.ts';
import { tries } from '../../sweep.ts';

// Goal: nothing but the public internet is connected to, unless it was opened. Method: addresses as strings of bits,
// ranges as their beginnings, from IANA's registries of special-purpose addresses, typed in anew.

const notPublic = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24',
  '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32',
  '2001:0:0:0:0:0:0:0/23', '2001:db8:0:0:0:0:0:0/32', '2002:0:0:0:0:0:0:0/16', '2620:4f:8000:0:0:0:0:0/48',
  '3fff:0:0:0:0:0:0:0/20',
];
const publicV6 = '2000:0:0:0:0:0:0:0/3';
const mapped = '0:0:0:0:0:ffff:0:0/96';

/** Of an address without `::`. */
function bits(address: string): string {
  const [parts, base, width] = address.includes(':') ? [address.split(':'), 16, 16] : [address.split('.'), 10, 8];
  return parts.map((part) => parseInt(part, base).toString(2).padStart(width, '0')).join('');
}

function isIn(addressBits: string, network: string): boolean {
  const [first, prefix] = network.split('/');
  return bits(first).length === addressBits.length && addressBits.startsWith(bits(first).slice(0, Number(prefix)));
}

function modelAllows(addressBits: string, opened: readonly string[]): boolean {
  if (addressBits.length === 128 && isIn(addressBits, mapped)) return modelAllows(addressBits.slice(96), opened);
  if (opened.some((network) => isIn(addressBits, network))) return true;
  return (
    (addressBits.length === 32 || isIn(addressBits, publicV6)) &&
    !notPublic.some((network) => isIn(addressBits, network))
  );
}

function textOf(addressBits: string): string {
  const width = addressBits.length === 32 ? 8 : 16;
  const parts = Array.from({ length: addressBits.length / width }, (_, i) =>
    parseInt(addressBits.slice(i * width, (i + 1) * width), 2),
  );
  return width === 8 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
}

const bitString = (length: number) =>
  fc.array(fc.constantFrom('0', '1'), { minLength: length, maxLength: length }).map((all) => all.join(''));
const edges = [
  ...notPublic, publicV6, mapped, '64:ff9b:0:0:0:0:0:0/96', 'fe80:0:0:0:0:0:0:0/10', 'fc00:0:0:0:0:0:0:0/7',
  'ff00:0:0:0:0:0:0:0/8',
];

/** Anywhere; within a range that counts; and just before and after one, where mistakes live. */
const addresses = fc.oneof(
  bitString(32), bitString(128), bitString(32).map((v4) => '0'.repeat(96) + v4),
  bitString(32).map((v4) => bits('0:0:0:0:0:ffff:0:0').slice(0, 96) + v4),
  fc.tuple(
    fc.constantFrom(...edges), bitString(128), fc.constantFrom('inside', 'first', 'last', 'before', 'after'),
  ).map(([network, rest, where]) => {
    const [first, prefix] = network.split('/');
    const all = bits(first), begin = all.slice(0, Number(prefix)), length = all.length, tail = length - begin.length;
    if (where === 'inside') return begin + rest.slice(0, tail);
    if (where === 'first') return all;
    if (where === 'last') return begin + '1'.repeat(tail);
    const next = where === 'before' ? BigInt(`0b${all}`) - 1n : BigInt(`0b${begin}${'1'.repeat(tail)}`) + 1n;
    return BigInt.asUintN(length, next).toString(2).padStart(length, '0');
  }),
);

describe('the guard and the model agree', () => {
  test('with nothing opened', () => {
    const guard = new AddressGuard([]);
    fc.assert(fc.property(addresses, (address) => {
      expect(guard.allows(textOf(address)), textOf(address)).toBe(modelAllows(address, []));
    }), { numRuns: tries(2000) });
  });

  test('with networks opened', () => {
    const networks = fc.array(fc.tuple(addresses, fc.nat(128)).map(([address, prefix]) => {
      const length = Math.min(prefix, address.length);
      return `${textOf(address.slice(0, length).padEnd(address.length, '0'))}/${length}`;
    }).filter((network) => !network.startsWith('0:0:0:0:0:ffff:')), { maxLength: 4 });
    fc.assert(fc.property(networks, addresses, fc.nat(3), (opened, address, which) => {
      const guard = new AddressGuard(opened);
      // Half of the time an address within one of the networks.
      const near = opened[which] as string | undefined;
      const [first, prefix] = (near ?? '').split('/');
      const judged = near === undefined ? address
        : (bits(first).slice(0, Number(prefix)) + address.padEnd(128, '0')).slice(0, bits(first).length);
      expect(guard.allows(textOf(judged))).toBe(modelAllows(judged, opened));
    }), { numRuns: tries(500) });
  });

  test('in every spelling of IPv6', () => {
    const guard = new AddressGuard([]);
    fc.assert(fc.property(addresses.filter((address) => address.length === 128), (address) => {
      const short = new URL(`http://[${textOf(address)}]/`).hostname.slice(1, -1);
      for (const text of [short, short.toUpperCase()]) expect(guard.allows(text), text).toBe(modelAllows(address, []));
    }), { numRuns: tries(500) });
  });
});

test('only addresses are allowed', () => {
  const guard = new AddressGuard(['0.0.0.0/0', '::/0']);
  for (const text of [
    '', 'localhost', '127.1', '2130706433', '0x7f.0.0.1', '0177.0.0.1', '[::1]', '1.2.3.4/32', '1.2.3.4 ', '::1.2.3',
  ]) {
    expect(guard.allows(text), text).toBe(false);
  }
  expect(guard.allows('127.0.0.1') && guard.allows('::1') && guard.allows('::ffff:10.0.0.1')).toBe(true);
});

test.each([
  ['10.0.0.1', /CIDR/], ['10.0.0.0/33', /CIDR/], ['::/129', /CIDR/], ['10.0.0.0/', /CIDR/], ['10/8', /CIDR/],
  ['010.0.0.0/8', /CIDR/], ['localhost/8', /CIDR/], ['fe80::1%eth0/64', /CIDR/], ['', /CIDR/],
  ['10.1.2.3/8', /write 10\.0\.0\.0\/8/], ['fd00::1/8', /write fd00::\/8/],
  ['::ffff:10.0.0.0/104', /IPv4/],
])('%s is not a network', (text, message) => {
  expect(() => new AddressGuard(['127.0.0.0/8', text])).toThrow(message);
  expect(() => new AddressGuard([text])).toThrow(InputError);
});
