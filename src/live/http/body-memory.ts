import { assert } from '../../std/index.ts';

/**
 * Bytes of the bodies under way, from their arrival until whoever asked for them is done with them. Above `mostBytes`, downloads wait
 * before they begin; those begun go on, so the sum may pass it by as much as they still bring: at most a body's limit each.
 */
export class BodyMemory {
  readonly #mostBytes: number;
  #heldBytes = 0;
  #waiting: (() => void)[] = [];

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Fulfilled when a download may begin; undefined where it may at once. */
  room(): Promise<void> | undefined {
    if (this.#heldBytes < this.#mostBytes) return undefined;
    return new Promise((resolve) => { this.#waiting.push(resolve); });
  }

  take(bytes: number): void {
    this.#heldBytes += bytes;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
    assert(this.#heldBytes >= 0, 'more bytes given back than were held');
    if (this.#waiting.length === 0 || this.#heldBytes >= this.#mostBytes) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const begin of waiting) begin();
  }
}
