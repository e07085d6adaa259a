/** Browsers and servers give up at about this length; a page may contain a great many longer ones. */
export const LONGEST_URL = 2048;

/** The URL that `href` refers to on a page, by the WHATWG URL standard; or why a crawl cannot fetch it. */
export function pageUrl(href: string, base?: URL, maxLength = LONGEST_URL): URL | 'invalid' | 'notHttp' | 'long' {
  if (href.length > maxLength) return 'long';
  let url: URL;
  try {
    url = new URL(href, base);
  } catch {
    return 'invalid';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'notHttp';
  return url.href.length > maxLength ? 'long' : url;
}
