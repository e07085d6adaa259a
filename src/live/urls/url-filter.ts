import type { LiveSettings } from '../settings.ts';

/** Stands in until the layer of URLs is merged. */
export class UrlFilter {
  readonly #settings: LiveSettings;

  constructor(settings: LiveSettings) {
    this.#settings = settings;
  }

  refuses(url: URL): string | undefined {
    return this.#settings.denyDomains.includes(url.hostname) ? 'domain' : undefined;
  }
}
