import type { Hash } from 'node:crypto';
import type { StringTable } from '../memory/string-table.ts';
import { computedOnce, type PreparedGraph } from '../prepared-graph.ts';

const HASHED_AT_ONCE_BYTES = 1 << 28; // Hash.update takes less than 2 GiB.

/**
 * SHA-256, in hex, of the contents of a graph: counts, arcs, hosts, paths, sizes, source ids and seed pages, but not
 * its name. Equal for equal graphs however they were stored. Computed once per PreparedGraph.
 * Cost  O(bytes of the arrays), about 1 GB/s or better.
 */
export const graphChecksum = computedOnce('checksum', checksumOf);

function checksumOf({ graph }: PreparedGraph): string {
  const { pages, arcs, hosts } = graph;
  const hash = new GraphHash({ pages, arcs, hosts: hosts.count, hostsAreSynthetic: hosts.synthetic });
  addArray(hash, 'offsets', graph.outOffsets);
  addArray(hash, 'targets', graph.outTargets);
  addArray(hash, 'hosts', hosts.ofPage);
  addStrings(hash, 'host names', hosts.names);
  addStrings(hash, 'paths', graph.paths);
  addArray(hash, 'bytes', graph.bytes);
  addArray(hash, 'source ids', graph.sourceIds);
  addArray(hash, 'seeds', graph.seeds);
  return hash.digest();
}

function addStrings(hash: GraphHash, what: HashedPart, table: StringTable | undefined): void {
  addArray(hash, what, table?.offsets);
  addArray(hash, what, table?.bytes);
}

function addArray(hash: GraphHash, what: HashedPart, array: Uint8Array | Uint32Array | Float64Array | undefined): void {
  hash.begin(what, array?.length);
  if (array !== undefined) hash.add(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
}

type HashedPart = 'offsets' | 'targets' | 'hosts' | 'host names' | 'paths' | 'bytes' | 'source ids' | 'seeds';

/** The checksum of a graph that comes piece by piece: `begin` and `add` for each of its arrays, in their order. */
export class GraphHash {
  readonly #hash: Hash;

  constructor({ pages, arcs, hosts, hostsAreSynthetic }: {
    readonly pages: number; readonly arcs: number; readonly hosts: number; readonly hostsAreSynthetic: boolean;
  }) {
    // Loaded here: help and other short commands would wait for it.
    this.#hash = process.getBuiltinModule('node:crypto').createHash('sha256');
    this.#hash.update(`orbweaver graph 1\n${pages} ${arcs} ${hosts} ${hostsAreSynthetic ? 'synthetic' : 'real'}\n`);
  }

  /** Name and length first, so that no two graphs feed the same bytes. @param length undefined if it is absent. */
  begin(what: HashedPart, length: number | undefined): void {
    this.#hash.update(`${what} ${length ?? 'absent'}\n`);
  }

  add(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length; start += HASHED_AT_ONCE_BYTES)
      this.#hash.update(bytes.subarray(start, start + HASHED_AT_ONCE_BYTES));
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
