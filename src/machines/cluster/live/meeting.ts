import { goodbye } from '../goodbye.ts';
import { RedisStreams } from '../log/redis-streams.ts';
import type { LogOptions } from '../log/log.ts';
import type { Streams } from '../log/streams.ts';
import { Place } from '../slots/place.ts';
import { openRedis, type OpenRedisOptions } from '../redis.ts';
import type { Identity } from '../simulation/identity.ts';
import { RedisSlots } from '../slots/redis-slots.ts';
import { checkNodeNumber, type Slots } from '../slots/slots.ts';
import { showCard, type NodePages } from '../status/node-card.ts';

/** Begins the names of the streams: one crawl meets in a database of Redis at a time. */
const prefix = 'orbweaver:{crawl}';
/** Streams are forgotten when no node has written or waited for so long: nothing in them is needed then. */
const expiresMs = 600_000;

/** The place where the nodes of a live crawl meet. */
export interface Meeting {
  /** A connection for one epoch, closed with its log. */
  connect(): Streams;
  readonly slots: Slots;
  /** Sees to it that all who meet there agree. @throws InputError with what they do not agree in. */
  hold(identity: Identity): Promise<void>;
  /** Shows whoever asks for the status of the crawl that this process has the node, and how far it is. */
  readonly show?: (pages: () => NodePages | undefined) => void;
  close(): Promise<void>;
}

export interface MeetAtRedisOptions extends OpenRedisOptions, Pick<LogOptions, 'node' | 'nodes'> {
  readonly leaseMs: number;
}

/** The nodes of a live crawl meet at a Redis server. @throws InputError for a node that there is not; as openRedis. */
export async function meetAtRedis(
  url: string, { node, nodes, leaseMs, onConnection, ...options }: MeetAtRedisOptions,
): Promise<Meeting> {
  checkNodeNumber({ node, nodes });
  let isClosing = false;
  const place = new Place(url, 'crawl', node);
  const redis = await openRedis(url, {
    ...options, onConnection: (loss) => { if (!isClosing) onConnection?.(loss); },
  });
  let removeCard = async (): Promise<unknown> => Promise.resolve();
  return {
    slots: new RedisSlots(redis, prefix, leaseMs),
    show: (pages) => { removeCard = showCard(redis, prefix, node, pages); },
    connect: () => {
      const writer = redis.duplicate();
      // Reported by the first connection.
      writer.on('error', () => undefined);
      return new RedisStreams(writer, { prefix, nodes, expiresMs });
    },
    hold: async (identity) => place.hold(redis, identity),
    close: async () => {
      isClosing = true;
      await goodbye(place.release(), removeCard());
      redis.disconnect();
    },
  };
}
