import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/** Why tries of pages failed: the reason in words, '' where only the kind says it. */
export interface LoggedReason {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

/** Outcomes that brought what they were to bring. */
const SUCCESSES: readonly string[] = ['fetched', 'robotsFetched'];

/**
 * The reasons for which tries failed, read from a `crawl.log`, the commonest first. O(lines) time, O(reasons) memory; a
 * line that is none is passed over.
 */
export async function loggedReasons(path: string): Promise<LoggedReason[]> {
  const counts = new Map<string, LoggedReason>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const columns = line.split(/ +/);
    const [, , , kind, , , , , reason] = columns;
    if (columns.length !== 9 || SUCCESSES.includes(kind)) continue;
    const count = (counts.get(`${kind} ${reason}`)?.count ?? 0) + 1;
    counts.set(`${kind} ${reason}`, { kind, reason: reason === '-' ? '' : decoded(reason), count });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/** As it was before the log escaped it; as it stands where a line is torn. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
