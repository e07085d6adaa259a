import { isBefore, streamStart, type Entry, type EntryId, type Streams } from './streams.ts';

/**
 * Streams in this process, for tests and for crawls in virtual time: an engine whose losses can be chosen. Every node
 * has a connection.
 */
export class MemoryEngine {
  readonly #streams = new Map<number, Entry[]>();
  /** Called by whatever may end the waiting of a reader. */
  readonly #waiting = new Set<() => void>();

  connect(): Streams {
    let isClosed = false;
    return {
      append: async (entry, after) => {
        await Promise.resolve();
        const last = this.#last(entry.stream);
        if (last.epoch !== after.epoch || last.seq !== after.seq) return last;
        this.#of(entry.stream).push(entry);
        this.#wake();
        return undefined;
      },
      last: async (stream) => Promise.resolve(this.#last(stream)),
      entryAt: async (stream, { epoch, seq }) => Promise.resolve(
        this.#of(stream).find(({ id }) => id.epoch === epoch && id.seq === seq)?.bytes,
      ),
      read: async (after) => {
        for (let hasWaited = false; ; hasWaited = true) {
          const entries = isClosed ? [] : this.#behind(after);
          if (entries.length > 0 || hasWaited || isClosed) return entries;
          await new Promise<void>((resolve) => { this.#waiting.add(resolve); });
        }
      },
      trim: async (stream, end) => {
        this.#streams.set(stream, this.#of(stream).filter(({ id }) => !isBefore(id, end)));
        return Promise.resolve();
      },
      close: () => {
        isClosed = true;
        this.#wake();
      },
    };
  }

  /** Loses the last entries of a stream, or of all. */
  lose(entries = Infinity, streams: Iterable<number> = [...this.#streams.keys()]): void {
    for (const stream of streams) {
      const all = this.#of(stream);
      all.splice(Math.max(0, all.length - entries));
    }
  }

  /** Time passes: readers that have waited return. */
  passTime(): void {
    this.#wake();
  }

  #of(stream: number): Entry[] {
    let entries = this.#streams.get(stream);
    if (entries === undefined) this.#streams.set(stream, (entries = []));
    return entries;
  }

  #last(stream: number): EntryId {
    return this.#of(stream).at(-1)?.id ?? streamStart;
  }

  #behind(after: ReadonlyMap<number, EntryId>): Entry[] {
    return [...after].flatMap(([stream, id]) => this.#of(stream).filter((entry) => isBefore(id, entry.id)));
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}
