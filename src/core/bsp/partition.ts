import { hash } from 'node:crypto';
import type * as Tldts from 'tldts';
import { assert, onDemand } from '../../base/index.ts';

/**
 * The processor of a host under `host-hash`: the first 32 bits, big-endian, of the MD5 of the host name, mod P. MD5 of
 * the domain is the paper's own example (Marin, Paredes & Bonacic, WIDM 2008, section 2); it is used to spread hosts,
 * not for security.
 */
export function hostHash(hostName: string, processors: number): number {
  return md5(hostName).readUInt32BE(0) % processors;
}

function md5(text: string): Buffer {
  return hash('md5', text, 'buffer');
}

/**
 * The registrable domain of a host, by the Public Suffix List of the library tldts, including its private section: what
 * one owner has from one registry, such as example.co.uk. A host without one, such as an IP address or a single-label
 * name, is its own.
 */
export function registrableDomain(hostName: string): string {
  const { getDomain } = onDemand('tldts') as typeof Tldts;
  return getDomain(hostName, { allowPrivateDomains: true }) ?? hostName;
}

/**
 * Partition `consistent`: consistent hashing (Karger et al., STOC 1997), as UbiCrawler spreads hosts (Boldi, Codenotti,
 * Santini & Vigna, 2004). Processor p is placed at `points` points on a circle of 2^48: the first 48 bits, big-endian,
 * of the MD5 of "p/0", "p/1", ...; a host belongs to the next point at or after the MD5 of its name, and to the
 * lower processor if two share a point.
 *
 * Balance  a processor's part of the circle is 1/P on average, with a relative standard deviation of about
 *          1/sqrt(points).
 * Growth   from P to P+1 processors, hosts move only to the new one. Cost O(P x points) hashes and their sort once;
 *          O(log) per host.
 */
export class ConsistentHashing {
  readonly #places: Float64Array;
  readonly #owners: Uint32Array;

  constructor(processors: number, points: number) {
    assert(processors >= 1 && points >= 1, 'a circle needs at least one processor at one place');
    const places = Float64Array.from({ length: processors * points }, (_, i) =>
      placeOf(`${Math.floor(i / points)}/${i % points}`));
    const order = Uint32Array.from(places.keys()).sort((a, b) => places[a] - places[b] || a - b);
    this.#places = Float64Array.from(order, (i) => places[i]);
    this.#owners = Uint32Array.from(order, (i) => Math.floor(i / points));
  }

  processorOf(hostName: string): number {
    const place = placeOf(hostName);
    let [low, high] = [0, this.#places.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#places[middle] < place) low = middle + 1;
      else high = middle;
    }
    return this.#owners[low === this.#places.length ? 0 : low];
  }
}

const placeOf = (name: string): number => md5(name).readUIntBE(0, 6);

/**
 * Partition `jump`: jump consistent hash (Lamping & Veach, "A fast, minimal memory, consistent hash algorithm", 2014,
 * figure 1) of the first 64 bits, big-endian, of the MD5 of the host name. As even as `host-hash`; from P to P+1
 * processors, hosts move only to the new one, 1 in P+1 on average. O(log P).
 */
export function jumpHash(hostName: string, processors: number): number {
  return jumpBucket(md5(hostName).readBigUInt64BE(0), processors);
}

/** The bucket, 0 ... buckets-1, of a key of 64 bits. */
export function jumpBucket(key: bigint, buckets: number): number {
  let bucket = -1;
  for (let next = 0; next < buckets; ) {
    bucket = next;
    key = BigInt.asUintN(64, key * 2862933555777941757n + 1n);
    next = Math.floor((bucket + 1) * (2 ** 31 / (Number(key >> 33n) + 1)));
  }
  return bucket;
}

/**
 * Partition `lpt`, largest processing time first (Graham 1969): hosts in descending order of weight, each to the least
 * loaded processor; ties to the lower host id and the lower processor. At most 4/3 - 1/(3P) times the best possible
 * maximum.
 *
 * @param weights pages of each host that the crawl will reach. They are known only after a crawl, so this is an oracle.
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
