import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DrawStream, InputError } from '../../../src/base/index.ts';
import {
  checksumText, fitNetwork, Network, type NetworkFit, type NetworkOptions, type Observation,
} from '../../../src/core/simulation/index.ts';
import { outcomeKinds } from '../../../src/core/world/index.ts';
import { tries } from '../../sweep.ts';
import { calm, flat } from '../six-pages.ts';

// Goal: what is fitted to the requests of a crawl is the network that answered them.

const truth: NetworkOptions = {
  ...calm, latencyMs: 120, latencySigma: 0.6, latencyJitterSigma: 0.3,
  bandwidthBytesPerSecond: 4e5, bandwidthSigma: 0.5, connectMs: 30, keepAliveSeconds: 4, pageBytes: 12_000,
  pageBytesSigma: 0.9, timeoutMs: 20_000,
};

interface Asked {
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly options?: Partial<NetworkOptions>;
  readonly seed?: number;
  /** As a log without times of the first byte. */
  readonly isWhole?: boolean;
}

/** Every page requested once by a crawler that gives up after `timeoutMs`. */
function observations({ hosts, pagesPerHost, options = {}, seed = 1, isWhole = false }: Asked): Observation[] {
  const graph = { ...flat(hosts * pagesPerHost, hosts), bytes: undefined };
  const network = new Network(graph, { ...truth, ...options }, seed);
  return Array.from({ length: hosts * pagesPerHost }, (_, page): Observation => {
    const host = network.hostOf(page);
    const isOpen = page >= hosts && page % 3 > 0;
    const ask = (connectedUntilUs: number) => network.answer(
      { page, sequence: 0, attempt: 0 }, 0, { isResolved: true, knowsRobotsTxt: true, connectedUntilUs },
    );
    const answer = ask(isOpen ? Infinity : -Infinity);
    const connectUs = isOpen || answer.kind === 'timeout' ? undefined : answer.beginsAfterUs - ask(Infinity).beginsAfterUs;
    const transferUs = Math.round(answer.bytes / answer.bytesPerUs);
    const isSeparated = !isWhole && answer.kind !== 'timeout' && answer.kind !== 'refused';
    return {
      host: `h${host}.example`, path: `/${page}`, kind: answer.kind, isForRobotsTxt: false,
      startUs: Math.floor(page / hosts) * 1e9, durationUs: answer.beginsAfterUs + transferUs,
      bytes: answer.bytes, pauseUs: answer.waitUs, connectUs: isWhole ? undefined : connectUs,
      latencyUs: isSeparated ? answer.beginsAfterUs - (connectUs ?? 0) : undefined,
      transferUs: isSeparated ? transferUs : undefined,
    };
  });
}

/** That a median is within so many parts of the truth. */
function expectNear(value: number, expected: number, part: number): void {
  expect(Math.abs(value / expected - 1), `${value}, expected ${expected}`).toBeLessThan(part);
}

