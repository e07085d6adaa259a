import type { Redis } from 'ioredis';
import { answerOf } from '../redis.ts';
import type { Claimant, Claimed, Slots } from './slots.ts';

/** Keys: slot, epoch. Arguments: token, lease in ms, the highest epoch that the node has stored. */
const takeScript = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return {0, redis.call('PTTL', KEYS[1])} end
local epoch = math.max(tonumber(redis.call('GET', KEYS[2]) or '0'), tonumber(ARGV[3])) + 1
redis.call('SET', KEYS[2], string.format('%.0f', epoch))
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {epoch, 0}`;

/**
 * Keys: slot, epoch. Arguments: token, lease in ms, epoch. Without a holder, another process may have come and gone;
 * it would have begun a later epoch.
 */
const renewScript = `
local holder = redis.call('GET', KEYS[1])
local epoch = tonumber(redis.call('GET', KEYS[2]) or '0')
if holder and holder ~= ARGV[1] then return 0 end
if not holder and epoch > tonumber(ARGV[3]) then return 0 end
if epoch < tonumber(ARGV[3]) then redis.call('SET', KEYS[2], ARGV[3]) end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0`;

/** Slots of a Redis server: a key for each, which expires, and one for the epoch, which does not. */
export class RedisSlots implements Slots {
  readonly leaseMs: number;
  readonly #redis: Redis;
  readonly #prefix: string;

  /** @param prefix what all keys begin with, as for RedisStreams. */
  constructor(redis: Redis, prefix: string, leaseMs: number) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.leaseMs = leaseMs;
  }

  async take({ slot, token, seenEpoch }: Claimant): Promise<Claimed> {
    const [epoch, heldForMs] = await this.#run(takeScript, slot, token, this.leaseMs, seenEpoch) as [number, number];
    return epoch === 0 ? { heldForMs } : { epoch };
  }

  async renew({ slot, token }: Claimant, epoch: number): Promise<boolean> {
    return await this.#run(renewScript, slot, token, this.leaseMs, epoch) === 1;
  }

  async release({ slot, token }: Claimant): Promise<void> {
    await this.#run(releaseScript, slot, token);
  }

  async #run(script: string, slot: number, ...values: readonly (string | number)[]): Promise<unknown> {
    const [slotKey, epochKey] = [`${this.#prefix}:slot:${slot}`, `${this.#prefix}:epoch`];
    return answerOf(this.#redis, () => this.#redis.eval(script, 2, slotKey, epochKey, ...values));
  }
}
