import { ConsistentHashing, hostHash, jumpHash, largestProcessingTime, registrableDomain } from '../../bsp/index.ts';
import { computedOnce, type GraphPages } from '../../graph/index.ts';
import { InputError } from '../../base/index.ts';
import type { CrawlSettings } from '../../settings/index.ts';

export type PartitionSettings = Pick<CrawlSettings, 'partition' | 'partitionPoints' | 'processors'>;

/**
 * Processor of each host. `lpt` knows from `reachable` what only an earlier crawl could know. Synthetic hosts have no
 * domains: for `domain` each is its own. A PreparedGraph caches the last answer: the runs of a study mostly share it,
 * and so do the trials of a tuning.
 */
export const partitionHosts = computedOnce(
  'partition',
  ({ graph }, settings: PartitionSettings, reachable: Uint8Array) => partitioned(graph, settings, reachable),
  ([a, itsReach], [b, otherReach]) =>
    a.partition === b.partition && a.partitionPoints === b.partitionPoints && a.processors === b.processors &&
    itsReach === otherReach,
);

/** The same, computed anew. */
export function partitioned(
  { hosts }: GraphPages, settings: PartitionSettings, reachable: Uint8Array,
): Uint32Array {
  if (settings.partition === 'lpt') {
    const weights = new Uint32Array(hosts.count);
    reachable.forEach((one, page) => (weights[hosts.ofPage[page]] += one));
    return largestProcessingTime(weights, settings.processors);
  }
  const processorOf = processorByName(settings, hosts.synthetic);
  return Uint32Array.from({ length: hosts.count }, (_, host) => processorOf(hosts.names.at(host)));
}

/**
 * Processor of a host by its name, for every partition that needs only that. Synthetic hosts have no domains: for
 * `domain` each is its own.
 * @throws InputError for `lpt`.
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
