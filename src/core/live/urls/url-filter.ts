import { canonicalUrl, matchesWildcards, queryDropper, spelled } from '../../../base/web/index.ts';
import { quoted, InputError } from '../../../base/index.ts';
import type { LiveSettings } from '../settings.ts';
import { domainName, isWithin, Scope } from './scope.ts';

export type UrlFilterSettings = Pick<
  LiveSettings,
  | 'maxUrlLength' | 'maxSegmentRepeats' | 'denyExtensions' | 'countries'
  | 'allowDomains' | 'denyDomains' | 'allowPatterns' | 'denyPatterns' | 'scope'
>;

export type UrlRefusal =
  'scheme' | 'length' | 'domain' | 'country' | 'extension' | 'repeated segments' | 'pattern' | 'scope';

/**
 * Extensions of files that are not pages, and contain no links that are read here: not fetched unless `denyExtensions`
 * says otherwise. Images, audio and video, archives, binaries, fonts, styles and scripts.
 */
const defaultDenyExtensions: readonly string[] = `
  ai avif bmp cur eps gif heic heif ico jfif jp2 jpe jpeg jpg jxl pbm pgm png ppm ps psd raw svg svgz tga tif
  tiff webp xbm xcf xpm
  3gp aac aif aiff amr ape asf au avi flac flv m3u m3u8 m4a m4v mid midi mka mkv mov mp2 mp3 mp4 mpeg mpg oga
  ogg ogv opus pls ra ram rm swf ts wav webm wma wmv
  7z arj bz2 cab cpio gz jar lha lz lz4 lzh lzma rar tar tbz tbz2 tgz txz war warc xz z zip zst
  apk bin class crx dat db deb dll dmg dylib exe img ipa iso lib msi msix o obj pkg pyc rpm so sqlite torrent
  vhd vmdk wasm xpi
  eot otf pfb ttc ttf woff woff2
  css js less map mjs sass scss vbs
`.trim().split(/\s+/);

/**
 * Excludes pages from a crawl by their URLs alone. Made from plain data, so that each thread has its own.
 *
 *  - Domains: compared by labels from the right, so `example.org` includes www.example.org but not badexample.org;
 *    names in Unicode or punycode; addresses match exactly. Denied domains take precedence.
 *  - Patterns: match the whole URL in its canonical spelling, `*` for any characters.
 *  - Scope: as `Scope`, unless links beyond it are followed: then it takes more than the URL to know.
 *  - Countries: the last label of the name, as `cl` or an internationalised one; the United Kingdom has `uk`. Addresses
 *    and other names have no country, and are excluded if countries are set.
 *  - Extensions: what follows the last dot of the path's last segment, in any case.
 *  - Repeated segments: a path that contains the same segment more than `maxSegmentRepeats` times, as in circular
 *    links; `//` repeats the empty segment.
 *
 * Errors  the constructor throws InputError for a domain, country or pattern that no URL can match, and as Scope.
 * Cost    O(length of the URL), besides the patterns (wildcards.ts) and the scope.
 */
export class UrlFilter {
  readonly #maxLength: number;
  readonly #maxSegmentRepeats: number;
  readonly #allowDomains: ReadonlySet<string>;
  readonly #denyDomains: ReadonlySet<string>;
  readonly #countries: ReadonlySet<string>;
  readonly #denyExtensions: ReadonlySet<string>;
  readonly #allowPatterns: readonly string[];
  readonly #denyPatterns: readonly string[];
  /** Undefined if the URL alone does not say whether a page is out of scope. */
  readonly #scope: Scope | undefined;

  constructor(settings: UrlFilterSettings) {
    this.#maxLength = settings.maxUrlLength;
    this.#maxSegmentRepeats = settings.maxSegmentRepeats;
    this.#allowDomains = new Set(settings.allowDomains.map((domain) => domainName('allowDomains', domain)));
    this.#denyDomains = new Set(settings.denyDomains.map((domain) => domainName('denyDomains', domain)));
    this.#countries = new Set(settings.countries.map(countryLabel));
    const denyExtensions = settings.denyExtensions ?? defaultDenyExtensions;
    this.#denyExtensions = new Set(denyExtensions.map((extension) => extension.toLowerCase()));
    this.#allowPatterns = checkedPatterns('allowPatterns', settings.allowPatterns, settings.maxUrlLength);
    this.#denyPatterns = checkedPatterns('denyPatterns', settings.denyPatterns, settings.maxUrlLength);
    const scope = new Scope(settings);
    this.#scope = scope.maxHops === 0 && !scope.isAll ? scope : undefined;
  }

