import { liveSchema, type LiveInput, type LiveSettings } from '../../../src/core/live/settings.ts';
import type { RawPage } from '../../../src/core/live/pages/page.ts';

export function settingsOf(some: Partial<LiveInput> = {}): LiveSettings {
  return liveSchema.parse({ contact: 'https://example.org/crawler', ...some });
}

/** A page at http://a.org/d/p?q. */
export function html(body: string | Uint8Array, headers: readonly string[] = [], url = 'http://a.org/d/p?q'): RawPage {
  return {
    url, rawHeaders: ['Content-Type', 'text/html', ...headers],
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
}
