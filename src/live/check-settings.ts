import { Fetcher } from './fetch/fetcher.ts';
import type { LiveSettings } from './settings.ts';
import { UrlFilter } from './urls/url-filter.ts';

/**
 * @throws InputError, starting with the setting's name, for a setting that cannot work: a malformed network, or a
 * pattern that no URL matches.
 */
export function checkSettings(settings: LiveSettings): void {
  new UrlFilter(settings);
  void new Fetcher(settings).close();
}
