/** Browsers and servers give up at about this length; one page may hold a great many longer ones. */
export const LONGEST_URL = 2048;

/** The URL that `href` means on a page, by the WHATWG's rules; or why it is no page of a crawl. */
export function pageUrl(href: string, base?: URL, lengthMost = LONGEST_URL): URL | 'invalid' | 'notHttp' | 'long' {
  if (href.length > lengthMost) return 'long';
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return 'invalid';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'notHttp';
  return url.href.length > lengthMost ? 'long' : url;
}
