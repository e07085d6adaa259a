import { setMaxListeners } from 'node:events';
import { exitCodes } from './exit.ts';
import { abandonOpenFolders } from './out-folder.ts';

/**
 * A signal that the first SIGINT aborts, so that the run ends at its next barrier and is saved; the second ends the process at
 * once. Only commands that can end early ask for one: the others keep the system's own way, which ends them at once.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // Every trial under way listens: many listeners are no leak here.
  setMaxListeners(0, controller.signal);
  process.on('SIGINT', () => {
    if (!controller.signal.aborted) {
      controller.abort();
      return;
    }
    void abandonOpenFolders().finally(() => process.exit(exitCodes.interrupted));
  });
  return controller.signal;
}
