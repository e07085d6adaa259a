import { join } from 'node:path';
import * as z from 'zod';
import type { PageNames, RunSink, RunStarted } from '../../../core/events/index.ts';
import type { Outcome } from '../../../core/world/index.ts';
import { StoredLines, storedLinesBefore } from './stored-lines.ts';

/** A file of a watched live crawl: a line for each outcome, in the order of their ends. */
export const outcomesFile = 'outcomes.jsonl';

const outcomeSchema = z.object({
  processor: z.int().min(0), page: z.int().min(0), url: z.string(), kind: z.string(), startedUs: z.number(),
  finishedUs: z.number(), bytes: z.number(),
});

export type LoggedOutcome = z.infer<typeof outcomeSchema>;

/**
 * Writes the outcomes of a live crawl for those who look on: as long as it goes on, nothing else has the URLs of its
 * pages. What happened before it was resumed is in the file already.
 *
 * Cost  a line of some 150 bytes for each outcome; written at each barrier, and every 64 KB.
 */
export class OutcomeLog implements RunSink {
  readonly #folder: string;
  #lines: StoredLines | undefined;
  #names: PageNames | undefined;
  #firstSuperstep = 0;
  #isHistory = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  started({ names, firstSuperstep }: RunStarted): void {
    this.#lines = new StoredLines(join(this.#folder, outcomesFile));
    this.#names = names;
    this.#firstSuperstep = firstSuperstep;
  }

  superstepBegins(superstep: number): void {
    this.#isHistory = superstep < this.#firstSuperstep;
  }

  outcome(processor: number, { page, kind, startedAtUs, finishedAtUs, bytes }: Outcome): void {
    if (this.#isHistory) return;
    const url = this.#names!.urlOf(page) ?? '';
    const line: LoggedOutcome = {
      processor, page, url, kind, startedUs: startedAtUs, finishedUs: finishedAtUs, bytes,
    };
    this.#lines!.add(line);
  }

  superstep(): void {
    this.#lines?.flush();
  }

  ended(): void {
    this.#lines?.flush();
  }
}

/** The outcomes of such a file that end at or before byte `end`, the last one first, and where each begins. */
export function* loggedOutcomesBefore(
  folder: string, end?: number,
): Generator<LoggedOutcome & { readonly begin: number }, undefined> {
  for (const { value, begin } of storedLinesBefore(join(folder, outcomesFile), end)) {
    const outcome = outcomeSchema.safeParse(value).data;
    if (outcome !== undefined) yield { ...outcome, begin };
  }
}
