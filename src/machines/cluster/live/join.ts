import { InputError } from '../../../base/index.ts';
import type { Log } from '../log/log.ts';
import { taken } from '../crews/nodes.ts';
import { resultSeq } from '../crews/sequence.ts';
import { decodeRecord, encodeRecord } from '../records/record.ts';
import { differenceOf } from '../simulation/identity.ts';
import { joinSeq, putJoin, takeJoin, type End, type Join } from './live-records.ts';

/** What all nodes of an epoch have agreed on. */
export interface Joined {
  /** Where all go on; undefined at the start of the crawl. */
  readonly checkpoint: number | undefined;
  /** What all clocks are set to, microseconds since the crawl began. */
  readonly clockUs: number;
  /** Ids of all nodes' folders. */
  readonly peers: readonly string[];
  /** `here`: on each of the nodes, and all have joined. `everywhere`: one of them knew, and others may have left. */
  readonly ended: End;
}

/**
 * Joins the epoch of the log: waits for all nodes, and finds where they go on. Where the crawl has ended on every node,
 * some may have left for good: to know that of one of them is enough.
 * @throws InputError where the folders or settings of nodes do not belong together; as `Log`.
 */
export async function join(log: Log, own: Join): Promise<Joined> {
  await log.put(joinSeq, encodeRecord('join', (writer) => { putJoin(writer, own); }));
  const joins = await joinsOf(log, own);
  if (joins === undefined) return endOf(own);
  const others = joins.map((theirs, node) => ({ theirs, node })).filter(({ node }) => node !== log.node);
  for (const { theirs, node } of others) {
    const difference = differenceOf(theirs.identity, own.identity);
    if (difference !== undefined) throw new InputError(`node ${node} has other settings: ${difference}`);
  }
  for (const { theirs, node } of others) checkOwnFolder(own, theirs, log.node, node);
  const strangers = others.filter(({ theirs, node }) => own.peers.length > 0 && own.peers[node] !== theirs.id);
  // They find out by themselves, and leave; whoever comes instead begins another epoch, which ends the log.
  if (strangers.length > 0) await new Promise((_, reject) => { log.onceFailed(reject); });
  return {
    checkpoint: commonCheckpoint(joins), clockUs: Math.max(...joins.map(({ clockUs }) => clockUs)),
    peers: joins.map(({ id }) => id), ended: joins.some(({ ended }) => ended === 'nowhere') ? 'nowhere' : 'here',
  };
}

/** Nothing is left to agree on. */
export function endOf({ checkpoints, clockUs, peers }: Join): Joined {
  return { checkpoint: checkpoints.at(-1), clockUs, peers, ended: 'everywhere' };
}

/** What all nodes say of themselves; undefined once this one hears that the crawl, ended here, has ended everywhere. */
async function joinsOf(log: Log, own: Join): Promise<readonly Join[] | undefined> {
  const nodes = Array.from({ length: log.nodes }, (_, node) => node);
  return new Promise((resolve, reject) => {
    const heard = (theirs: Join | undefined): void => {
      if (theirs !== undefined && knowsTheEnd(theirs, own, log.node)) resolve(undefined);
    };
    const joins = nodes.map(async (node) => {
      if (node === log.node) return own;
      const theirs = await taken(log, node, joinSeq, 'join', takeJoin);
      heard(theirs);
      return theirs;
    });
    Promise.all(joins).then(resolve, reject);
    if (own.ended !== 'here') return;
    for (const node of nodes) if (node !== log.node) lastSaid(log, node).then(heard, reject);
  });
}

/** Whether the node knows that the crawl has ended everywhere: this crawl, as it has ended here. */
function knowsTheEnd({ identity, peers, checkpoints, ended }: Join, own: Join, node: number): boolean {
  return ended === 'everywhere' && own.ended === 'here' && differenceOf(identity, own.identity) === undefined &&
    peers[node] === own.id && checkpoints.at(-1) === own.checkpoints.at(-1);
}

/** What a node said last of itself, in whatever epoch, if nothing came after it: it may have left for good. */
async function lastSaid(log: Log, node: number): Promise<Join | undefined> {
  const last = await log.lastOf(node);
  if (last === undefined || (last.seq !== joinSeq && last.seq !== resultSeq)) return undefined;
  try {
    return decodeRecord(last.bytes, 'join', `record ${last.seq} of node ${node}`, takeJoin);
  } catch {
    // Of an earlier crawl by another version: it says nothing of this one.
    return undefined;
  }
}

/** @throws InputError if another node has begun with another folder of this one. */
function checkOwnFolder(own: Join, theirs: Join, node: number, other: number): void {
  if (theirs.peers.length === 0 || theirs.peers[node] === own.id) return;
  throw new InputError(
    `node ${node}: its folder is not the one that the crawl began with, which node ${other} knows. A crawl whose folder is ` +
    'lost cannot go on: bring the folder back, from a copy of the whole crawl if need be, or start the crawl again in new folders',
  );
}

/** The last checkpoint that all have. @throws InputError if there is none. */
function commonCheckpoint(joins: readonly Join[]): number | undefined {
  const isNew = ({ checkpoints }: Join): boolean => checkpoints.length === 0;
  if (joins.some(isNew)) {
    // The first of a crawl is taken before anything is fetched: who has it alone has done nothing since without it.
    const ahead = joins.findIndex(({ checkpoints }) => checkpoints.some((superstep) => superstep > 0));
    if (ahead < 0) return undefined;
    throw new InputError(
      `node ${joins.findIndex(isNew)}: its folder has no checkpoint, and node ${ahead} has come to superstep ` +
      `${joins[ahead].checkpoints.at(-1)}: a lost folder cannot be made again`,
    );
  }
  const common = joins[0].checkpoints.filter((superstep) =>
    joins.every(({ checkpoints }) => checkpoints.includes(superstep))).at(-1);
  if (common !== undefined) return common;
  const list = joins.map(({ checkpoints }, node) => `node ${node} has ${checkpoints.join(' and ')}`).join(', ');
  throw new InputError(`the folders have no checkpoint in common (${list}): one of them is an older copy`);
}
