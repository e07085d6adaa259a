import type { RunEvent } from '../../service/dashboard/api.ts';
import type { FromTab, ToTab } from './messages.ts';

/** What the hub hears of a connection. */
export interface Listener {
  opened(): void;
  /** `isOver`: it will not try again by itself. */
  failed(isOver: boolean): void;
  message(data: string): void;
  runs(): void;
}

/** A connection for events, which opens itself anew after most failures. */
export interface Source {
  close(): void;
}

/** What the hub takes from its surroundings. */
export interface HubWorld {
  open(url: string, listener: Listener): Source;
  later(call: () => void, ms: number): void;
}

/** A tab, by which the hub answers. */
export interface Tab {
  send(message: ToTab): void;
}

interface Watcher {
  runs: readonly string[];
  /** Pings since its last sign of life. */
  unanswered: number;
}

const pingMs = 10_000;
const settleMs = 30;
const retryMs = 2000;
const maxWatched = 64;
/** Pings without an answer after which a tab is gone: one may come while a tab is busy. */
const maxUnanswered = 3;

/**
 * One connection to the server for all tabs: an EventSource of the runs that any of them watches. It is opened anew
 * when these change, and when a tab begins to watch a run that another watches already: a run's first events are all
 * that there is of it so far, and come only on opening.
 */
export class Hub {
  readonly #world: HubWorld;
  readonly #tabs = new Map<Tab, Watcher>();
  #source: Source | undefined;
  #isConnected: boolean | undefined;
  #isOpening = false;

  constructor(world: HubWorld) {
    this.#world = world;
    this.#ping();
  }

  /** Takes a message of a tab; the first one makes it known. */
  hear(tab: Tab, message: FromTab): void {
    const watcher = this.#tabs.get(tab) ?? { runs: [], unanswered: 0 };
    watcher.unanswered = 0;
    if (message.is === 'bye') this.#drop(tab);
    if (message.is !== 'watch') return;
    const isKnown = this.#tabs.has(tab);
    this.#tabs.set(tab, watcher);
    const isNew = message.runs.some((run) => !watcher.runs.includes(run));
    const isLess = watcher.runs.some((run) => !message.runs.includes(run));
    watcher.runs = message.runs;
    if (!isKnown && this.#isConnected !== undefined) tab.send({ is: 'connected', yes: this.#isConnected });
    if (isNew || isLess || this.#source === undefined) this.#reopen();
  }

  /** Runs that any tab watches, in a fixed order; as many as the server takes. */
  get watched(): readonly string[] {
    return [...new Set([...this.#tabs.values()].flatMap(({ runs }) => runs))].sort().slice(0, maxWatched);
  }

  /** Soon: several changes at once open one connection. */
  #reopen(afterMs = settleMs): void {
    if (this.#isOpening) return;
    this.#isOpening = true;
    this.#world.later(() => {
      this.#isOpening = false;
      this.#open();
    }, afterMs);
  }

  #open(): void {
    this.#source?.close();
    this.#source = undefined;
    if (this.#tabs.size === 0) return;
    const query = this.watched.map((run) => `run=${encodeURIComponent(run)}`).join('&');
    this.#source = this.#world.open(query === '' ? '/api/events' : `/api/events?${query}`, {
      opened: () => this.#connected(true),
      failed: (isOver) => {
        this.#connected(false);
        if (isOver) this.#reopen(retryMs);
      },
      message: (data) => this.#forward(JSON.parse(data) as RunEvent),
      runs: () => this.#all({ is: 'runs' }),
    });
  }

  #forward(event: RunEvent): void {
    for (const [tab, { runs }] of this.#tabs) if (runs.includes(event.id)) tab.send({ is: 'event', event });
  }

  #connected(yes: boolean): void {
    if (yes === this.#isConnected) return;
    this.#isConnected = yes;
    this.#all({ is: 'connected', yes });
  }

  #all(message: ToTab): void {
    for (const tab of this.#tabs.keys()) tab.send(message);
  }

  #drop(tab: Tab): void {
    const gone = this.#tabs.get(tab);
    this.#tabs.delete(tab);
    if (gone !== undefined && (gone.runs.length > 0 || this.#tabs.size === 0)) this.#reopen();
  }

  #ping(): void {
    this.#world.later(() => {
      for (const [tab, watcher] of this.#tabs) {
        if (++watcher.unanswered > maxUnanswered) this.#drop(tab);
        else tab.send({ is: 'ping' });
      }
      this.#ping();
    }, pingMs);
  }
}
