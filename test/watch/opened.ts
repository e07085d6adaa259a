import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as path } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { RunControl } from '../../src/core/engine/index.ts';
import {
  Door, join, newCard, RunWatch, type CurveColumns, type FeedLine, type JoinedRun, type OpenRun, type RunCard,
  type RunMessage, type RunState,
} from '../../src/views/watch/index.ts';
import { socketOf } from '../../src/views/watch/runs-folder.ts';

/** A folder that only this user may enter. */
export function privateFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(path(tmpdir(), 'ow-'));
  chmodSync(folder, 0o700);
  return { folder, remove: () => { rmSync(folder, { recursive: true, force: true }); } };
}

export const aCard = (about: Partial<RunCard> = {}): RunCard => newCard({
  kind: 'simulation', name: 'docs-web', command: 'orbweaver simulate docs-web', startedAt: '2026-11-24T02:00:00.000Z',
  folder: null, ...about,
});

export interface Opened {
  readonly run: OpenRun;
  readonly watch: RunWatch;
  readonly control: RunControl;
  readonly door: Door;
  /** Ends the run as a command does, and closes the door. */
  finish(error?: string): Promise<void>;
}

/** The door of a run, which sends states every 5 ms. */
export async function opened(folder: string, tickMs = 5, now = () => performance.now()): Promise<Opened> {
  const control = new RunControl();
  const watch = new RunWatch({ card: aCard(), control, now, sleep: wait });
  const door = await Door.open(watch, { wait: (ms) => wait(ms, undefined, { ref: false }), folder });
  const timer = setInterval(() => { door.tick(); }, tickMs);
  return {
    run: { card: watch.card, socket: socketOf(folder, watch.card.id) }, watch, control, door,
    async finish(error) {
      clearInterval(timer);
      watch.finish(error);
      await door.close();
    },
  };
}

/** A watcher that remembers what it was sent. */
export class Watcher {
  readonly messages: RunMessage[] = [];
  readonly feed: FeedLine[] = [];
  curves: CurveColumns | undefined;
  isClosed = false;
  joined!: JoinedRun;
  #woken: (() => void)[] = [];

  static async join(run: OpenRun): Promise<Watcher> {
    const watcher = new Watcher();
    watcher.joined = await join(run, {
      message: (message) => { watcher.#take(message); },
      closed: () => {
        watcher.isClosed = true;
        watcher.#wake();
      },
    });
    return watcher;
  }

  get state(): RunState | undefined {
    return this.messages.findLast((message) => message.is === 'state')?.state;
  }

  /** Waits until it is so; fails if the connection closes before. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.isClosed) throw new Error('closed before it was so');
      await new Promise<void>((resolve) => this.#woken.push(resolve));
    }
  }

  #take(message: RunMessage): void {
    this.messages.push(message);
    if (message.is === 'curves') this.curves = message.curves;
    if (message.is === 'points') {
      const { curves } = this;
      if (curves === undefined) throw new Error('points before curves');
      this.curves = Object.fromEntries(
        Object.entries(message.curves).map(([name, column]) => [
          name, [...curves[name as keyof CurveColumns], ...(column as readonly number[])],
        ]),
      ) as unknown as CurveColumns;
    }
    if (message.is === 'feed') this.feed.push(...message.lines);
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#woken.splice(0)) wake();
  }
}