  /** Why a canonical URL is excluded; undefined if it is not. */
  refuses(url: URL): UrlRefusal | undefined {
    const { protocol, hostname, pathname, href } = url;
    if (protocol !== 'http:' && protocol !== 'https:') return 'scheme';
    if (href.length > this.#maxLength) return 'length';
    if (isWithin(hostname, this.#denyDomains)) return 'domain';
    if (this.#allowDomains.size > 0 && !isWithin(hostname, this.#allowDomains)) return 'domain';
    if (this.#countries.size > 0 && !this.#countries.has(hostname.slice(hostname.lastIndexOf('.') + 1)))
      return 'country';
    if (this.#denyExtensions.has(extensionOf(pathname))) return 'extension';
    if (repeatsSegment(pathname, this.#maxSegmentRepeats)) return 'repeated segments';
    if (this.#denyPatterns.some((pattern) => matchesWildcards(pattern, href))) return 'pattern';
    if (this.#allowPatterns.length > 0 && !this.#allowPatterns.some((pattern) => matchesWildcards(pattern, href)))
      return 'pattern';
    if (this.#scope?.hopsOf(href) === Infinity) return 'scope';
    return undefined;
  }
}

function extensionOf(pathname: string): string {
  const dot = pathname.lastIndexOf('.');
  return dot < 0 || dot < pathname.lastIndexOf('/') ? '' : pathname.slice(dot + 1).toLowerCase();
}

function repeatsSegment(pathname: string, max: number): boolean {
  let slashes = 0;
  for (let at = pathname.indexOf('/'); at >= 0; at = pathname.indexOf('/', at + 1)) slashes++;
  if (slashes <= max) return false;
  const times = new Map<string, number>();
  for (const segment of pathname.slice(1).split('/')) {
    const count = (times.get(segment) ?? 0) + 1;
    if (count > max) return true;
    times.set(segment, count);
  }
  return false;
}

/** A country code as spelled at the end of names: two letters, or internationalised. */
function countryLabel(country: string): string {
  const url = /^\.?[\p{L}\p{M}\d-]+$/u.test(country)
    ? canonicalUrl(`http://x.${country.replace(/^\./, '')}/`, undefined, 4096)
    : 'invalid';
  const label = typeof url === 'string' ? '' : url.hostname.slice(2);
  if (!/^([a-z]{2}|xn--.+)$/.test(label) || label === 'gb') {
    throw new InputError(`countries: ${quoted(country)} is not a country's top-level domain; examples: cl, de, uk`, {
      field: 'live.countries',
    });
  }
  return label;
}

/** The patterns, after checking that each can match a canonical URL. */
function checkedPatterns(place: string, patterns: readonly string[], maxLength: number): readonly string[] {
  for (const pattern of patterns) {
    const fault = patternFault(pattern, maxLength);
    if (fault !== undefined) {
      throw new InputError(`${place}: no URL matches ${quoted(pattern)}: ${fault}`, { field: `live.${place}` });
    }
  }
  return patterns;
}

function patternFault(pattern: string, maxLength: number): string | undefined {
  if (/[^\x21-\x7e]/.test(pattern))
    return 'URLs are ASCII: blanks and other letters are percent-encoded, and in names of hosts punycode';
  if (pattern.includes('#')) return 'URLs are compared without their fragments';
  if (pattern.replaceAll('*', '').length > maxLength) return `URLs have at most ${maxLength} characters`;
  for (const [octet] of pattern.matchAll(/%[0-9a-f]{2}/gi))
    if (spelled(octet) !== octet) return `${octet} is spelled ${spelled(octet)}`;
  const half = /%[a-f](?=\*)/.exec(pattern)?.[0];
  if (half !== undefined) return `${half} is spelled ${half.toUpperCase()}`;
  // A star may stand for the digits.
  if (pattern.replace(/%[0-9a-f]{2}|%[0-9a-f]?\*/gi, '').includes('%')) return 'a percent sign is spelled %25';
  const star = pattern.indexOf('*');
  const head = star < 0 ? pattern : pattern.slice(0, star);
  const scheme = ['http://', 'https://'].find((each) => each.startsWith(head) || head.startsWith(each));
  if (scheme === undefined)
    return 'URLs begin with http:// or https://, in lower case; begin with * to match in the middle';
  // If the host is complete, the spelling of everything up to the next star is known.
  if (head.length <= scheme.length || (star >= 0 && !head.slice(scheme.length).includes('/'))) return undefined;
  const url = canonicalUrl(head, undefined, Number.MAX_SAFE_INTEGER);
  if (typeof url === 'string') return `${quoted(head)} is not a URL`;
  const host = `${url.protocol}//${url.host}/`;
  if (star >= 0) return head.startsWith(host) ? undefined : `the host is spelled ${host}`;
  return url.href === pattern ? undefined : `the URL is spelled ${url.href}`;
}

/**
 * Makes URLs of pages from links of every kind, and from seeds: in canonical spelling, without the parameters to drop.
 *
 * @throws InputError as queryDropper.
 */
export function urlMaker(
  { maxUrlLength, dropQuery }: Pick<LiveSettings, 'maxUrlLength' | 'dropQuery'>,
): (href: string, base?: URL) => ReturnType<typeof canonicalUrl> {
  const dropped = queryDropper(dropQuery);
  return (href, base) => {
    const url = canonicalUrl(href, base, maxUrlLength);
    return typeof url === 'string' ? url : dropped(url);
  };
}
