import { Scope, UrlFilter, urlMaker, type LiveSettings } from '../../core/live/index.ts';
import { InputError } from '../../base/index.ts';

const field = 'seeds';
const faults = { invalid: 'is not a URL', notHttp: 'is neither http nor https', long: 'is too long' } as const;

/** Canonical URLs of the pages to start from, none twice. @throws InputError for one that cannot be crawled. */
export function canonicalSeeds(seeds: readonly string[], settings: LiveSettings): string[] {
  if (seeds.length === 0) throw new InputError('a crawl needs a URL to start from', { field });
  const filter = new UrlFilter(settings);
  const scope = new Scope(settings);
  const urlOf = urlMaker(settings);
  const canonical = new Set<string>();
  for (const seed of seeds) {
    const url = urlOf(seed);
    if (typeof url === 'string')
      throw new InputError(
        `${JSON.stringify(seed.slice(0, 200))}: ${faults[url]}; use addresses like https://example.org/`,
        { field },
      );
    const refusal = filter.refuses(url) ?? (scope.hopsOf(url.href) === Infinity ? 'scope' : undefined);
    if (refusal !== undefined)
      throw new InputError(`${url.href}: is excluded by the filters of this crawl (${refusal})`, { field });
    if (canonical.has(url.href)) throw new InputError(`${url.href}: is named twice`, { field });
    canonical.add(url.href);
  }
  return [...canonical];
}
