import type { RunView } from '../../service/dashboard/api.ts';
import type { Live } from '../live/live.ts';
import { afterMessage, noRun, withView, type RunData } from './run-data.ts';

/** No more often than a run sends states. */
const minPauseMs = 250;

/** A run as this tab knows it; calls its followers at most four times a second and never while the tab is hidden. */
export class RunStore {
  readonly id: string;
  data: RunData = noRun;
  readonly #followers = new Set<() => void>();
  #isDue = false;
  #lastMs = -Infinity;

  constructor(id: string) {
    this.id = id;
  }

  /** Follows the run's events until the function that it returns is called. */
  join(live: Live): () => void {
    const stopListening = live.listen((message) => {
      if (message.is === 'event' && message.event.id === this.id) {
        this.#set(afterMessage(this.data, message.event.message));
      }
    });
    const stopWatching = live.watch([this.id]);
    const show = (): void => {
      if (!document.hidden) this.#tell();
    };
    document.addEventListener('visibilitychange', show);
    return () => {
      stopListening();
      stopWatching();
      document.removeEventListener('visibilitychange', show);
    };
  }

  view(view: RunView): void {
    this.#set(withView(this.data, view));
  }

  follow(changed: () => void): () => void {
    this.#followers.add(changed);
    return () => void this.#followers.delete(changed);
  }

  #set(data: RunData): void {
    this.data = data;
    if (this.#isDue || document.hidden) return;
    this.#isDue = true;
    const waitMs = Math.max(0, this.#lastMs + minPauseMs - performance.now());
    setTimeout(() => {
      this.#isDue = false;
      if (!document.hidden) this.#tell();
    }, waitMs);
  }

  #tell(): void {
    this.#lastMs = performance.now();
    for (const changed of this.#followers) changed();
  }
}
