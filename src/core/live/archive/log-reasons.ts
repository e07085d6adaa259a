import { createReadStream } from 'node:fs';
import { isIP } from 'node:net';
import { createInterface } from 'node:readline';

/** Why tries of pages failed: the reason in words; '' if only the kind is known. */
export interface LoggedReason {
  readonly kind: string;
  readonly reason: string;
  readonly count: number;
}

const SUCCESSES: readonly string[] = ['fetched', 'robotsFetched'];

/** Logs of earlier versions end with the reason, or with the pause. */
const columnCounts: readonly number[] = [9, 15, 16];

/**
 * The reasons for which tries failed and redirects were not followed, read from a `crawl.log`, most frequent first.
 * O(lines) time, O(reasons) memory; malformed lines are skipped.
 */
export async function loggedReasons(path: string): Promise<LoggedReason[]> {
  const counts = new Map<string, LoggedReason>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const columns = line.split(/ +/);
    const [, status, , kind, , , , , reason] = columns;
    if (!columnCounts.includes(columns.length)) continue;
    const isRefused = kind === 'fetched' && isRedirect(status) && reason !== '-';
    if (SUCCESSES.includes(kind) && !isRefused) continue;
    const count = (counts.get(`${kind} ${reason}`)?.count ?? 0) + 1;
    counts.set(`${kind} ${reason}`, { kind, reason: reason === '-' ? '' : decoded(reason), count });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count);
}

/**
 * Whether all `pagesFetched` pages of a crawl were redirects, so that it has no page, read from its `crawl.log` up to
 * the first that was none. False if the log lacks some of them: somebody has put a part of it away.
 */
export async function areAllRedirects(path: string, pagesFetched: number): Promise<boolean> {
  const input = createReadStream(path);
  try {
    let redirects = 0;
    for await (const line of createInterface({ input })) {
      const [, status, , kind] = line.split(/ +/);
      if (kind !== 'fetched') continue;
      if (!isRedirect(status)) return false;
      redirects++;
    }
    return redirects >= pagesFetched;
  } finally {
    input.destroy();
  }
}

/** The address of each host by its name, read from a `crawl.log`; none of a host that had several. O(lines). */
export async function loggedAddresses(path: string): Promise<Map<string, string>> {
  const addresses = new Map<string, string>();
  const unsteady = new Set<string>();
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const columns = line.split(/ +/);
    const address = columns.at(-1) ?? '';
    if (columns.length !== 16 || isIP(address) === 0 || !URL.canParse(columns[5])) continue;
    const { host } = new URL(columns[5]);
    if ((addresses.get(host) ?? address) !== address) unsteady.add(host);
    addresses.set(host, address);
  }
  for (const host of unsteady) addresses.delete(host);
  return addresses;
}

function isRedirect(status: string): boolean {
  return /^3\d\d$/.test(status);
}

/** The text before the log escaped it; unchanged if the line is torn. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
