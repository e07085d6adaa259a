/** The place of an entry in its stream. Places only rise; the epoch counts first. */
export interface EntryId {
  readonly epoch: number;
  readonly seq: number;
}

export interface Entry {
  readonly stream: number;
  readonly id: EntryId;
  readonly bytes: Uint8Array;
}

/** Before all entries. */
export const streamStart: EntryId = { epoch: 0, seq: 0 };

export function isBefore(a: EntryId, b: EntryId): boolean {
  return a.epoch < b.epoch || (a.epoch === b.epoch && a.seq < b.seq);
}

/**
 * What a log needs of an engine: a stream of entries for each node, which all nodes read. The engine may lose the last
 * entries of a stream, or all of them, at any time; `Log` repairs that.
 *
 * Errors   WorldError where the engine refuses to work. A lost connection is no error: calls wait for the next one.
 */
export interface Streams {
  /**
   * Appends the entry if `after` is the place of the last one in its stream, and returns undefined. Otherwise nothing
   * is appended, and the place of the last one is returned. Nothing comes between the check and the entry.
   */
  append(entry: Entry, after: EntryId): Promise<EntryId | undefined>;
  /** The place of the last entry; `streamStart` if there is none. */
  last(stream: number): Promise<EntryId>;
  /** An entry; undefined if there is none at this place. */
  entryAt(stream: number, id: EntryId): Promise<Uint8Array | undefined>;
  /**
   * Some entries behind these places, at least one, each stream in order. Waits for it; returns none after a while
   * without entries, which is when the caller looks whether its own stream is complete.
   */
  read(after: ReadonlyMap<number, EntryId>): Promise<readonly Entry[]>;
  trim(stream: number, end: EntryId): Promise<void>;
  /** A `read` that waits returns. */
  close(): void;
}