describe('the parameters that observations were drawn with are found', () => {
  test('latency, bandwidth, connection and sizes, over 400 hosts with 20 requests each', () => {
    const { network, goodness } = fitNetwork(observations({ hosts: 400, pagesPerHost: 20 }));
    // Standard error of a median over 400 hosts: 0.6 / 20 = 3 %; three of them.
    expectNear(network.latencyMs, 120, 0.09);
    expectNear(network.latencySigma, 0.6, 0.11);
    expectNear(network.latencyJitterSigma, 0.3, 0.03);
    expectNear(network.bandwidthBytesPerSecond, 4e5, 0.08);
    expectNear(network.bandwidthSigma, 0.5, 0.11);
    expectNear(network.connectMs, 30, 0.09);
    expectNear(network.pageBytes, 12_000, 0.04);
    expectNear(network.pageBytesSigma, 0.9, 0.03);
    for (const { distance, chance } of [goodness.requestLatency, goodness.hostLatency, goodness.hostBandwidth])
      expect(distance).toBeLessThan(chance);
  });

  test('shares of failures', () => {
    const options = {
      refusedShare: 0.04, serverErrorShare: 0.06, timeoutShare: 0.03, notFoundShare: 0.08, errorBytes: 900,
    };
    const { network, counts } = fitNetwork(observations({ hosts: 200, pagesPerHost: 50, options }));
    expectNear(network.refusedShare, 0.04, 0.2);
    expectNear(network.serverErrorShare, 0.06, 0.2);
    expectNear(network.timeoutShare, 0.03, 0.2);
    expectNear(network.notFoundShare, 0.08, 0.2);
    expect(network.errorBytes).toBe(900);
    expect(counts.timeouts - counts.late).toBeGreaterThan(0.98 * counts.timeouts);
  });

  test('latency and bandwidth of a log that has only durations, by sizes', () => {
    const options = { bandwidthSigma: 0, latencyJitterSigma: 0.1, connectMs: 0 };
    const { network, counts } = fitNetwork(observations({ hosts: 100, pagesPerHost: 40, options, isWhole: true }));
    expect(counts.isSeparated).toBe(false);
    expectNear(network.bandwidthBytesPerSecond, 4e5, 0.05);
    expectNear(network.latencyMs, 120, 0.2);
  });

  test('a log of durations that do not grow with sizes has no limit of bandwidth', () => {
    const options = { bandwidthBytesPerSecond: 0, connectMs: 0 };
    const { network } = fitNetwork(observations({ hosts: 50, pagesPerHost: 20, options, isWhole: true }));
    expect(network.bandwidthBytesPerSecond).toBe(0);
  });
});

describe('answers that came too late are censored, not left out', () => {
  test.each([150, 250, 500])('given up after %d ms', (timeoutMs) => {
    const options = { timeoutMs, connectMs: 0 };
    const all = observations({ hosts: 400, pagesPerHost: 20, options });
    const { network, counts } = fitNetwork(all);
    expect(counts.timeouts).toBeGreaterThan(40);
    expectNear(network.latencyMs, 120, 0.12);
    expectNear(network.latencyJitterSigma, 0.3, 0.1);
    expect(network.timeoutShare).toBeLessThan(0.05);
    // Without them the slow hosts are missed.
    const { network: naive } = fitNetwork(all.filter(({ kind }) => kind !== 'timeout'));
    if (timeoutMs < 200) expect(naive.latencyMs).toBeLessThan(network.latencyMs - 5);
  });
});

describe('a host with few requests is estimated near all hosts, one with many near itself', () => {
  const common = observations({ hosts: 100, pagesPerHost: 10 });
  const oddMs = 120 * Math.exp(3 * 0.6);
  const latencyWith = (requests: number): number => {
    const odd = Array.from({ length: requests }, (_, i): Observation =>
      ({ ...common[i], host: 'odd.example', path: `/${i}`, latencyUs: 1000 * oddMs }));
    const { hosts, network } = fitNetwork([...common, ...odd]);
    return hosts.get('odd.example')!.latency * network.latencyMs;
  };

  test('the more requests, the nearer', () => {
    const found = [1, 2, 5, 20, 100].map(latencyWith);
    found.forEach((ms, i) => {
      expect(ms).toBeGreaterThan(120);
      expect(ms).toBeLessThan(oddMs * 1.001);
      if (i > 0) expect(ms).toBeGreaterThan(found[i - 1]);
    });
    // The weight of one request is 0.6^2 / (0.6^2 + 0.3^2) = 0.8 of the three deviations; some for the odd host itself.
    expectNear(Math.log(found[0] / 120), 0.8 * 3 * 0.6, 0.12);
    expectNear(found[4], oddMs, 0.01);
  });

  test('failures: a host of which all failed, and one with a single failure', () => {
    // Hosts differ, but most fail now and then.
    const mixed = common.map((one, i): Observation =>
      (i % 7 === 0 ? { ...one, kind: 'refused', latencyUs: undefined } : one));
    const dead = Array.from({ length: 30 }, (_, i): Observation =>
      ({ ...common[i], host: 'dead.example', path: `/${i}`, kind: 'refused', latencyUs: undefined }));
    const once = { ...dead[0], host: 'once.example' };
    const { hosts, network: { refusedShare } } = fitNetwork([...mixed, ...dead, once]);
    const share = (host: string): number => hosts.get(host)!.faults * refusedShare;
    expect(share('dead.example')).toBeGreaterThan(0.7);
    expect(share('once.example')).toBeGreaterThan(share('h1.example'));
    expect(share('once.example')).toBeLessThan(share('dead.example'));
  });
});

