import { assert } from '../../../base/index.ts';

/**
 * Counts the bytes of bodies in memory, from their arrival until the caller has finished with them. Above `maxBytes`,
 * downloads wait before they begin; those that have begun continue, so the sum may exceed the bound by what they still
 * receive: at most one body's limit each.
 */
export class BodyMemory {
  readonly #maxBytes: number;
  #heldBytes = 0;
  readonly #waiting = new Set<(hasRoom: boolean) => void>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Resolves to whether a download may begin, after `timeoutMs` at the latest; undefined if it may begin at once. */
  room(timeoutMs: number): Promise<boolean> | undefined {
    if (this.#heldBytes < this.#maxBytes) return undefined;
    return new Promise((resolve) => {
      const end = (hasRoom: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve(hasRoom);
      };
      const timer = setTimeout(end, timeoutMs, false);
      this.#waiting.add(end);
    });
  }

  /** Ends all waits without success. */
  close(): void {
    for (const end of [...this.#waiting]) end(false);
  }

  take(bytes: number): void {
    this.#heldBytes += bytes;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
    assert(this.#heldBytes >= 0, 'more bytes were released than taken');
    if (this.#heldBytes >= this.#maxBytes) return;
    for (const end of [...this.#waiting]) end(true);
  }
}
