import type { Arrival } from '../../../core/engine/index.ts';
import { Damage, type ByteReader, type ByteWriter } from '../records/bytes.ts';
import type { ReadPlaces } from '../records/letters.ts';
import { putHostAddresses, takeHostAddresses, type HostAddress } from './host-addresses.ts';
import { putLiveLetters, takeLiveLetters, type LiveLetters, type PageNumbers } from './live-letters.ts';

/** Numbers of records in a node's stream under one epoch, besides `crews/nodes.ts`. */
export const nodeStateSeq = 1;
export const liveReadySeq = 2;
/**
 * How a crawl ends: the loop has ended, and the last checkpoint but one is stored; the last one is, and how the crawl
 * has ended. With `resultSeq` a node says that it knows this of all: its last state.
 */
export const loopEndedSeq = 1e15 - 2;
export const endStoredSeq = 1e15 - 1;

/** The nodes on which the crawl has ended: none as yet, this node, or, as it knows, each. */
export const ends = ['nowhere', 'here', 'everywhere'] as const;
export type End = (typeof ends)[number];

/** The state of a node, which it tells the others when an epoch begins. */
export interface NodeState {
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
export function putNodeState(writer: ByteWriter, state: NodeState): void {
  const { identity, id, peers, checkpoints, clockUs, ended } = state;
  const facts = Object.entries(identity);
  writer.uint32(facts.length);
  for (const text of facts.flat()) writer.text(text);
  writer.text(id);
  writer.uint32(peers.length);
  for (const peer of peers) writer.text(peer);
  writer.uint32(checkpoints.length);
  writer.float64s(...checkpoints, clockUs);
  writer.uint8(ends.indexOf(ended));
}

export function takeNodeState(bytes: ByteReader): NodeState {
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
  /** True if this node wants a checkpoint. */
  readonly isCheckpointDue: boolean;
  /** Addresses of its processors' hosts, as far as the others do not know them. */
  readonly addresses: readonly HostAddress[];
}

/** 8 arrived | 8 known | 8 changes of cash | 1 whether a checkpoint is due | addresses | letters */
export function putLiveArrival(
  writer: ByteWriter, arrival: Arrival,
  { isCheckpointDue, addresses }: Pick<LiveArrival, 'isCheckpointDue' | 'addresses'>,
  nodeOf: (processor: number) => number, pageOf: PageNumbers['pageOf'],
): void {
  writer.float64s(arrival.arrivedUs, arrival.known, arrival.cashChanges);
  writer.uint8(isCheckpointDue ? 1 : 0);
  putHostAddresses(writer, addresses);
  putLiveLetters(writer, arrival.sent, nodeOf, pageOf);
}

export function takeLiveArrival(bytes: ByteReader, places: ReadPlaces): LiveArrival {
  return {
    arrivedUs: bytes.float64(), known: bytes.float64(), cashChanges: bytes.float64(), isCheckpointDue: bytes.flag(),
    addresses: takeHostAddresses(bytes, places), letters: takeLiveLetters(bytes, places),
  };
}
