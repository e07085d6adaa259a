import type { Redis } from 'ioredis';
import { InputError } from '../../base/index.ts';
import { goodbye } from '../goodbye.ts';
import { RedisStreams } from '../log/redis-streams.ts';
import { shownRedis } from '../redis-url.ts';
import { openRedis, type OpenRedisOptions } from '../redis.ts';
import { showCard } from '../status/node-card.ts';
import { differenceOf, type Identity } from './identity.ts';
import { SharedSimulation, type SharedSimulationOptions } from './shared-simulation.ts';

/** A run is forgotten when no node has worked on it, or waited, for so long: its records are of use to no other run. */
const expiresMs = 600_000;
/** How long the place of a run is held after its last node was killed, and how often nodes hold it anew. */
const heldMs = 30_000;
const holdEveryMs = 10_000;

/** One simulation at a time in a database of Redis: nodes that should agree, and do not, thus find each other. */
export const placeKey = 'orbweaver:simulation';

const holdScript = `
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return false`;

const releaseScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return false`;

export interface JoinSimulationOptions
  extends Omit<SharedSimulationOptions, 'connect'>, Pick<OpenRedisOptions, 'timeoutMs' | 'onConnection'> {}

export interface JoinedSimulation {
  readonly shared: SharedSimulation;
  /** Closes the connections. */
  close(): Promise<void>;
}

/**
 * A simulation whose nodes meet at a Redis server.
 * @throws as openRedis and SharedSimulation; later, InputError where another simulation runs there.
 */
export async function joinSimulation(url: string, options: JoinSimulationOptions): Promise<JoinedSimulation> {
  let isClosing = false;
  let removeCard = async (): Promise<unknown> => Promise.resolve();
  const place = new Place(url);
  const shared = new SharedSimulation({
    ...options,
    connect: async (digest, identity) => {
      await place.hold(redis, identity);
      const prefix = `orbweaver:{${digest}}`;
      removeCard = showCard(redis, prefix, options.node, () => shared.pages);
      return new RedisStreams(redis, { prefix, nodes: options.nodes, expiresMs });
    },
  });
  const redis = await openRedis(url, {
    ...options, onConnection: (lost) => { if (!isClosing) options.onConnection?.(lost); },
  });
  return {
    shared,
    close: async () => {
      isClosing = true;
      await goodbye(place.release(), removeCard());
      shared.close();
      redis.disconnect();
    },
  };
}

/** The place of the one simulation in a database, held for all its nodes. */
class Place {
  readonly #url: string;
  #release: () => Promise<unknown> = async () => Promise.resolve();

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws InputError if another simulation has it. */
  async hold(redis: Redis, identity: Identity): Promise<void> {
    const text = JSON.stringify(identity);
    const hold = async () => (await redis.eval(holdScript, 1, placeKey, text, heldMs)) as string | null;
    const other = await hold();
    if (other !== null) throw new InputError(refusal(this.#url, JSON.parse(other) as Identity, identity));
    const timer = setInterval(() => { hold().catch(() => undefined); }, holdEveryMs).unref();
    this.#release = async () => {
      clearInterval(timer);
      return redis.eval(releaseScript, 1, placeKey, text);
    };
  }

  async release(): Promise<void> {
    await this.#release();
  }
}

function refusal(url: string, theirs: Identity, ours: Identity): string {
  return (
    `${shownRedis(url)}: a simulation with other settings runs there: ${differenceOf(theirs, ours)}. ` +
    'All nodes of a simulation need the same settings; a second simulation needs another database, such as redis://host/1'
  );
}
