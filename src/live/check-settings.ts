import { Fetcher } from './fetch/fetcher.ts';
import type { LiveSettings } from './settings.ts';
import { UrlFilter } from './urls/url-filter.ts';

/**
 * @throws InputError, which begins with the setting's name, for one that says nothing: a network that is none, a
 * pattern that no URL matches.
 */
export function checkSettings(settings: LiveSettings): void {
  new UrlFilter(settings);
  void new Fetcher(settings).close();
}
