import { pageUrl } from '../../dataset/index.ts';

/** Stands in until the layer of URLs is merged. */
export function canonicalUrl(href: string, base: URL | undefined, urlLengthMost: number): URL | 'invalid' | 'notHttp' | 'long' {
  const url = pageUrl(href, base);
  if (typeof url === 'string') return url;
  url.hash = url.username = url.password = '';
  return url.href.length > urlLengthMost ? 'long' : url;
}
