import { InputError } from '../../base/index.ts';
import type { Log } from '../log/log.ts';
import { encodeRecord } from '../records/record.ts';
import { differenceOf } from '../simulation/identity.ts';
import { taken } from './live-crews.ts';
import { joinSeq, putJoin, takeJoin, type Join } from './live-records.ts';

/** What all nodes of an epoch have agreed on. */
export interface Joined {
  /** Where all go on; undefined at the start of the crawl. */
  readonly checkpoint: number | undefined;
  /** What all clocks are set to, microseconds since the crawl began. */
  readonly clockUs: number;
  /** Ids of all nodes' folders. */
  readonly peers: readonly string[];
  /** Whether the crawl has ended on every node. */
  readonly hasEnded: boolean;
}

/**
 * Joins the epoch of the log: waits for all nodes, and finds where they go on.
 * @throws InputError where the folders or settings of nodes do not belong together; as `Log`.
 */
export async function join(log: Log, own: Join): Promise<Joined> {
  await log.put(joinSeq, encodeRecord('join', (writer) => { putJoin(writer, own); }));
  const joins = await Promise.all(Array.from({ length: log.nodes }, async (_, node) => (
    node === log.node ? own : taken(log, node, joinSeq, 'join', takeJoin)
  )));
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
    peers: joins.map(({ id }) => id), hasEnded: joins.every(({ hasEnded }) => hasEnded),
  };
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
