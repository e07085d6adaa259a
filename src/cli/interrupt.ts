import { setMaxListeners } from 'node:events';
import { exitCodes } from './exit.ts';

const signals = ['SIGINT', 'SIGTERM'] as const;
let listener: (() => void) | undefined;

/** Work to abandon where the process ends at once. */
export const unfinished = new Set<{ abandon(): Promise<unknown> }>();

/**
 * A signal that the first SIGINT or SIGTERM aborts, so that the run ends early and is saved; the second ends the
 * process at once. Only commands that can end early ask for one; the others keep the default action, which ends them
 * at once.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // Every open trial listens: many listeners are not a leak here.
  setMaxListeners(0, controller.signal);
  const interrupt = (): void => {
    if (!controller.signal.aborted) {
      controller.abort();
      return;
    }
    void Promise.all([...unfinished].map((work) => work.abandon()))
      .finally(() => process.exit(exitCodes.interrupted));
  };
  stopListening();
  listener = interrupt;
  for (const name of signals) process.on(name, interrupt);
  return controller.signal;
}

/**
 * After a command: signals have their default action again.
 */
export function stopListening(): void {
  if (listener !== undefined) for (const name of signals) process.off(name, listener);
  listener = undefined;
}
