import type { NetworkInput } from './network-schema.ts';

/** Machines in one building, with only switches between them, and pages that are known to exist. */
const lan: NetworkInput = {
  latencyMs: 5,
  latencySigma: 0.5,
  bandwidthBytesPerSecond: 50e6,
  bandwidthSigma: 0.3,
  processorBandwidthBytesPerSecond: 125e6,
  bandwidthModel: 'fluid',
  dnsMs: 1,
  connectMs: 0.5,
  keepAliveSeconds: 5,
};

/** The open web, from a data centre. */
const web: NetworkInput = {
  latencyMs: 300,
  latencySigma: 0.8,
  latencyTailShare: 0.02,
  latencyTailIndex: 1.2,
  bandwidthBytesPerSecond: 1e6,
  bandwidthSigma: 0.7,
  processorBandwidthBytesPerSecond: 125e6,
  bandwidthModel: 'fluid',
  dnsMs: 25,
  connectMs: 100,
  keepAliveSeconds: 5,
  pageBytes: 18_000,
  pageBytesSigma: 1,
  pageBytesTailShare: 0.01,
  pageBytesTailIndex: 1.2,
  notFoundShare: 0.08,
  serverErrorShare: 0.01,
  timeoutShare: 0.005,
  refusedShare: 0.005,
  retryAfterShare: 0.1,
  retryAfterSeconds: 120,
  downShare: 0.01,
  downSeconds: 600,
  slowShare: 0.05,
  slowSeconds: 300,
  slowFactor: 5,
  robotsTxtShare: 0.57,
  crawlDelayShare: 0.05,
  crawlDelaySeconds: 10,
  deniedShare: 0.06,
};

/** The same, over the line of a home or an office. */
const broadband: NetworkInput = {
  ...web,
  latencyMs: 330,
  processorBandwidthBytesPerSecond: 12.5e6,
  dnsMs: 55,
  connectMs: 160,
};

/** Everything at its worst at once, to test a crawler's patience. */
const hostile: NetworkInput = {
  ...web,
  latencyTailShare: 0.1,
  latencyTailIndex: 1.1,
  bandwidthTailShare: 0.1,
  bandwidthTailIndex: 1.1,
  pageBytesTailShare: 0.05,
  notFoundShare: 0.15,
  serverErrorShare: 0.1,
  timeoutShare: 0.05,
  refusedShare: 0.05,
  hangShare: 0.005,
  hangSeconds: 300,
  retryAfterShare: 0.5,
  downShare: 0.1,
  slowShare: 0.2,
  slowFactor: 10,
  robotsTxtShare: 0.9,
  crawlDelayShare: 0.3,
  deniedShare: 0.1,
};

/** Whole networks by name. `src/core/simulation/README.md` says where each number comes from. */
export const networkPresets = { lan, broadband, web, hostile } as const;

/** Fills in omitted settings of a network from its preset. Set values stay, so resolved settings do not change. */
export function withPreset(network: NetworkInput): NetworkInput {
  // Not validated by the schema yet: it may be anything.
  const { preset: name } = Object(network) as typeof network;
  if (name === undefined || !Object.hasOwn(networkPresets, name)) return network;
  const preset = networkPresets[name];
  return { ...preset, ...Object.fromEntries(Object.entries(network).filter(([, value]) => value !== undefined)) };
}
