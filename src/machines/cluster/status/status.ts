import { ReplyError, type Redis } from 'ioredis';
import * as z from 'zod';
import { InputError, WorldError } from '../../../base/index.ts';
import { arrivalSeq } from '../crews/nodes.ts';
import { loopEndedSeq } from '../live/live-records.ts';
import { isBefore, streamStart, type EntryId } from '../log/streams.ts';
import { shownRedis } from '../redis-url.ts';
import { openRedis } from '../redis.ts';
import { digestOf, type Identity } from '../simulation/identity.ts';
import { placeKeyOf } from '../slots/place.ts';
import { cardIn, cardKeyOf } from './node-card.ts';

/**
 * The last record that a node has written. `ready`: it has begun. `arrival`: it has done its part of the superstep.
 * `settled`: its part of the barrier, too, and it is at work on the next superstep once all have. `result`: it has
 * ended.
 */
export type LastRecord = 'none' | 'ready' | 'arrival' | 'settled' | 'result';

/** How far one node of a crawl is. Null: unknown. */
export interface NodeStatus {
  readonly node: number;
  /** Machine and id of the process; null if none was heard of for 30 s. */
  readonly process: { readonly machine: string; readonly pid: number } | null;
  /** How long the slot in a live crawl is still held, seconds; null if nobody holds it. */
  readonly leaseSeconds: number | null;
  readonly epoch: number | null;
  readonly record: LastRecord;
  /** The superstep of this record. */
  readonly superstep: number | null;
  readonly pagesFetched: number | null;
  readonly pagesKnown: number | null;
  /** Nodes whose records it needs before it can go on. */
  readonly waitsFor: readonly number[];
}

/** A crawl or a simulation on several nodes, as its server has it. */
export interface CrawlStatus {
  readonly kind: 'crawl' | 'simulation';
  /** For a simulation a checksum of all that it depends on. */
  readonly id: string;
  /** The settings in which its nodes agree, by name; null once no node has been there for some time. */
  readonly settings: Identity | null;
  readonly nodes: readonly NodeStatus[];
}

/** The facts about a node that a server has. */
export interface NodeFacts {
  /** Place of the last record in its stream. */
  readonly last: EntryId;
  readonly card: string | null;
  /** The rest of the lease of its slot; negative if nobody holds it. */
  readonly leaseMs: number;
}

/**
 * The crawls and simulations on several nodes that a Redis server has.
 * @throws as openRedis; InputError if there is none.
 */
export async function clusterStatus(url: string): Promise<readonly CrawlStatus[]> {
  const redis = await openRedis(url);
  try {
    const crawls = await crawlsOf(redis);
    if (crawls.length > 0) return crawls;
  } catch (error) {
    // A key is of another kind, or this user may not read it.
    throw error instanceof ReplyError ? new WorldError(`${shownRedis(url)}: ${(error as Error).message}`) : error;
  } finally {
    redis.disconnect();
  }
  throw new InputError(`${shownRedis(url)}: has no crawl or simulation on several nodes; there is one while its nodes run`);
}

async function crawlsOf(redis: Redis): Promise<CrawlStatus[]> {
  const byId = await keysOf(redis);
  const [crawl, simulation] = await Promise.all((['crawl', 'simulation'] as const).map(
    async (what) => identityIn(await redis.get(placeKeyOf(what))),
  ));
  return Promise.all([...byId].sort(([a], [b]) => (a < b ? -1 : 1)).map(async ([id, { hasSlots, nodes }]) => {
    const isHeld = simulation !== undefined && digestOf(simulation) === id;
    const settings = (hasSlots ? crawl : isHeld ? simulation : undefined) ?? null;
    const count = Math.max(nodes, Number(settings?.['nodes'] ?? 0));
    const facts = await Promise.all(Array.from({ length: count }, (_, node) => factsOf(redis, id, node)));
    return { kind: hasSlots ? 'crawl' : 'simulation', id, settings, nodes: statusOf(facts, hasSlots) };
  }));
}

/** The identity of a run in a text that a server had; undefined if it is none. */
function identityIn(text: string | null): Identity | undefined {
  try {
    return z.record(z.string(), z.string()).safeParse(JSON.parse(text ?? '')).data;
  } catch {
    return undefined;
  }
}

/** Facts about a crawl in the names of its keys: whether it has slots, and the number of its nodes that have keys. */
interface KeyFacts {
  hasSlots: boolean;
  nodes: number;
}

async function keysOf(redis: Redis): Promise<Map<string, KeyFacts>> {
  const crawls = new Map<string, KeyFacts>();
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', 'orbweaver:{*', 'COUNT', 1000);
    for (const key of keys) {
      const { id = '', kind = '', node = '0' } = keyForm.exec(key)?.groups ?? {};
      if (kind === '') continue;
      const crawl = crawls.get(id) ?? { hasSlots: false, nodes: 0 };
      crawl.hasSlots ||= kind === 'slot' || kind === 'epoch';
      crawl.nodes = Math.max(crawl.nodes, Number(node) + 1);
      crawls.set(id, crawl);
    }
    cursor = next;
  } while (cursor !== '0');
  return crawls;
}

/** Keys of RedisStreams, RedisSlots and cards. */
const keyForm = /^orbweaver:\{(?<id>[^{}]+)\}:(?<kind>last|epoch|log|slot|node)(?::(?<node>[0-9]{1,4}))?$/;

async function factsOf(redis: Redis, id: string, node: number): Promise<NodeFacts> {
  const prefix = `orbweaver:{${id}}`;
  const [last, isThere, card, leaseMs] = await Promise.all([
    redis.hget(`${prefix}:last`, String(node)), redis.exists(`${prefix}:log:${node}`),
    redis.get(cardKeyOf(prefix, node)), redis.pttl(`${prefix}:slot:${node}`),
  ]);
  const [epoch, seq] = (isThere === 0 ? null : last)?.split('-').map(Number) ?? [];
  return { last: epoch > 0 && seq > 0 ? { epoch, seq } : streamStart, card, leaseMs };
}

/** How far the nodes are, and who waits for whom, by the places of their last records. */
export function statusOf(facts: readonly NodeFacts[], hasSlots: boolean): NodeStatus[] {
  return facts.map(({ last, card, leaseMs }, node) => {
    const shownCard = cardIn(card);
    return {
      node,
      process: shownCard === undefined ? null : { machine: shownCard.machine, pid: shownCard.pid },
      leaseSeconds: hasSlots && leaseMs > 0 ? leaseMs / 1000 : null,
      epoch: last.epoch === 0 ? null : last.epoch,
      ...recordAt(last),
      pagesFetched: shownCard?.fetched ?? null, pagesKnown: shownCard?.known ?? null,
      // A node that has written a record needs all others' of its number before it writes the next.
      waitsFor: facts.flatMap((other, i) => (isBefore(other.last, last) ? [i] : [])),
    };
  });
}

function recordAt({ epoch, seq }: EntryId): Pick<NodeStatus, 'record' | 'superstep'> {
  if (epoch === 0) return { record: 'none', superstep: null };
  if (seq < arrivalSeq(0)) return { record: 'ready', superstep: null };
  if (seq >= loopEndedSeq) return { record: 'result', superstep: null };
  const superstep = Math.floor((seq - arrivalSeq(0)) / 2);
  return { record: seq === arrivalSeq(superstep) ? 'arrival' : 'settled', superstep };
}
