import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostAddresses, Network, type NetworkFit } from '../../src/core/simulation/index.ts';
import { calm, flat } from './six-pages.ts';

// Goal: who shares an address is known of a fitted crawl, and drawn otherwise; and the processors that share one ask it
// together once per delay.

const count = 40;
const names = Array.from({ length: count }, (_, host) => `h${host}.example`);
const graph = flat(count, count);

/** As a fit of a crawl that met some hosts: all that is read of it here are addresses. */
const fitOf = (addresses: ReadonlyMap<string, string>): NetworkFit => ({
  hosts: new Map(Array.from(addresses, ([name, address]) => [name, {
    latency: 1, connect: undefined, bandwidth: undefined, faults: 1, crawlDelaySeconds: 0, address,
  }])),
  pages: new Map(),
} as unknown as NetworkFit);

test('addresses of a crawl, drawn ones for other hosts, and as many delays as processors share them', () => {
  fc.assert(fc.property(
    fc.record({
      seed: fc.nat(), hostsPerAddress: fc.constantFrom(1, 1.5, 4, 100), addressDelayMs: fc.integer({ min: 1, max: 99 }),
      fitted: fc.dictionary(fc.constantFrom(...names), fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1')),
      processors: fc.integer({ min: 1, max: 5 }),
    }),
    ({ seed, hostsPerAddress, addressDelayMs, fitted, processors }) => {
      const network = { ...calm, hostsPerAddress, addressDelayMs };
      const fit = fitOf(new Map(Object.entries(fitted)));
      const processorOfHost = Uint32Array.from({ length: count }, (_, host) => (host * 7 + seed) % processors);
      const drawn = hostAddresses(graph, { network, seed })!;
      const { nameOf, delayUs, sharersOf } = hostAddresses(graph, { network, seed, fit, processorOfHost })!;
      expect(delayUs).toBe(1000 * addressDelayMs);
      const simulated = new Network(graph, network, seed, [], fit, processorOfHost);
      for (let host = 0; host < count; host++) {
        const name = fitted[names[host]] ?? drawn.nameOf(host);
        expect(nameOf(host)).toBe(name);
        const sharers = new Set(names.flatMap((_, other) => (nameOf(other) === name ? [processorOfHost[other]] : [])));
        expect(sharersOf(host)).toBe(sharers.size);
        expect(simulated.addressRest(host)).toEqual({ address: name, restUs: sharers.size * delayUs });
        expect(drawn.sharersOf(host)).toBe(1);
      }
    },
  ), { numRuns: 60 });
  expect(hostAddresses(graph, { network: { ...calm, addressDelayMs: 0 }, seed: 1 })).toBeUndefined();
});
