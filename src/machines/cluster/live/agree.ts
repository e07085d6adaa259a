import { InputError } from '../../../base/index.ts';
import type { Log } from '../log/log.ts';
import { othersOf, resultSeq, taken } from '../crews/nodes.ts';
import { decodeRecord, encodeRecord } from '../records/record.ts';
import { differenceOf } from '../simulation/identity.ts';
import { nodeStateSeq, putNodeState, takeNodeState, type NodeState } from './live-records.ts';

/** What all nodes of an epoch have agreed on. */
export interface Agreement extends Pick<NodeState, 'clockUs' | 'peers'> {
  /** The superstep from which all go on; undefined at the start of the crawl. */
  readonly checkpoint: number | undefined;
  /** `here`: on each of the nodes, and all take part. `everywhere`: one of them knew, and others may have left. */
  readonly ended: NodeState['ended'];
}

/**
 * Tells the other nodes of an epoch the state of this one, waits for theirs, and finds where all go on. When the crawl
 * has ended on every node, some may have left for good: one that knows it is enough.
 * @throws InputError where the folders or settings of nodes do not belong together; as `Log`.
 */
export async function agree(log: Log, ours: NodeState): Promise<Agreement> {
  await log.put(nodeStateSeq, encodeRecord('state', (writer) => { putNodeState(writer, ours); }));
  const states = await statesOf(log, ours);
  if (states === undefined) return agreementAtEnd(ours);
  const others = othersOf(log).map((node) => ({ node, theirs: states[node] }));
  for (const { theirs, node } of others) {
    const difference = differenceOf(theirs.identity, ours.identity);
    if (difference !== undefined) throw new InputError(`node ${node} has other settings: ${difference}`);
  }
  for (const { theirs, node } of others) checkOwnFolder(ours, theirs, log.node, node);
  // They find out by themselves, and leave; whoever comes instead begins another epoch, which ends the log.
  if (others.some(({ theirs, node }) => ours.peers.length > 0 && ours.peers[node] !== theirs.id))
    await new Promise((_, reject) => { log.onceFailed(reject); });
  return {
    checkpoint: commonCheckpoint(states), clockUs: Math.max(...states.map(({ clockUs }) => clockUs)),
    peers: states.map(({ id }) => id), ended: states.some(({ ended }) => ended === 'nowhere') ? 'nowhere' : 'here',
  };
}

/** The crawl has ended everywhere: nothing is left to agree on. */
export function agreementAtEnd({ checkpoints, clockUs, peers }: NodeState): Agreement {
  return { checkpoint: checkpoints.at(-1), clockUs, peers, ended: 'everywhere' };
}

/** The states of all nodes; undefined once this one hears that the crawl, ended here, has ended everywhere. */
async function statesOf(log: Log, ours: NodeState): Promise<readonly NodeState[] | undefined> {
  const nodes = Array.from({ length: log.nodes }, (_, node) => node);
  return new Promise((resolve, reject) => {
    const heard = (theirs: NodeState | undefined): void => {
      if (theirs !== undefined && knowsTheEnd(theirs, ours, log.node)) resolve(undefined);
    };
    const states = nodes.map(async (node) => {
      if (node === log.node) return ours;
      const theirs = await taken(log, node, nodeStateSeq, 'state', takeNodeState);
      heard(theirs);
      return theirs;
    });
    Promise.all(states).then(resolve, reject);
    if (ours.ended !== 'here') return;
    for (const node of othersOf(log)) lastState(log, node).then(heard, reject);
  });
}

/** True if the node knows that the crawl has ended everywhere: this crawl, as it has ended here. */
function knowsTheEnd({ identity, peers, checkpoints, ended }: NodeState, ours: NodeState, node: number): boolean {
  return ended === 'everywhere' && ours.ended === 'here' && differenceOf(identity, ours.identity) === undefined &&
    peers[node] === ours.id && checkpoints.at(-1) === ours.checkpoints.at(-1);
}

/** The last record of a node, in whatever epoch, if it is a state: the node may have left for good. */
async function lastState(log: Log, node: number): Promise<NodeState | undefined> {
  const last = await log.lastOf(node);
  if (last === undefined || (last.seq !== nodeStateSeq && last.seq !== resultSeq)) return undefined;
  try {
    return decodeRecord(last.bytes, 'state', `record ${last.seq} of node ${node}`, takeNodeState);
  } catch {
    // An earlier crawl by another version wrote it: it says nothing about this crawl.
    return undefined;
  }
}

/** @throws InputError if another node has begun with another folder of this one. */
function checkOwnFolder(ours: NodeState, theirs: NodeState, node: number, other: number): void {
  if (theirs.peers.length === 0 || theirs.peers[node] === ours.id) return;
  throw new InputError(
    `node ${node}: its folder is not the one that the crawl began with, which node ${other} knows. A crawl whose folder is ` +
    'lost cannot go on: bring the folder back, from a copy of the whole crawl if need be, or start the crawl again in new folders',
  );
}

/** The last checkpoint that all have. @throws InputError if there is none. */
function commonCheckpoint(states: readonly NodeState[]): number | undefined {
  const isNew = ({ checkpoints }: NodeState): boolean => checkpoints.length === 0;
  if (states.some(isNew)) {
    // The first checkpoint is taken before anything is fetched: a node that has it alone has done nothing since.
    const ahead = states.findIndex(({ checkpoints }) => checkpoints.some((superstep) => superstep > 0));
    if (ahead < 0) return undefined;
    throw new InputError(
      `node ${states.findIndex(isNew)}: its folder has no checkpoint, and node ${ahead} has come to superstep ` +
      `${states[ahead].checkpoints.at(-1)}: a lost folder cannot be made again`,
    );
  }
  const common = states[0].checkpoints.filter((superstep) =>
    states.every(({ checkpoints }) => checkpoints.includes(superstep))).at(-1);
  if (common !== undefined) return common;
  const list = states.map(({ checkpoints }, node) => `node ${node} has ${checkpoints.join(' and ')}`).join(', ');
  throw new InputError(`the folders have no checkpoint in common (${list}): one of them is an older copy`);
}
