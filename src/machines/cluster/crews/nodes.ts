import type { Log } from '../log/log.ts';
import type { ByteReader } from '../records/bytes.ts';
import { decodeRecord, type RecordKind } from '../records/record.ts';

/** Numbers of records in a node's stream: one when it is ready, two for each superstep, and one at the end. */
export const readySeq = 1;
export const arrivalSeq = (superstep: number): number => 10 + 2 * superstep;
/** The record at its barrier: settled, or revived after a crash. */
export const settledSeq = (superstep: number): number => 11 + 2 * superstep;
/** After any superstep. */
export const resultSeq = 1e15;

export function idsOf(node: number, nodes: number, processors: number): number[] {
  return Array.from({ length: processors }, (_, processor) => processor).filter((id) => id % nodes === node);
}

export function othersOf({ node, nodes }: Pick<Log, 'node' | 'nodes'>): number[] {
  return Array.from({ length: nodes }, (_, other) => other).filter((other) => other !== node);
}

/** A record of another node; waits for it. @throws as `Log.get` and `decodeRecord`. */
export async function taken<T>(
  log: Log, node: number, seq: number, kind: RecordKind, take: (bytes: ByteReader) => T,
): Promise<T> {
  return decodeRecord(await log.get(node, seq), kind, `record ${seq} of node ${node}`, take);
}
