import { maxFeedLines, type FeedLine } from './contract.ts';

/** The last lines of a run's feed. */
export class Feed {
  readonly #lines: FeedLine[] = [];
  #next = 0;
  /** Lines that were taken. */
  #taken = 0;

  add(at: number, text: string, processor: number | null = null): void {
    this.#lines.push({ number: this.#next++, at, processor, text });
    if (this.#lines.length > maxFeedLines) this.#lines.shift();
  }

  get lines(): readonly FeedLine[] {
    return [...this.#lines];
  }

  /** Those of the last lines that were not taken before. */
  take(): readonly FeedLine[] {
    const lines = this.#lines.filter(({ number }) => number >= this.#taken);
    this.#taken = this.#next;
    return lines;
  }
}
