import { ConsistentHashing, hostHash, jumpHash, largestProcessingTime, registrableDomain } from '../../bsp/index.ts';
import { computedOnce, type GraphPages } from '../../../graphs/graph/index.ts';
import { InputError } from '../../../base/index.ts';
import { addressNames, type NetworkOptions } from '../../simulation/index.ts';
import type { CrawlSettings } from '../../settings/index.ts';

/** The settings of a partition. Simulations, whose hosts may share addresses, have `network` and `seed`. */
export type PartitionSettings =
  & Pick<CrawlSettings, 'partition' | 'partitionPoints' | 'processors'>
  & { readonly network?: Pick<NetworkOptions, 'hostsPerAddress'>; readonly seed?: number };

const perAddress = ({ network }: PartitionSettings): number => network?.hostsPerAddress ?? 1;

/**
 * Processor of each host. `lpt` learns from `reachable` what only an earlier crawl could know. A PreparedGraph caches
 * the last answer: the runs of a study mostly share it, and so do the trials of a tuning.
 */
export const partitionHosts = computedOnce(
  'partition',
  ({ graph }, settings: PartitionSettings, reachable: Uint8Array) => partitioned(graph, settings, reachable),
  ([a, itsReach], [b, otherReach]) =>
    a.partition === b.partition && a.partitionPoints === b.partitionPoints && a.processors === b.processors &&
    perAddress(a) === perAddress(b) && (perAddress(a) === 1 || a.seed === b.seed) && itsReach === otherReach,
);

/** Computes `partitionHosts` anew. Hosts that share an address have the same processor: by its name, if by a name. */
export function partitioned(
  { hosts }: GraphPages, settings: PartitionSettings, reachable: Uint8Array,
): Uint32Array {
  const { seed = 0, processors } = settings;
  const hostsPerAddress = perAddress(settings);
  const addressOf = addressNames(hosts.count, hostsPerAddress, seed);
  if (settings.partition === 'lpt') {
    const places = new Map<string, number>();
    const placeOf = Uint32Array.from({ length: hosts.count }, (_, host) => {
      if (hostsPerAddress === 1) return host;
      const address = addressOf(host);
      if (!places.has(address)) places.set(address, places.size);
      return places.get(address)!;
    });
    const weights = new Uint32Array(hostsPerAddress === 1 ? hosts.count : places.size);
    reachable.forEach((isReachable, page) => (weights[placeOf[hosts.ofPage[page]]] += isReachable));
    const processorOfPlace = largestProcessingTime(weights, processors);
    return placeOf.map((place) => processorOfPlace[place]);
  }
  const processorOf = processorByName(settings, hosts.synthetic || hostsPerAddress > 1);
  return Uint32Array.from({ length: hosts.count }, (_, host) =>
    processorOf(hostsPerAddress === 1 ? hosts.names.at(host) : addressOf(host)));
}

/**
 * Processor of a host by its name. Synthetic hosts have no domains: for `domain`, each is a domain.
 * @throws InputError for `lpt`, which needs more than names.
 */
export function processorByName(
  { partition, partitionPoints, processors }: PartitionSettings, areSynthetic = false,
): (hostName: string) => number {
  switch (partition) {
    case 'host-hash':
      return (name) => hostHash(name, processors);
    case 'consistent': {
      const circle = new ConsistentHashing(processors, partitionPoints);
      return (name) => circle.processorOf(name);
    }
    case 'jump':
      return (name) => jumpHash(name, processors);
    case 'domain':
      return (name) => hostHash(areSynthetic ? name : registrableDomain(name), processors);
    case 'lpt':
      throw new InputError(
        'partition lpt: needs the number of pages of each host beforehand, which a live crawl does not have',
        { field: 'partition' },
      );
  }
}

/** A separate table, so that a lookup per page reads two bytes rather than two tables. */
export function processorsOfPages({ pages, hosts: { ofPage } }: GraphPages, processorOfHost: Uint32Array): Uint16Array {
  const processorOfPage = new Uint16Array(pages);
  for (let page = 0; page < pages; page++) processorOfPage[page] = processorOfHost[ofPage[page]];
  return processorOfPage;
}
