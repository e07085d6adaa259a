import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ConsistentHashing, hostHash, jumpBucket, jumpHash, largestProcessingTime, registrableDomain,
} from '../../src/core/bsp/index.ts';
import { sampled, tries } from '../sweep.ts';

// Fixed names and hashes: what holds here holds in every run.
const hosts = Array.from({ length: 20_000 }, (_, i) => `www.host-${i}.example`);

function loads(processorOf: (host: string) => number, processors: number): number[] {
  const counts = new Array<number>(processors).fill(0);
  for (const host of hosts) counts[processorOf(host)]++;
  return counts;
}

/** Standard deviations that the counts lie off n/P, were each host thrown with chance 1/P. */
function deviations(counts: number[]): number[] {
  const mean = hosts.length / counts.length;
  return counts.map((count) => Math.abs(count - mean) / Math.sqrt(mean * (1 - 1 / counts.length)));
}

describe('host-hash', () => {
  test('is the first 32 bits, big-endian, of the MD5 of the name, mod P', () => {
    for (const name of ['a.example', 'www.rust.example', 'ü.example', '']) {
      const digits = createHash('md5').update(name, 'utf8').digest('hex').slice(0, 8);
      for (const processors of [1, 2, 3, 8, 1000])
        expect(hostHash(name, processors)).toBe(Number.parseInt(digits, 16) % processors);
    }
    // MD5("") = d41d8cd9 8f00b204 e9800998 ecf8427e (RFC 1321, appendix A.5).
    expect(hostHash('', 2 ** 32)).toBe(0xd41d8cd9);
  });

  test('spreads hosts as throws of a die would', () => {
    for (const processors of [2, 8, 50])
      expect(Math.max(...deviations(loads((host) => hostHash(host, processors), processors)))).toBeLessThan(5);
  });
});

describe('jump', () => {
  test('gives the buckets that others found for these keys', () => {
    // From the tests of libraries in other languages.
    const known: [bigint, number, number][] = [
      [1n, 1, 0], [42n, 57, 43], [0xdead10ccn, 1, 0], [0xdead10ccn, 666, 361], [256n, 1024, 520],
    ];
    for (const [key, buckets, bucket] of known) expect(jumpBucket(key, buckets)).toBe(bucket);
  });

  test('spreads hosts as throws of a die would', () => {
    for (const processors of [2, 8, 50])
      expect(Math.max(...deviations(loads((host) => jumpHash(host, processors), processors)))).toBeLessThan(5);
  });
});

describe('consistent', () => {
  test('evens out with the points: parts of the circle vary by 1/sqrt(points)', () => {
    for (const [processors, points] of [[8, 16], [8, 128], [20, 1024]]) {
      const circle = new ConsistentHashing(processors, points);
      const counts = loads((host) => circle.processorOf(host), processors);
      const mean = hosts.length / processors;
      // Two sources of variance, independent: the parts of the circle, and the throws of the hosts onto it.
      const relative = Math.sqrt(1 / points + 1 / mean);
      for (const count of counts) expect(Math.abs(count / mean - 1)).toBeLessThan(5 * relative);
    }
  });

  test('is the next place on the circle, found the plain way', () => {
    const place = (name: string): string => createHash('md5').update(name).digest('hex').slice(0, 12);
    const [anyProcessors, anyPoints] = [fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 5 })];
    fc.assert(fc.property(anyProcessors, anyPoints, fc.string(), (processors, points, name) => {
      const places = Array.from(
        { length: processors * points },
        (_, i) => [place(`${Math.floor(i / points)}/${i % points}`), Math.floor(i / points)] as const,
      );
      const sorted = places.sort(([a], [b]) => (a < b ? -1 : 1));
      const next = sorted.find(([at]) => at >= place(name)) ?? sorted[0];
      expect(new ConsistentHashing(processors, points).processorOf(name)).toBe(next[1]);
    }), { seed: 1, numRuns: tries(50) });
  });
});

describe('one processor more moves hosts to it alone, and about 1 in P+1', () => {
  const partitions: Record<string, (processors: number) => (host: string) => number> = {
    jump: (processors) => (host) => jumpHash(host, processors),
    consistent: (processors) => {
      const circle = new ConsistentHashing(processors, 128);
      return (host) => circle.processorOf(host);
    },
  };
  test.each(Object.keys(partitions))('%s', (name) => {
    for (const processors of sampled([7, 1, 2, 30], 3)) {
      const [before, after] = [partitions[name](processors), partitions[name](processors + 1)];
      const moved = hosts.filter((host) => before(host) !== after(host));
      for (const host of moved) expect(after(host)).toBe(processors);
      const expected = hosts.length / (processors + 1);
      // The new processor's part of the circle varies by 1/sqrt(128) more than that of jump.
      expect(Math.abs(moved.length / expected - 1)).toBeLessThan(
        5 * Math.sqrt(1 / expected + (name === 'jump' ? 0 : 1 / 128)),
      );
    }
  });

  test('host-hash, beside them, moves nearly all', () => {
    const moved = hosts.filter((host) => hostHash(host, 7) !== hostHash(host, 8));
    expect(moved.length / hosts.length).toBeGreaterThan(0.85);
  });
});

describe('domain', () => {
  test('is what one owner has from one registry', () => {
    const domains: [string, string][] = [
      ['core.rust.example', 'rust.example'], ['rust.example', 'rust.example'], ['a.b.co.uk', 'b.co.uk'],
      ['www.city.kawasaki.jp', 'city.kawasaki.jp'], ['one.github.io', 'one.github.io'],
      ['a.one.github.io', 'one.github.io'],
    ];
    for (const [host, domain] of domains) expect(registrableDomain(host)).toBe(domain);
  });

  test('a host without one is its own', () => {
    for (const host of ['localhost', '10.0.0.1', '[::1]', 'co.uk', '', '.', 'a..b'])
      expect(registrableDomain(host)).toBe(host);
  });

  test('any text has a domain, which is its own domain', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.domain()), (host) => {
      expect(registrableDomain(registrableDomain(host))).toBe(registrableDomain(host));
    }), { seed: 1, numRuns: tries(500) });
  });
});

describe('lpt', () => {
  test('gives the textbook example', () => {
    // Graham's worst case for P = 2: 3 3 2 2 2 gives 7, the best is 6.
    expect([...largestProcessingTime(Uint32Array.of(2, 3, 2, 3, 2), 2)]).toEqual([0, 0, 1, 1, 0]);
  });

  test('stays within 4/3 - 1/(3P) of the best maximum, on every small instance tried', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(30), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        (weights, processors) => {
          const assigned = largestProcessingTime(Uint32Array.from(weights), processors);
          const loads = new Array<number>(processors).fill(0);
          weights.forEach((weight, host) => (loads[assigned[host]] += weight));
          let best = Infinity;
          for (let code = 0; code < processors ** weights.length; code++) {
            const tried = new Array<number>(processors).fill(0);
            weights.forEach((weight, host) => (tried[Math.floor(code / processors ** host) % processors] += weight));
            best = Math.min(best, Math.max(...tried));
          }
          expect(Math.max(...loads)).toBeLessThanOrEqual((4 / 3 - 1 / (3 * processors)) * best + 1e-9);
        },
      ),
      { numRuns: tries(60), seed: 1 },
    );
  });
});

describe('any partition', () => {
  test('of one processor gives it everything', () => {
    const circle = new ConsistentHashing(1, 3);
    for (const host of hosts.slice(0, 50))
      expect([hostHash(host, 1), jumpHash(host, 1), circle.processorOf(host)]).toEqual([0, 0, 0]);
  });
});
