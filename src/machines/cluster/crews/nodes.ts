import type { Log } from '../log/log.ts';
import type { ByteReader } from '../records/bytes.ts';
import { decodeRecord, type RecordKind } from '../records/record.ts';

/** The processors of a node: every `nodes`-th. */
export function idsOf(node: number, nodes: number, processors: number): number[] {
  return Array.from({ length: processors }, (_, processor) => processor).filter((id) => id % nodes === node);
}

/** The other nodes. */
export function othersOf({ node, nodes }: Pick<Log, 'node' | 'nodes'>): number[] {
  return Array.from({ length: nodes }, (_, other) => other).filter((other) => other !== node);
}

/** A record of another node; waits for it. @throws as `Log.get` and `decodeRecord`. */
export async function taken<T>(
  log: Log, node: number, seq: number, kind: RecordKind, take: (bytes: ByteReader) => T,
): Promise<T> {
  return decodeRecord(await log.get(node, seq), kind, `record ${seq} of node ${node}`, take);
}
