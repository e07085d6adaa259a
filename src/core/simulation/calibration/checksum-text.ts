import type { NetworkFit } from './network-fit.ts';

/** Everything of a fit that a simulation depends on, in one order: what its checksum is taken of. */
export function* checksumText({ network, hosts, pages }: NetworkFit): Iterable<string> {
  yield `${JSON.stringify(Object.entries(network).sort(([a], [b]) => (a < b ? -1 : 1)))}\n`;
  for (const name of [...hosts.keys()].sort()) {
    const { latency, connect, bandwidth, faults, crawlDelaySeconds, address } = hosts.get(name)!;
    // Logs of earlier versions have no addresses: their fits keep their checksums.
    const addresses = address === undefined ? [] : [address];
    yield `${JSON.stringify([name, latency, connect, bandwidth, faults, crawlDelaySeconds, ...addresses])}\n`;
  }
  for (const page of [...pages.keys()].sort()) yield `${JSON.stringify([page, pages.get(page)])}\n`;
}
