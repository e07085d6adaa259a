import { join } from 'node:path';
import * as z from 'zod';
import type { FeedLine } from '../contract.ts';
import { StoredLines, storedLinesBefore } from './stored-lines.ts';

/** The file of the whole feed, in the record of a watched run. */
export const feedFile = 'feed.jsonl';

const lineSchema = z.object({ at: z.number(), processor: z.int().min(0).nullable(), text: z.string() });

/** Stores the lines of a feed at once: they are few. */
export class StoredFeed {
  readonly #lines: StoredLines;

  /** @param folder - of the record, as long as the run goes on. */
  constructor(folder: string) {
    this.#lines = new StoredLines(join(folder, feedFile));
  }

  add({ at, processor, text }: FeedLine): void {
    this.#lines.add({ at, processor, text });
    this.#lines.flush();
  }
}

/**
 * The lines of a stored feed before byte `end`, the last one first. The number of a line is the byte
 * at which it begins.
 */
export function* storedFeedBefore(folder: string, end?: number): Generator<FeedLine, undefined> {
  for (const { value, begin } of storedLinesBefore(join(folder, feedFile), end)) {
    const line = lineSchema.safeParse(value).data;
    if (line !== undefined) yield { number: begin, ...line };
  }
}
