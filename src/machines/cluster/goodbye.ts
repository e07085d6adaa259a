import { setTimeout } from 'node:timers/promises';

/** How long a process that leaves waits for a server that is away. */
const maxGoodbyeMs = 2000;

/** Waits for the last requests of a process that leaves, whether they succeed or not, but not for long. */
export async function goodbye(...requests: readonly Promise<unknown>[]): Promise<void> {
  const isOver = new AbortController();
  await Promise.race([
    Promise.allSettled(requests), setTimeout(maxGoodbyeMs, undefined, { signal: isOver.signal }).catch(() => undefined),
  ]);
  isOver.abort();
}
