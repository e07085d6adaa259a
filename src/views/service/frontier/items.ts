import type { URLInfo, URLItem } from './protocol/messages.ts';

/** Limits of what a client may put; what is beyond is answered by SKIPPED. */
export const maxKeyLength = 255;
export const maxUrlLength = 32_768;
export const maxMetadataLength = 65_536;

/** In the metadata of a known item: the URLs that the page links to, by which it is ranked. */
export const linksName = 'orbweaver.links';
/** The same of their keys, in the same order; only where keys are not host names. */
export const linkKeysName = 'orbweaver.keys';

export const defaultCrawl = 'DEFAULT';

/** An item as it was put, checked. */
export interface Item {
  readonly crawl: string;
  readonly key: string;
  readonly url: string;
  readonly metadata: URLInfo['metadata'];
  /** When a known URL may be fetched again, seconds, 0 for never; undefined: the URL was discovered. */
  readonly date: number | undefined;
  /** Links of a known URL, each once; undefined: they are not known. */
  readonly links: readonly Link[] | undefined;
}

export interface Link {
  readonly key: string;
  readonly url: string;
}

/** The crawl that a client means: nothing and blanks are the default one. */
export function crawlOf(crawlID: string | undefined): string {
  return crawlID === undefined || crawlID.trim() === '' ? defaultCrawl : crawlID;
}

/** The key of a URL that has none: the text where its host is, as in the reference; '' if there is none. */
export function keyOf(url: string): string {
  const start = url.indexOf('://');
  const rest = start < 0 ? url : url.slice(start + 3);
  return /^[^:/?&#]*/.exec(rest.replace(/^[^/?#@]*@/, ''))![0];
}

/** The item, or undefined if it must not be sent again: no URL or key, too long, or a date that is no number. */
export function readItem({ item }: URLItem): Item | undefined {
  if (item === undefined) return undefined;
  const known = item.$case === 'known' ? item.known : undefined;
  const info = item.$case === 'known' ? item.known.info : item.discovered.info;
  return info && readInfo(info, known && Number(known.refetchableFromDate));
}

/** The same of a URL and its date; undefined for one that was discovered. */
export function readInfo(info: URLInfo, date?: number): Item | undefined {
  const { url, metadata: allMetadata, crawlID } = info;
  const key = info.key === '' ? keyOf(url) : info.key;
  const crawl = crawlOf(crawlID);
  if (url === '' || key === '' || url.length > maxUrlLength || key.length > maxKeyLength) return undefined;
  if (crawl.length > maxKeyLength || (date !== undefined && !Number.isSafeInteger(date))) return undefined;
  const { [linksName]: links, [linkKeysName]: keys, ...rest } = allMetadata as Partial<typeof allMetadata>;
  const metadata = rest as typeof allMetadata;
  if (lengthOf(metadata) > maxMetadataLength) return undefined;
  const parsedLinks = date === undefined ? undefined : readLinks(links?.values, keys?.values);
  return { crawl, key, url, metadata, date, links: parsedLinks };
}

/** Links are advice on ranking: an item with unreadable ones is an item without links. */
function readLinks(urls: readonly string[] | undefined, keys: readonly string[] | undefined): Link[] | undefined {
  if (urls === undefined || (keys !== undefined && keys.length !== urls.length)) return undefined;
  const links = new Map<string, Link>();
  urls.forEach((url, i) => {
    const key = keys?.[i] ?? keyOf(url);
    const isValid = key !== '' && key.length <= maxKeyLength && url !== '' && url.length <= maxUrlLength;
    if (isValid) links.set(`${key.length}:${key}${url}`, { key, url });
  });
  return [...links.values()];
}

function lengthOf(metadata: URLInfo['metadata']): number {
  let length = 0;
  for (const [name, { values }] of Object.entries(metadata))
    length += values.reduce((sum, value) => sum + value.length, name.length);
  return length;
}
