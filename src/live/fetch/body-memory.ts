import { assert } from '../../base/index.ts';

/**
 * Bytes of the bodies under way, from their arrival until whoever asked for them is done with them. Above `maxBytes`,
 * downloads wait before they begin; those begun go on, so the sum may pass it by as much as they still bring: at most a
 * body's limit each.
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

  /**
   * Whether a download may begin, as soon as it may, or after `timeoutMs` at the latest; undefined where it may at
   * once.
   */
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

  /** Ends all waits: there is no room any more. */
  close(): void {
    for (const end of [...this.#waiting]) end(false);
  }

  take(bytes: number): void {
    this.#heldBytes += bytes;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
    assert(this.#heldBytes >= 0, 'more bytes given back than were held');
    if (this.#heldBytes >= this.#maxBytes) return;
    for (const end of [...this.#waiting]) end(true);
  }
}
