import type { CrawlSettings } from '../../../settings/index.ts';
import type { RunEvents } from '../events.ts';

/** The events in which hosts took part: a page that rules denied is none, unless it costs its host's delay. */
export function turnsOf<E extends Pick<RunEvents, 'failures'>>(
  events: E, { deniedCost }: Pick<CrawlSettings, 'deniedCost'>,
): E {
  if (deniedCost === 'delay') return events;
  return { ...events, failures: events.failures.filter(({ kind }) => kind !== 'robotsDenied') };
}