test('a fit does not depend on the order of the log', () => {
  const all = observations({ hosts: 12, pagesPerHost: 6, options: { serverErrorShare: 0.1, timeoutShare: 0.1 } });
  const draws = new DrawStream(5, 'shuffle');
  const places = all.map((one, i) => ({ one, at: draws.uniform(i) })).sort((a, b) => a.at - b.at);
  const shuffled = places.map(({ one }) => one);
  expect(textOf(fitNetwork(shuffled))).toBe(textOf(fitNetwork(all)));
});

const textOf = (fit: NetworkFit): string => [...checksumText(fit)].join('');

test('time-outs of robots.txt files are none of pages', () => {
  const pages = observations({ hosts: 8, pagesPerHost: 4 });
  const robots = pages.slice(0, 8).map((one): Observation => ({
    ...one, path: '/robots.txt', isForRobotsTxt: true, kind: 'timeout', durationUs: 20e6, bytes: 0, pauseUs: 0,
    connectUs: undefined, latencyUs: undefined, transferUs: undefined,
  }));
  const fit = fitNetwork([...robots, ...pages]);
  expect(fit.network.timeoutShare).toBe(0);
  expect(new Set([...fit.hosts.values()].map(({ faults }) => faults))).toEqual(new Set([1]));
  expect(fit.counts.timeouts).toBe(8);
});

test('whatever a log says, a fit is one of finite numbers within the ranges of the settings', () => {
  const us = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1e9 }));
  const observation = fc.record({
    host: fc.constantFrom('a', 'b', 'c'), path: fc.constantFrom('/', '/x', '/y'),
    kind: fc.constantFrom(...outcomeKinds),
    isForRobotsTxt: fc.boolean(), startUs: us, durationUs: us, connectUs: fc.option(us, { nil: undefined }),
    latencyUs: fc.option(us, { nil: undefined }), transferUs: fc.option(us, { nil: undefined }),
    bytes: fc.nat(1e9), pauseUs: us,
  });
  fc.assert(fc.property(fc.array(observation, { maxLength: 40 }), (log) => {
    let fit;
    try {
      fit = fitNetwork(log);
    } catch (error) {
      expect(error).toBeInstanceOf(InputError);
      return;
    }
    for (const [name, value] of Object.entries(fit.network)) {
      if (typeof value !== 'number') continue;
      expect(value, name).toBeGreaterThanOrEqual(0);
      expect(value, name).toBeLessThan(Infinity);
      if (name.endsWith('Share')) expect(value, name).toBeLessThanOrEqual(1);
    }
    for (const { latency, connect = 1, bandwidth = 1, faults } of fit.hosts.values())
      for (const value of [latency, connect, bandwidth, faults]) expect(value).toSatisfy(Number.isFinite);
  }), { numRuns: tries(2000) });
});

test.each([
  [
    'nothing was fetched', (all: Observation[]) => all.map((one): Observation => ({ ...one, kind: 'notFound' })),
    'fetched nothing',
  ],
  ['nothing was requested', () => [], 'fetched nothing'],
  ['one host', (all: Observation[]) => all.filter(({ host }) => host === 'h0.example'), 'one host'],
])('%s', (_, change, message) => {
  const all = observations({ hosts: 3, pagesPerHost: 3 });
  expect(() => fitNetwork(change(all))).toThrow(message);
});
