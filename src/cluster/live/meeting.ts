import { goodbye } from '../goodbye.ts';
import { RedisStreams } from '../log/redis-streams.ts';
import type { Streams } from '../log/streams.ts';
import { Place } from '../slots/place.ts';
import { openRedis, type OpenRedisOptions } from '../redis.ts';
import type { Identity } from '../simulation/identity.ts';
import { RedisSlots } from '../slots/redis-slots.ts';
import type { Slots } from '../slots/slots.ts';

/** What the streams of a crawl are named by: one crawl meets in a database of Redis at a time. */
const prefix = 'orbweaver:{crawl}';
/** Streams are forgotten when no node has written or waited for so long: nothing in them is needed then. */
const expiresMs = 600_000;

/** Where the nodes of a live crawl meet. */
export interface Meeting {
  /** A connection for one epoch, closed with its log. */
  connect(): Streams;
  readonly slots: Slots;
  /** Sees to it that all who meet there agree. @throws InputError with what they do not agree in. */
  hold(identity: Identity): Promise<void>;
  close(): Promise<void>;
}

export interface MeetAtRedisOptions extends OpenRedisOptions {
  readonly nodes: number;
  readonly leaseMs: number;
}

/** The nodes of a live crawl meet at a Redis server. @throws as openRedis. */
export async function meetAtRedis(
  url: string, { nodes, leaseMs, onConnection, ...options }: MeetAtRedisOptions,
): Promise<Meeting> {
  let isClosing = false;
  const place = new Place(url, 'crawl');
  const redis = await openRedis(url, {
    ...options, onConnection: (lost) => { if (!isClosing) onConnection?.(lost); },
  });
  return {
    slots: new RedisSlots(redis, prefix, leaseMs),
    connect: () => {
      const writer = redis.duplicate();
      // Reported by the first connection.
      writer.on('error', () => undefined);
      return new RedisStreams(writer, { prefix, nodes, expiresMs });
    },
    hold: async (identity) => place.hold(redis, identity),
    close: async () => {
      isClosing = true;
      await goodbye(place.release());
      redis.disconnect();
    },
  };
}
