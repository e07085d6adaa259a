import type { Redis } from 'ioredis';
import { prefix, queueName } from './job.ts';

/** The workers that are connected to a server. */
export interface Crew {
  /** Those of this version, and their threads. */
  readonly workers: number;
  readonly threads: number;
  /** How many there are of each other version. */
  readonly others: ReadonlyMap<string, number>;
}

/** Who is connected, as the server lists it; undefined if this user may not ask. */
export async function crewOf(redis: Redis, version: string): Promise<Crew | undefined> {
  const list = await redis.client('LIST').catch(() => undefined);
  return typeof list === 'string' ? crewIn(list, version) : undefined;
}

/** BullMQ names a worker's connection `<prefix>:<queue in base 64>:w:<name>`. */
export function crewIn(list: string, version: string): Crew {
  let [workers, threads] = [0, 0];
  const others = new Map<string, number>();
  const form = new RegExp(` name=${prefix}:([A-Za-z0-9+/=]+):w:([0-9]{1,4})/`, 'g');
  for (const [, queue, ownThreads] of list.matchAll(form)) {
    const name = Buffer.from(queue, 'base64').toString();
    if (name === queueName(version)) {
      workers++;
      threads += Number(ownThreads);
    } else if (name.startsWith(queueName(''))) {
      const other = name.slice(queueName('').length);
      others.set(other, (others.get(other) ?? 0) + 1);
    }
  }
  return { workers, threads, others };
}
