import type { GraphPages } from '../../graphs/graph/index.ts';
import type { HostAddresses } from '../world/index.ts';
import { addressNames } from './address-names.ts';
import type { NetworkFit } from './calibration/network-fit.ts';
import type { NetworkOptions } from '../settings/index.ts';

/** Who shares addresses: the options that say so, and the crawl that a network is fitted to. */
export interface AddressSource {
  /** Records of live crawls have none. */
  readonly network?: Pick<NetworkOptions, 'hostsPerAddress' | 'addressDelayMs'> | undefined;
  readonly seed: number;
  readonly fit?: NetworkFit | undefined;
  /** If it is unknown, the hosts of an address share a processor. */
  readonly processorOfHost?: Uint32Array | undefined;
}

/**
 * The addresses of a simulation's hosts; undefined where addresses have no delay. A host that the fit knows has its
 * address in that crawl, and stays with the processor that its name says, as in a crawl. Others are drawn, and are
 * partitioned by address. O(hosts).
 */
export function hostAddresses(
  { hosts }: Pick<GraphPages, 'hosts'>, { network, seed, fit, processorOfHost }: AddressSource,
): HostAddresses | undefined {
  if (network === undefined || network.addressDelayMs === 0) return undefined;
  const address = addressNames(hosts.count, network.hostsPerAddress, seed);
  const fitted = (host: number): string | undefined =>
    (fit === undefined || hosts.synthetic ? undefined : fit.hosts.get(hosts.names.at(host))?.address);
  const names = Array.from({ length: hosts.count }, (_, host) => fitted(host) ?? address(host));
  return {
    nameOf: (host) => names[host], delayUs: Math.round(1000 * network.addressDelayMs),
    sharersOf: sharersOf(names, processorOfHost),
  };
}

/** How many processors have hosts at the address of a host; 1 where nobody says whose they are. O(hosts). */
export function sharersOf(names: readonly string[], processorOfHost?: Uint32Array): (host: number) => number {
  const sharers = new Map<string, Set<number>>();
  processorOfHost?.forEach((processor, host) => {
    const hostsThere = sharers.get(names[host]);
    if (hostsThere === undefined) sharers.set(names[host], new Set([processor]));
    else hostsThere.add(processor);
  });
  return (host) => sharers.get(names[host])?.size ?? 1;
}
