import { InputError, quoted } from '../../../base/index.ts';
import { canonicalUrl } from '../../../base/web/index.ts';

/** A domain as spelled in hosts of URLs. @param place the setting, for messages. @throws InputError if it is none. */
export function domainName(place: string, domain: string): string {
  const hasForm = /^(\[[\da-f:.]+\]|[^./?#@\\:*[\]\s][^/?#@\\:*[\]\s]*)$/i.test(domain);
  const url = hasForm ? canonicalUrl(`http://${domain}/`, undefined, 4096) : 'invalid';
  if (typeof url === 'string') {
    throw new InputError(
      `${place}: ${quoted(domain)} is not a domain; examples: example.org (with its subdomains), or an address`,
      { field: `live.${place}` },
    );
  }
  return url.hostname;
}

/** A name, and the domains that it is within, from the nearest to the last label. */
export function* domainsOf(hostname: string): Generator<string> {
  for (let at = 0; ;) {
    yield hostname.slice(at);
    const dot = hostname.indexOf('.', at);
    if (dot < 0) return;
    at = dot + 1;
  }
}

export function isWithin(hostname: string, domains: ReadonlySet<string>): boolean {
  if (domains.size === 0) return false;
  for (const domain of domainsOf(hostname)) if (domains.has(domain)) return true;
  return false;
}
