import { expect, test } from 'vitest';
import { buildGraph, hostsFromNames, StringTable } from '../../../src/graphs/graph/index.ts';
import { Network, type NetworkFit, type NetworkOptions } from '../../../src/core/simulation/index.ts';
import { calm } from '../six-pages.ts';

// Goal: what is known of a host or a page is so; what is not known is drawn as without a fit.

const names = ['a', 'b', 'c', 'd'];
const graph = buildGraph({
  name: 'four', pages: 4, sources: new Uint32Array(0), targets: new Uint32Array(0), hosts: hostsFromNames(names),
  paths: StringTable.from(['/0', '/1', '/2', '/3']), bytes: Uint32Array.of(1000, 0, 0, 0),
});
const options: NetworkOptions = {
  ...calm, latencyMs: 100, latencySigma: 0.5, bandwidthBytesPerSecond: 1e6, bandwidthSigma: 0.5, connectMs: 10,
  pageBytes: 5000, robotsTxtShare: 1, notFoundShare: 0.999, deniedShare: 0, serverErrorShare: 0.2,
};
const goodness = { observations: 0, distance: 0, chance: 1 };
const fit: NetworkFit = {
  network: options,
  hosts: new Map([
    ['a', { latency: 2, connect: 3, bandwidth: 0.5, faults: 0, crawlDelaySeconds: 7 }],
    ['b', { latency: 1, connect: undefined, bandwidth: undefined, faults: 5, crawlDelaySeconds: 0 }],
  ]),
  pages: new Map([['a/0', 'fetched'], ['b/1', 'notFound'], ['c/2', 'robotsDenied']]),
  counts: {
    requests: 0, hosts: 0, pages: 0, fetched: 0, timeouts: 0, late: 0, refused: 0, serverErrors: 0, notFound: 0,
    denied: 0, robotsTxt: 0, isSeparated: true, answers: 0, separatedBySizes: 0,
  },
  goodness: {
    requestLatency: goodness, hostLatency: goodness, hostBandwidth: goodness, hostConnection: goodness,
    pageSize: goodness,
  },
};
const ask = (network: Network, page: number, attempt = 0) => network.answer(
  { page, sequence: 0, attempt }, 0, { isResolved: true, knowsRobotsTxt: true, connectedUntilUs: -Infinity },
);

test('hosts and pages of the crawl are as they were', () => {
  const network = new Network(graph, options, 1, [], fit);
  expect(ask(network, 0)).toEqual({
    kind: 'fetched', beginsAfterUs: 2 * 100_000 + 3 * 10_000, bytes: 1000, bytesPerUs: 0.5, waitUs: 7e6,
  });
  // It fails five times as often as others, which is always.
  for (const attempt of [0, 1, 2, 3]) expect(ask(network, 1, attempt).kind).toBe('serverError');
  expect(ask(network, 2).kind).toBe('robotsDenied');
  const faultless = new Network(graph, { ...options, serverErrorShare: 0 }, 1, [], fit);
  expect(ask(faultless, 1).kind).toBe('notFound');
});

test('what they were is a factor of the settings', () => {
  const changed = { ...options, latencyMs: 50, bandwidthBytesPerSecond: 0, connectMs: 0 };
  const network = new Network(graph, changed, 1, [], fit);
  expect(ask(network, 0)).toMatchObject({ beginsAfterUs: 100_000, bytesPerUs: Infinity });
});

test('a host and a page that the crawl did not meet are drawn as without a fit', () => {
  for (const notFoundShare of [0, 0.999]) {
    const drawn = { ...options, notFoundShare, serverErrorShare: 0 };
    const [fitted, plain] = [new Network(graph, drawn, 1, [], fit), new Network(graph, drawn, 1)];
    expect(ask(fitted, 3).beginsAfterUs).toBe(ask(plain, 3).beginsAfterUs);
    expect(ask(fitted, 3).kind).toBe(notFoundShare === 0 ? 'fetched' : 'notFound');
  }
  const network = new Network(graph, { ...options, notFoundShare: 0, serverErrorShare: 0 }, 1, [], fit);
  expect(ask(network, 3).bytes).toBeGreaterThan(1000);
});

test('single requests vary around the latency of their host, each by its own draw', () => {
  const varied = { ...options, latencyJitterSigma: 0.3, serverErrorShare: 0, notFoundShare: 0 };
  const network = new Network(graph, varied, 1, [], fit);
  const times = Array.from({ length: 400 }, (_, attempt) => ask(network, 0, attempt).beginsAfterUs - 30_000);
  const logs = times.map((us) => Math.log(us / 200_000));
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  expect(Math.abs(mean)).toBeLessThan(0.06);
  expect(Math.sqrt(logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / logs.length)).toBeCloseTo(0.3, 1);
  expect(ask(network, 0, 5)).toEqual(ask(network, 0, 5));
});
