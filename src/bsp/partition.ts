import { hash } from 'node:crypto';
import { assert } from '../std/index.ts';

/**
 * The processor of a host under `host-hash`: the first 32 bits, big-endian, of the MD5 of the host name, mod P.
 * MD5 of the domain is the paper's own example (Marin, Paredes & Bonacic, WIDM 2008, section 2); it spreads, it does not secure.
 */
export function hostHash(hostName: string, processors: number): number {
  return hash('md5', hostName, 'buffer').readUInt32BE(0) % processors;
}

/**
 * Partition `lpt`, largest processing time first (Graham 1969): hosts by falling weight, each to the least loaded processor;
 * ties to the lower host id and the lower processor. At most 4/3 - 1/(3P) times the best possible maximum.
 *
 * @param weights pages of each host that the crawl will reach. Only a previous crawl could tell: it is an oracle.
 * @returns processor of each host.
 */
export function largestProcessingTime(weights: Uint32Array, processors: number): Uint32Array {
  assert(processors >= 1, 'a partition needs at least one processor');
  const hosts = Uint32Array.from(weights.keys()).sort((a, b) => weights[b] - weights[a] || a - b);
  const loads = new Float64Array(processors);
  const processorOfHost = new Uint32Array(weights.length);
  for (const host of hosts) {
    let least = 0;
    for (let processor = 1; processor < processors; processor++) if (loads[processor] < loads[least]) least = processor;
    processorOfHost[host] = least;
    loads[least] += weights[host];
  }
  return processorOfHost;
}
