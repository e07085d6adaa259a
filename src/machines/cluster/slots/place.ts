import type { Redis } from 'ioredis';
import { InputError } from '../../../base/index.ts';
import { answerOf } from '../redis.ts';
import { shownRedis } from '../redis-url.ts';
import { differenceOf, type Identity } from '../simulation/identity.ts';

/** How long the place of a run is held after its last node was killed, and how often nodes hold it anew. */
const heldMs = 30_000;
const holdEveryMs = 10_000;

/** Keys: the place, its holders by the time until which each has it. Arguments: identity, how long, the node. */
const holdScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('ZADD', KEYS[2], redis.call('TIME')[1] * 1000 + ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return false`;

const releaseScript = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return false end
redis.call('ZREM', KEYS[2], ARGV[2])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', redis.call('TIME')[1] * 1000)
if redis.call('ZCARD', KEYS[2]) == 0 then redis.call('DEL', KEYS[1], KEYS[2]) end
return false`;

export type SharedKind = 'simulation' | 'crawl';

/** The key that says which run has the place. */
export const placeKeyOf = (kind: SharedKind): string => `orbweaver:${kind}`;

/**
 * The place of the one simulation, or the one live crawl, in a database of Redis, held for all its nodes: those that
 * should agree, and do not, thus find each other.
 */
export class Place {
  readonly #url: string;
  readonly #what: SharedKind;
  readonly #node: number;
  #release: () => Promise<unknown> = async () => Promise.resolve();

  /** @param node - which holds it, not its process: a node that was killed gives it free once it has been back. */
  constructor(url: string, what: SharedKind, node: number) {
    this.#url = url;
    this.#what = what;
    this.#node = node;
  }

  /** @throws InputError if another run has it; WorldError if Redis refuses, as where its memory is full. */
  async hold(redis: Redis, identity: Identity): Promise<void> {
    const key = placeKeyOf(this.#what);
    const holders = `${key}:holders`;
    const text = JSON.stringify(identity);
    const hold = async () => (
      await answerOf(redis, () => redis.eval(holdScript, 2, key, holders, text, heldMs, this.#node)) as string | null
    );
    const other = await hold();
    if (other !== null) throw new InputError(this.#refusal(JSON.parse(other) as Identity, identity));
    const timer = setInterval(() => { hold().catch(() => undefined); }, holdEveryMs).unref();
    this.#release = async () => {
      clearInterval(timer);
      return redis.eval(releaseScript, 2, key, holders, text, this.#node);
    };
  }

  /** Gives it free, unless other nodes hold it. */
  async release(): Promise<void> {
    await this.#release();
  }

  #refusal(theirs: Identity, ours: Identity): string {
    return (
      `${shownRedis(this.#url)}: a ${this.#what} with other settings runs there: ${differenceOf(theirs, ours)}. All nodes ` +
      `of a ${this.#what} need the same settings; a second ${this.#what} needs another database, such as redis://host/1`
    );
  }
}
