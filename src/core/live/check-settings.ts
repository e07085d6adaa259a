import { AddressGuard } from './fetch/address-guard.ts';
import { Resolver } from './fetch/resolver.ts';
import type { LiveSettings } from './settings.ts';
import { UrlFilter, urlMaker } from './urls/url-filter.ts';

/**
 * @throws InputError, starting with the setting's name, for a setting that cannot work: a malformed network, a
 * pattern that no URL matches, an entry of the scope that says nothing.
 */
export function checkSettings(settings: LiveSettings): void {
  new UrlFilter(settings);
  urlMaker(settings);
  new Resolver(settings, new AddressGuard(settings.allowNetworks));
}
