import type { Outcome } from '../world/index.ts';

/** A World's answer that has not come yet. */
export type Wait = Promise<Outcome | undefined>;

/** Calls `step` with each answer as it arrives, until it waits for none. */
export async function afterWaits(first: Wait, step: (outcome: Outcome | undefined) => Wait | undefined): Promise<void> {
  for (let wait: Wait | undefined = first; wait !== undefined; ) wait = step(await wait);
}
