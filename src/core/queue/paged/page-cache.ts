import { assert } from '../../../base/index.ts';

/** Room for one page in memory. Frames form a ring in order of last use. */
export interface Frame {
  page: number;
  readonly keys: Float64Array;
  /** The same memory as `keys`. */
  readonly bytes: Uint8Array;
  /** Whether it differs from the file. */
  dirty: boolean;
  /** Users that prevent its eviction. */
  pins: number;
  older: Frame;
  newer: Frame;
}

/**
 * At most floor(cacheBytes / pageBytes) pages in memory. The page evicted is the least recently used one that is not
 * pinned; a dirty one is written back first, and if that fails it stays, still dirty, and nothing has changed.
 *
 * Frames are created as needed, so that a small queue uses little memory. Every step is O(1), except for skipping
 * pinned frames.
 */
export class PageCache {
  readonly #pageBytes: number;
  readonly #limit: number;
  readonly #writeBack: (frame: Frame) => void;
  readonly #frames = new Map<number, Frame>();
  readonly #vacant: Frame[] = [];
  #made = 0;
  /** The ring's fixed point: `ring.older` is the newest frame, `ring.newer` the oldest. It has no page. */
  readonly #ring: Frame;

  constructor(pageBytes: number, cacheBytes: number, writeBack: (frame: Frame) => void) {
    this.#pageBytes = pageBytes;
    this.#limit = Math.floor(cacheBytes / pageBytes);
    this.#writeBack = writeBack;
    this.#ring = makeFrame(0);
  }

  /** Bytes of all frames, including vacant ones. */
  get bytes(): number {
    return this.#made * this.#pageBytes;
  }

  /** The frame of a page in memory, which becomes the newest; undefined if it must be read. */
  find(page: number): Frame | undefined {
    const frame = this.#frames.get(page);
    if (frame === undefined || frame === this.#ring.older) return frame;
    unlink(frame);
    this.#linkNewest(frame);
    return frame;
  }

  /** A frame for a page not in memory, filled by `load`. If that fails the page is not in memory. */
  add(page: number, load: ((frame: Frame) => void) | undefined): Frame {
    const frame = this.#vacant.pop() ?? (this.#made < this.#limit ? this.#make() : this.#evict());
    try {
      load?.(frame);
    } catch (error) {
      this.#vacant.push(frame);
      throw error;
    }
    frame.page = page;
    frame.dirty = false;
    frame.pins = 0;
    this.#frames.set(page, frame);
    this.#linkNewest(frame);
    return frame;
  }

  unpin(page: number): void {
    const frame = this.#frames.get(page);
    assert(frame !== undefined && frame.pins > 0, () => `page cache: page ${page} is not pinned`);
    frame.pins--;
  }

  unpinAll(): void {
    for (const frame of this.#frames.values()) frame.pins = 0;
  }

  /** Drops a page whose content is no longer needed. */
  drop(page: number): void {
    const frame = this.#frames.get(page);
    if (frame === undefined) return;
    assert(frame.pins === 0, () => `page cache: page ${page} is pinned and freed`);
    this.#remove(frame);
    this.#vacant.push(frame);
  }

  dropClean(page: number): void {
    if (this.#frames.get(page)?.dirty === false) this.drop(page);
  }

  /** Writes every dirty page, in the order of the file. */
  flush(): void {
    for (const page of [...this.#frames.keys()].sort((a, b) => a - b)) {
      const frame = this.#frames.get(page)!;
      if (!frame.dirty) continue;
      this.#writeBack(frame);
      frame.dirty = false;
    }
  }

  checkInvariants(): void {
    let linked = 0;
    for (let frame = this.#ring.newer; frame !== this.#ring; frame = frame.newer) {
      const isCurrent = this.#frames.get(frame.page) === frame && frame.newer.older === frame;
      assert(isCurrent, () => `page cache: the frame of page ${frame.page} is lost`);
      assert(frame.pins === 0, () => `page cache: page ${frame.page} is pinned between operations`);
      linked++;
    }
    assert(linked === this.#frames.size && linked + this.#vacant.length === this.#made, 'page cache: frames are lost');
    assert(this.#made <= this.#limit, () => `page cache: ${this.#made} frames, allowed are ${this.#limit}`);
  }

  #make(): Frame {
    this.#made++;
    assert(this.#made <= this.#limit, () => `page cache: ${this.#made} frames, allowed are ${this.#limit}`);
    return makeFrame(this.#pageBytes);
  }

  #evict(): Frame {
    let frame = this.#ring.newer;
    while (frame.pins > 0) frame = frame.newer;
    assert(frame !== this.#ring, () => `page cache: all of ${this.#made} pages are pinned`);
    if (frame.dirty) this.#writeBack(frame);
    this.#remove(frame);
    return frame;
  }

  #remove(frame: Frame): void {
    this.#frames.delete(frame.page);
    unlink(frame);
  }

  #linkNewest(frame: Frame): void {
    frame.older = this.#ring.older;
    frame.newer = this.#ring;
    frame.older.newer = frame;
    this.#ring.older = frame;
  }
}

function makeFrame(pageBytes: number): Frame {
  const keys = new Float64Array(pageBytes / 8);
  const frame = { page: -1, keys, bytes: new Uint8Array(keys.buffer), dirty: false, pins: 0 } as Frame;
  frame.older = frame;
  frame.newer = frame;
  return frame;
}

function unlink(frame: Frame): void {
  frame.older.newer = frame.newer;
  frame.newer.older = frame.older;
}
