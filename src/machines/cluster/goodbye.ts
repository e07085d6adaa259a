import { setTimeout } from 'node:timers/promises';

/** How long one who leaves waits for a server that is away. */
const maxGoodbyeMs = 2000;

/** Waits for what one who leaves still asks of the server, whether it succeeds or not, but not for long. */
export async function goodbye(...asked: readonly Promise<unknown>[]): Promise<void> {
  const isOver = new AbortController();
  await Promise.race([
    Promise.allSettled(asked), setTimeout(maxGoodbyeMs, undefined, { signal: isOver.signal }).catch(() => undefined),
  ]);
  isOver.abort();
}
