import { goodbye } from '../goodbye.ts';
import { RedisStreams } from '../log/redis-streams.ts';
import { Place } from '../slots/place.ts';
import { openRedis, type OpenRedisOptions } from '../redis.ts';
import { showCard } from '../status/node-card.ts';
import { SharedSimulation, type SharedSimulationOptions } from './shared-simulation.ts';

/** A run is forgotten when no node has worked on it, or waited, for so long: its records are of use to no other run. */
const expiresMs = 600_000;

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
  const place = new Place(url, 'simulation', options.node);
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
    ...options, onConnection: (loss) => { if (!isClosing) options.onConnection?.(loss); },
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
