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
  // Loaded here: help and other short commands would wait for it.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  const { hosts } = graph;
  hash.update(
    `orbweaver graph 1\n${graph.pages} ${graph.arcs} ${hosts.count} ${hosts.synthetic ? 'synthetic' : 'real'}\n`,
  );
  addArray(hash, 'offsets', graph.outOffsets);
  addArray(hash, 'targets', graph.outTargets);
  addArray(hash, 'hosts', hosts.ofPage);
  addStrings(hash, 'host names', hosts.names);
  addStrings(hash, 'paths', graph.paths);
  addArray(hash, 'bytes', graph.bytes);
  addArray(hash, 'source ids', graph.sourceIds);
  addArray(hash, 'seeds', graph.seeds);
  return hash.digest('hex');
}

function addStrings(hash: Hash, what: string, table: StringTable | undefined): void {
  addArray(hash, what, table?.offsets);
  addArray(hash, what, table?.bytes);
}

/** Name and length first, so that no two graphs feed the same bytes. */
function addArray(hash: Hash, what: string, array: Uint8Array | Uint32Array | Float64Array | undefined): void {
  hash.update(`${what} ${array ? array.length : 'absent'}\n`);
  if (!array) return;
  for (let start = 0; start < array.byteLength; start += HASHED_AT_ONCE_BYTES) {
    const length = Math.min(HASHED_AT_ONCE_BYTES, array.byteLength - start);
    hash.update(new Uint8Array(array.buffer, array.byteOffset + start, length));
  }
}
