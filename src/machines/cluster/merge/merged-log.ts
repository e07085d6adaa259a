import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { writeError } from '../../../base/files/index.ts';

/** Lines that no log has yet; undefined once it has ended. */
interface Head {
  readonly lines: AsyncIterator<string>;
  next: string | undefined;
}

/**
 * Merges the `crawl.log` of each folder into one, by the times at which downloads ended: the first column, which sorts
 * as text. Each log stays in its order. A folder without one adds nothing.
 * @throws as writeError.
 */
export async function writeMergedLog(folders: readonly string[], path: string): Promise<void> {
  const logs = folders.map((folder) => join(folder, 'crawl.log')).filter((log) => existsSync(log));
  try {
    await pipeline(merged(logs), createWriteStream(path));
  } catch (error) {
    throw writeError(path, error);
  }
}

async function* merged(logs: readonly string[]): AsyncGenerator<string> {
  const heads = await Promise.all(logs.map(async (log): Promise<Head> => {
    const lines = createInterface({ input: createReadStream(log), crlfDelay: Infinity })[Symbol.asyncIterator]();
    return { lines, next: await nextOf(lines) };
  }));
  for (;;) {
    let first: Head | undefined;
    for (const head of heads) {
      if (head.next === undefined) continue;
      if (first?.next === undefined || timeOf(head.next) < timeOf(first.next)) first = head;
    }
    if (first === undefined) return;
    yield `${first.next}\n`;
    first.next = await nextOf(first.lines);
  }
}

async function nextOf(lines: AsyncIterator<string>): Promise<string | undefined> {
  const result = await lines.next();
  return result.done === true ? undefined : result.value;
}

const timeOf = (line: string): string => line.slice(0, line.indexOf(' '));
