import { InputError, onDemand, quoted } from '../../../base/index.ts';
import { canonicalUrl } from '../../../base/web/index.ts';
import type { LiveSettings, ScopeEntry } from '../settings.ts';

/**
 * Sizes of all expressions together, in instructions, times characters of the longest URL: an answer takes at most
 * some 0.1 s for expressions and URLs that are both made to be slow, and mostly a thousandth of that.
 */
const MAX_REGEX_STEPS = 1 << 20;

/** Instead of hops, in arrays of bytes. */
export const OUT_OF_SCOPE = 255;

interface Expression {
  test(text: string): boolean;
  programSize(): number;
}

/**
 * What a crawl stays within, as its operator states it: a URL is in scope if one entry accepts it. An entry may have
 * links beyond it followed. They are counted as hops: a page in scope begins with the hops that its most generous entry
 * has fewer than the most generous of all, each link out of scope adds one, and what needs more than `maxHops` is
 * beyond.
 * Between pages out of scope redirects add none.
 *
 *  - Prefixes: the canonical spelling of a URL begins so. The host of a prefix is complete.
 *  - Hosts: `URL.host`, compared as a whole; domains: as in `UrlFilter`.
 *  - Expressions: RE2, which takes linear time whatever the URL; a match anywhere in the canonical spelling.
 *
 * Errors  the constructor throws InputError, starting with `scope`, for an entry that cannot work.
 * Cost    O(length of the URL) for hosts and domains, again for each length that prefixes have, and the expressions'
 *         (`MAX_REGEX_STEPS`).
 */
export class Scope {
  readonly isAll: boolean;
  /** Hops that no followed link exceeds: 0 if nothing beyond the scope is followed. */
  readonly maxHops: number;
  readonly #prefixes = new Map<string, number>();
  readonly #prefixLengths: readonly number[];
  readonly #hosts = new Map<string, number>();
  readonly #domains = new Map<string, number>();
  /** Expressions of fewer hops come first. */
  readonly #expressions: readonly { readonly hops: number; readonly expression: Expression }[];

  constructor({ scope, maxUrlLength }: Pick<LiveSettings, 'scope' | 'maxUrlLength'>) {
    this.isAll = scope.length === 0;
    this.maxHops = Math.max(0, ...scope.map(({ extraHops }) => extraHops));
    const expressions: { readonly hops: number; readonly expression: Expression }[] = [];
    let size = 0;
    for (const [i, { prefix, host, domain, regex, extraHops }] of scope.entries()) {
      const hops = this.maxHops - extraHops;
      if (prefix !== undefined) lower(this.#prefixes, prefixOf(prefix, i, maxUrlLength), hops);
      else if (host !== undefined) lower(this.#hosts, hostOf(host, i), hops);
      else if (domain !== undefined) lower(this.#domains, domainName(placeOf(i, 'domain'), domain), hops);
      else if (regex !== undefined) {
        const expression = compiled(regex, i);
        size += expression.programSize();
        if (size * maxUrlLength > MAX_REGEX_STEPS) {
          const max = Math.floor(MAX_REGEX_STEPS / maxUrlLength);
          const limit = `for URLs of up to ${maxUrlLength} characters at most ${max} are allowed`;
          refuse(i, 'regex', `the expressions up to here have ${size} instructions together, and ${limit}; ` +
            'use fewer, fewer repetitions, or prefixes and hosts');
        }
        expressions.push({ hops, expression });
      }
    }
    this.#prefixLengths = [...new Set([...this.#prefixes.keys()].map(({ length }) => length))].sort((a, b) => a - b);
    this.#expressions = expressions.sort((a, b) => a.hops - b.hops);
  }

  /** With how many hops a canonical URL begins; Infinity if it is out of scope. */
  hopsOf(url: string): number {
    if (this.isAll) return 0;
    const host = url.slice(url.indexOf('/') + 2, url.indexOf('/', url.indexOf('/') + 2));
    let least = Math.min(this.#hosts.get(host) ?? Infinity, this.#hopsByDomain(host), this.#hopsByPrefix(url));
    for (const { hops, expression } of this.#expressions)
      if (hops < least && expression.test(url)) least = hops;
    return least;
  }

  #hopsByDomain(host: string): number {
    if (this.#domains.size === 0) return Infinity;
    let least = Infinity;
    for (const domain of domainsOf(host.replace(/:\d+$/, '')))
      least = Math.min(least, this.#domains.get(domain) ?? Infinity);
    return least;
  }

  #hopsByPrefix(url: string): number {
    let least = Infinity;
    for (const length of this.#prefixLengths) {
      if (length > url.length) break;
      least = Math.min(least, this.#prefixes.get(url.slice(0, length)) ?? Infinity);
    }
    return least;
  }
}

function lower(values: Map<string, number>, name: string, value: number): void {
  values.set(name, Math.min(value, values.get(name) ?? Infinity));
}

function placeOf(entry: number, kind: keyof ScopeEntry): string {
  return `scope.${entry}.${kind}`;
}

/** @throws InputError, always. */
function refuse(entry: number, kind: keyof ScopeEntry, why: string): never {
  const place = placeOf(entry, kind);
  throw new InputError(`${place}: ${why}`, { field: `live.${place}` });
}

/** A prefix as URLs that begin so are spelled. */
function prefixOf(prefix: string, entry: number, maxUrlLength: number): string {
  const url = canonicalUrl(prefix, undefined, maxUrlLength);
  const refused = (why: string): never => refuse(entry, 'prefix', `${quoted(prefix)}${why}`);
  if (url === 'long') return refused(` is longer than any URL of this crawl (${maxUrlLength} characters)`);
  if (typeof url === 'string')
    return refused(' is not the beginning of an http or https URL; example: https://example.org/guide/');
  if (/#|^[a-z]+:\/*[^/?#]*@/i.test(prefix)) return refused(': URLs are compared without fragments and user names');
  if (url.host.includes('*')) return refused(': * stands for nothing but itself; use domain, or regex');
  // Canonical URLs never end with a question mark, but prefixes may.
  return /\?$/.test(prefix.trim()) && url.search === '' ? `${url.href}?` : url.href;
}

function hostOf(host: string, entry: number): string {
  const url = /^(\[[\da-f:.]+\]|[^/?#@\\:*[\]\s]+)(:\d{1,5})?$/i.test(host)
    ? canonicalUrl(`http://${host}/`, undefined, 4096) : 'invalid';
  if (typeof url === 'string') {
    const examples = 'www.example.org, or localhost:8080';
    return refuse(entry, 'host', `${quoted(host)} is not the name of a host, with its port or without: ${examples}`);
  }
  return url.host;
}

function compiled(regex: string, entry: number): Expression {
  try {
    return re2().compile(regex);
  } catch (error) {
    const why = (error as Error).message.replace(/^error parsing regexp: /, '');
    return refuse(entry, 'regex', `${quoted(regex)} is not a regular expression of RE2: ${why}`);
  }
}


let engine: { compile(pattern: string): Expression } | undefined;

function re2(): { compile(pattern: string): Expression } {
  return engine ??= (onDemand('re2js') as { readonly RE2JS: NonNullable<typeof engine> }).RE2JS;
}

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
function* domainsOf(hostname: string): Generator<string> {
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
