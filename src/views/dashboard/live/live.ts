import { Hub, type Tab } from './hub.ts';
import type { FromTab, ToTab } from './messages.ts';
import { browserWorld } from './open-source.ts';

type Heard = (message: ToTab) => void;

/**
 * Events of runs, for the parts of this tab: through the worker that all tabs share or, in a browser without such
 * workers, over a connection of the tab's own.
 */
export class Live {
  readonly #heard = new Set<Heard>();
  readonly #watches = new Map<symbol, readonly string[]>();
  readonly #say: (message: FromTab) => void;

  constructor() {
    this.#say = this.#connect();
    this.#watch();
    // The worker forgets tabs that were asleep.
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden) this.#watch();
    });
    addEventListener('pageshow', () => this.#watch());
    addEventListener('pagehide', () => this.#say({ is: 'bye' }));
  }

  /** Watches runs until the function that it returns is called. */
  watch(runs: readonly string[]): () => void {
    const key = Symbol('watch');
    this.#watches.set(key, runs);
    this.#watch();
    return () => {
      this.#watches.delete(key);
      this.#watch();
    };
  }

  /** Calls `heard` with each message until the function that it returns is called. */
  listen(heard: Heard): () => void {
    this.#heard.add(heard);
    return () => void this.#heard.delete(heard);
  }

  #watch(): void {
    this.#say({ is: 'watch', runs: [...new Set([...this.#watches.values()].flat())].sort() });
  }

  #connect(): (message: FromTab) => void {
    const hear = (message: ToTab): void => {
      if (message.is === 'ping') this.#say({ is: 'pong' });
      else for (const heard of this.#heard) heard(message);
    };
    if (typeof SharedWorker === 'undefined') {
      const hub = new Hub(browserWorld);
      const tab: Tab = { send: hear };
      return (message) => hub.hear(tab, message);
    }
    const { port } = new SharedWorker('/events-worker.js', { name: 'orbweaver' });
    port.onmessage = ({ data }: MessageEvent<ToTab>) => hear(data);
    return (message) => port.postMessage(message);
  }
}
