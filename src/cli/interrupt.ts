import { setMaxListeners } from 'node:events';
import { exitCodes } from './exit.ts';
import { abandonOpenFolders } from './out-folder.ts';

/**
 * A signal that the first SIGINT or SIGTERM aborts, so that the run ends early and is saved; the second ends the process at
 * once. Only commands that can end early ask for one: the others keep the system's own way, which ends them at once.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // Every trial under way listens: many listeners are no leak here.
  setMaxListeners(0, controller.signal);
  const interrupt = (): void => {
    if (!controller.signal.aborted) {
      controller.abort();
      return;
    }
    void abandonOpenFolders().finally(() => process.exit(exitCodes.interrupted));
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, interrupt);
  return controller.signal;
}
