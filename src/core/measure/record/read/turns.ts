import type { CrawlSettings } from '../../../settings/index.ts';
import type { RunEvents } from '../events.ts';

/**
 * The events in which hosts took part. A page that rules denied is none, unless it costs its host's delay; a page that
 * was not asked for because its address was at work is none.
 */
export function turnsOf<E extends Pick<RunEvents, 'failures'>>(
  events: E, { deniedCost }: Pick<CrawlSettings, 'deniedCost'>,
): E {
  const isTurn = (kind: string): boolean => kind !== 'busy' && (kind !== 'robotsDenied' || deniedCost === 'delay');
  return { ...events, failures: events.failures.filter(({ kind }) => isTurn(kind)) };
}
