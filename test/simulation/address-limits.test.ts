import fc from 'fast-check';
import { expect, test } from 'vitest';
import { simulate } from '../../src/core/engine/index.ts';
import { prepare } from '../../src/graphs/graph/index.ts';
import { limitsInWords } from '../../src/core/measure/index.ts';
import { sharedAddresses } from '../../src/core/measure/limits/shared-addresses.ts';
import { syntheticWeb } from '../crawl/loopback.ts';
import { tries } from '../sweep.ts';

// Goal: where hosts share an address, no crawl ends before the least time that the report states, and the report names
// the address that decides.

const web = prepare(syntheticWeb(120, 1, 24));
const calm = { latencyMs: 20, latencySigma: 0, bandwidthSigma: 0 };

test('no crawl ends before the least time, over drawn addresses and delays', async () => {
  await fc.assert(fc.asyncProperty(
    fc.record({
      seed: fc.nat(1000), processors: fc.integer({ min: 1, max: 4 }), robots: fc.integer({ min: 1, max: 4 }),
      politenessMs: fc.constantFrom(0, 10, 300), hostsPerAddress: fc.constantFrom(1, 2, 6, 100),
      addressDelayMs: fc.constantFrom(1, 50, 400), partition: fc.constantFrom('host-hash' as const, 'lpt' as const),
    }),
    async ({ hostsPerAddress, addressDelayMs, ...settings }) => {
      const { run: { summary }, events } = await simulate(web, {
        ...settings, superstepMs: 500, network: { ...calm, hostsPerAddress, addressDelayMs },
      });
      expect(summary.ended).toBe('frontier dry');
      expect(summary.lowerBoundSeconds).toBeLessThanOrEqual(summary.virtualSeconds);
      if (hostsPerAddress < 100) return;
      // All at one address: its time is known.
      const requests = events.failures.filter(({ kind }) => kind === 'notFound' || kind === 'serverError').length + events.order.length;
      expect(summary.lowerBoundSeconds).toBeGreaterThanOrEqual((requests - 1) * addressDelayMs / 1000);
      if (addressDelayMs < Math.max(50, settings.politenessMs)) return;
      expect(summary.lowerBoundHost).toBe('address 0 with its 24 hosts');
      expect(summary.limits.hosts).toEqual({ count: 1, names: ['address 0 with its 24 hosts'] });
      if (addressDelayMs < 400) return;
      expect(limitsInWords(summary.limits)).toContain('the politeness delays of address 0 with its 24 hosts');
    },
  ), { numRuns: tries(160) });
});

test('the least time of an address, which several processors may begin to ask at once', () => {
  const address = '192.0.2.1';
  const events = {
    order: Uint32Array.of(0, 119), times: Float64Array.of(0, 10, 100, 130), failures: [], rows: [],
  };
  const addressesOf = (processors: number) => ({ nameOf: () => address, delayUs: 50, sharersOf: () => processors });
  const shared = (processors: number) =>
    sharedAddresses({ events: events as never, graph: web.graph, addresses: addressesOf(processors) });
  expect(shared(1)).toEqual([{ name: address, hosts: 2, busyUs: 140, leastUs: 50 }]);
  expect(shared(2)).toEqual([{ name: address, hosts: 2, busyUs: 140, leastUs: 0 }]);
});
