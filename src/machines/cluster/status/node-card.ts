import { hostname } from 'node:os';
import type { Redis } from 'ioredis';
import * as z from 'zod';

/** A node that is silent for so long counts as away: a busy one is late by a superstep's computing. */
const maxSilenceMs = 30_000;
const showEveryMs = 3000;

/** How far a node is, besides its records. */
export interface NodePages {
  readonly fetched: number;
  /** Undefined before its first superstep. */
  readonly known: number | undefined;
}

const cardSchema = z.object({
  machine: z.string(), pid: z.int().min(0), fetched: z.int().min(0).nullable(), known: z.int().min(0).nullable(),
});

/** The facts that a node shows about itself. Null: it does not know yet. */
export type NodeCard = z.output<typeof cardSchema>;

export const cardKeyOf = (prefix: string, node: number): string => `${prefix}:node:${node}`;

/** The card in a text that a server had; undefined if it is none. */
export function cardIn(text: string | null): NodeCard | undefined {
  if (text === null) return undefined;
  try {
    return cardSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/**
 * Shows for as long as the process lives who has a node, and how far it is: for people alone, no node depends on it.
 * @param prefix begins all keys of the crawl, as for RedisStreams.
 * @returns a function that takes the card away.
 */
export function showCard(
  redis: Redis, prefix: string, node: number, pages: () => NodePages | undefined,
): () => Promise<unknown> {
  const key = cardKeyOf(prefix, node);
  const show = (): void => {
    // Cards that nobody can read are not saved up.
    if (redis.status !== 'ready') return;
    const counts = pages();
    const card: NodeCard = {
      machine: hostname(), pid: process.pid, fetched: counts?.fetched ?? null, known: counts?.known ?? null,
    };
    redis.set(key, JSON.stringify(card), 'PX', maxSilenceMs).catch(() => undefined);
  };
  show();
  const timer = setInterval(show, showEveryMs).unref();
  return () => {
    clearInterval(timer);
    return redis.del(key);
  };
}
