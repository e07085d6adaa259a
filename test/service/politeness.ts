import type { LoggedRequest } from '../../src/views/service/index.ts';

export interface Breach {
  readonly what: 'two at once' | 'too soon';
  readonly host: string;
  readonly earlier: LoggedRequest;
  readonly later: LoggedRequest;
}

/**
 * Breaches of politeness in a server's own log, whose requests may be in any order: a request to a host while another
 * of that host is under way, or sooner than `delayUs` after the last ended.
 *
 * @param delayUs one for all, or that of a host after what it was asked before.
 * @param slackUs forgiven after a request that the client broke off: that it is over reaches the server later than the
 * client knows.
 */
export function politenessOf(
  log: readonly LoggedRequest[], delayUs: number | ((host: string, earlier: LoggedRequest) => number), slackUs = 0,
): Breach[] {
  const breaches: Breach[] = [];
  const last = new Map<string, LoggedRequest>();
  const endOf = ({ end, endedAtUs }: LoggedRequest): number => endedAtUs - (end === 'closed by client' ? slackUs : 0);
  for (const later of [...log].sort((a, b) => a.startedAtUs - b.startedAtUs || a.endedAtUs - b.endedAtUs)) {
    const { host, startedAtUs } = later;
    const earlier = last.get(host);
    if (earlier !== undefined && startedAtUs < endOf(earlier))
      breaches.push({ what: 'two at once', host, earlier, later });
    else if (
      earlier !== undefined &&
      startedAtUs < endOf(earlier) + (typeof delayUs === 'number' ? delayUs : delayUs(host, earlier))
    ) {
      breaches.push({ what: 'too soon', host, earlier, later });
    }
    if (earlier === undefined || endOf(later) > endOf(earlier)) last.set(host, later);
  }
  return breaches;
}
