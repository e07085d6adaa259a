import type { Arrival } from '../../../core/engine/index.ts';
import { Damage, type ByteReader, type ByteWriter } from '../records/bytes.ts';
import type { ReadPlaces } from '../records/letters.ts';
import { putHostAddresses, takeHostAddresses, type HostAddress } from './host-addresses.ts';
import { putLiveLetters, takeLiveLetters, type LiveLetters, type PageNumbers } from './live-letters.ts';

/** Numbers of records in a node's stream, besides those of `crews/sequence.ts`, under one epoch. */
export const joinSeq = 1;
export const liveReadySeq = 2;
/**
 * How a crawl ends: the loop has ended, and the last checkpoint but one is stored; the last one is, and how the crawl
 * has ended. With `resultSeq` a node says that it knows this of all: its last `Join`.
 */
export const loopEndedSeq = 1e15 - 2;
export const endStoredSeq = 1e15 - 1;

/** Where the last checkpoint of a node is the end of the crawl: not yet, on this node, or, as it knows, on each. */
export const ends = ['nowhere', 'here', 'everywhere'] as const;
export type End = (typeof ends)[number];

/** What a node says of itself when an epoch begins. */
export interface Join {
  /** All that nodes must agree in, by name. */
  readonly identity: Readonly<Record<string, string>>;
  /** Drawn when its folder began. */
  readonly id: string;
  /** The ids that this node knows of all, by number; empty before they have met. */
  readonly peers: readonly string[];
  /** Supersteps of its checkpoints, ascending; none before the first. */
  readonly checkpoints: readonly number[];
  /** How far its clock has come, microseconds since the crawl began. */
  readonly clockUs: number;
  readonly ended: End;
}

/** 4 count, per fact: name, value | id | 4 count, ids of peers | 4 count, 8 per checkpoint | 8 clock | 1 end */
export function putJoin(writer: ByteWriter, { identity, id, peers, checkpoints, clockUs, ended }: Join): void {
  const facts = Object.entries(identity);
  writer.uint32(facts.length);
  for (const [name, value] of facts) {
    writer.text(name);
    writer.text(value);
  }
  writer.text(id);
  writer.uint32(peers.length);
  for (const peer of peers) writer.text(peer);
  writer.uint32(checkpoints.length);
  for (const superstep of checkpoints) writer.float64(superstep);
  writer.float64(clockUs);
  writer.uint8(ends.indexOf(ended));
}

export function takeJoin(bytes: ByteReader): Join {
  const identity = Object.fromEntries(bytes.list(8, () => [bytes.text(), bytes.text()] as const));
  const id = bytes.text();
  const peers = bytes.list(4, () => bytes.text());
  const checkpoints = bytes.list(8, () => bytes.float64());
  const clockUs = bytes.float64();
  if (!(clockUs >= 0 && clockUs < Infinity)) throw new Damage(`a clock is at ${clockUs}`);
  const ended = ends.at(bytes.uint8());
  if (ended === undefined) throw new Damage('a crawl has ended in no known way');
  return { identity, id, peers, checkpoints, clockUs, ended };
}

/** What a node has done in a superstep. */
export interface LiveArrival extends Omit<Arrival, 'sent' | 'observed'> {
  readonly letters: LiveLetters;
  /** Whether a checkpoint is due, as far as this node is concerned. */
  readonly isCheckpointDue: boolean;
  /** Addresses of its processors' hosts, as far as the others do not know them. */
  readonly addresses: readonly HostAddress[];
}

/** 8 arrived | 8 known | 8 changes of cash | 1 whether a checkpoint is due | addresses | letters */
export function putLiveArrival(
  writer: ByteWriter, { arrivedUs, known, cashChanges, sent }: Arrival,
  { isCheckpointDue, addresses }: Pick<LiveArrival, 'isCheckpointDue' | 'addresses'>,
  nodeOf: (processor: number) => number, pageOf: PageNumbers['pageOf'],
): void {
  writer.float64(arrivedUs);
  writer.float64(known);
  writer.float64(cashChanges);
  writer.uint8(isCheckpointDue ? 1 : 0);
  putHostAddresses(writer, addresses);
  putLiveLetters(writer, sent, nodeOf, pageOf);
}

export function takeLiveArrival(bytes: ByteReader, places: ReadPlaces): LiveArrival {
  return {
    arrivedUs: bytes.float64(), known: bytes.float64(), cashChanges: bytes.float64(), isCheckpointDue: bytes.flag(),
    addresses: takeHostAddresses(bytes, places), letters: takeLiveLetters(bytes, places),
  };
}
