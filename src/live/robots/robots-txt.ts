import { spelled } from '../../dataset/index.ts';
import { matchesWildcards } from '../urls/wildcards.ts';

/** What is read of a robots.txt (RFC 9309, section 2.5): a line that is cut there is not. */
export const ROBOTS_BYTES_MOST = 500 << 10;

/** Longer delays are cut to a day: robots.txt holds for no longer (section 2.4). */
const CRAWL_DELAY_MOST_SECONDS = 86_400;

const BYTES_A_RULE = 80;

/** What a robots.txt says to one crawler. */
export interface RobotsRules {
  /** Whether a page of that origin may be asked for. */
  allows(url: URL): boolean;
  /** Least time between two requests, in microseconds; 0 where none is asked for. */
  readonly crawlDelayUs: number;
  /** URLs of sitemaps as they stand there, of any host. */
  readonly sitemaps: readonly string[];
  /** About what it takes in memory. */
  readonly bytes: number;
}

export const allowAll: RobotsRules = { allows: () => true, crawlDelayUs: 0, sitemaps: [], bytes: 0 };

/** As if it said `Disallow: /`; the robots.txt itself may always be asked for. */
export const disallowAll: RobotsRules = { allows: isRobotsTxt, crawlDelayUs: 0, sitemaps: [], bytes: 0 };

interface Rule {
  /** Octets of the rule's path as compared: of several rules that match, the longest holds. */
  readonly length: number;
  readonly isAllowed: boolean;
  /** Of whole paths: where the rule has no `$`, a star follows. */
  readonly pattern: string;
}

/**
 * Reads a robots.txt for the crawler of a product token, by RFC 9309.
 *
 *  - Groups that name the token, in any case, are merged; where none does, those of `*` are. Lines that are no rules (Sitemap, and what is
 *    unknown) do not end a run of User-agent lines, which the rules below it share. Rules before any User-agent are nobody's.
 *  - Of the rules that match, the one of most octets holds; of an Allow and a Disallow of the same length, the Allow. `*` stands for any
 *    characters, `$` at the end for the end. An empty path matches nothing.
 *  - Octets are compared, percent-encoded where they are not ASCII or may not stand in a URL, and decoded where they are letters, digits
 *    or `-._~` (section 2.2.2), on both sides. Reserved characters are the only ones for which `%2F` and `/` are two things.
 *  - Lines end at LF, CR or both; a byte order mark, whole or cut, is passed over; comments begin at `#`.
 *
 * Beyond the RFC, as Google's parser has it: of a User-agent line the token counts up to the first character that cannot be of one
 * (`foo/2.1` is `foo`), and two words without a colon (`disallow /`) are a line, for whoever wrote it meant it. Crawl-delay: seconds, with
 * a fraction or not, cut to a day; of several the longest; what is no number is ignored.
 *
 * A parser of our own, for robots-parser 3 compares percent-encoded letters undecoded, may deny /robots.txt itself, and takes an unknown
 * line between two User-agent lines for the end of their run.
 *
 * @param body  octets, of which the first 500 KiB are read.
 * @param agent product token: letters, `-` and `_`.
 *
 * Errors   none: what is not understood is passed over.
 * Cost     O(octets); memory O(octets of the rules that hold for the token). A question is at worst O(octets of the rules, and for each
 *          rule the length of the URL), however many stars they have: under a second for the most hostile 500 KiB.
 */
export function robotsTxt(body: Uint8Array, agent: string): RobotsRules {
  const named = new Group();
  const general = new Group();
  const sitemaps: string[] = [];
  const token = agent.toLowerCase();
  // Of the run of User-agent lines, with what follows it.
  let isNamed = false;
  let isGeneral = false;
  let isRunOver = true;
  for (const line of linesOf(body)) {
    const field = fieldOf(line);
    if (field === undefined) continue;
    const { key, value } = field;
    if (key === 'user-agent') {
      if (isRunOver) isNamed = isGeneral = isRunOver = false;
      if (/^\*([ \t]|$)/.test(value)) isGeneral = true;
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === token) named.isThere = isNamed = true;
    } else if (key === 'allow' || key === 'disallow') {
      isRunOver = true;
      if (isNamed) named.rule(key === 'allow', value);
      if (isGeneral) general.rule(key === 'allow', value);
    } else if (key === 'crawl-delay') {
      if (isNamed) named.delay(value);
      if (isGeneral) general.delay(value);
    } else if (key === 'sitemap') {
      sitemaps.push(flat(value));
    }
  }
  return (named.isThere ? named : general).rules(sitemaps);
}

class Group {
  isThere = false;
  #delaySeconds = 0;
  readonly #rules = new Map<string, Rule>();

  rule(isAllowed: boolean, value: string): void {
    if (value === '') return;
    const isWhole = value.endsWith('$');
    const path = (isWhole ? value.slice(0, -1) : value).split('*').map(compared).join('*');
    const pattern = flat(isWhole ? path : `${path}*`);
    // One that is there twice is kept once; of both kinds, the Allow.
    if (isAllowed || !this.#rules.has(pattern)) this.#rules.set(pattern, { length: path.length + (isWhole ? 1 : 0), isAllowed, pattern });
  }

  delay(value: string): void {
    if (!/^(\d+\.?\d*|\.\d+)$/.test(value)) return;
    this.#delaySeconds = Math.max(this.#delaySeconds, Math.min(Number(value), CRAWL_DELAY_MOST_SECONDS));
  }

  rules(sitemaps: readonly string[]): RobotsRules {
    const rules = [...this.#rules.values()].sort((a, b) => b.length - a.length || Number(b.isAllowed) - Number(a.isAllowed));
    const allows = (url: URL): boolean => {
      if (rules.length === 0 || isRobotsTxt(url)) return true;
      const path = compared(url.pathname + url.search);
      return rules.find(({ pattern }) => matchesWildcards(pattern, path))?.isAllowed ?? true;
    };
    const texts = [...this.#rules.keys(), ...sitemaps];
    const bytes = texts.reduce((sum, text) => sum + BYTES_A_RULE + text.length, BYTES_A_RULE);
    return { allows, crawlDelayUs: Math.round(this.#delaySeconds * 1e6), sitemaps, bytes };
  }
}

/** A copy: a piece of a text would keep the whole text in memory. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function isRobotsTxt(url: URL): boolean {
  return url.pathname === '/robots.txt' && url.search === '';
}

/** A path as octets are compared. What a rule says by `*` and `$`, a URL has encoded: they may stand in it for themselves. */
function compared(path: string): string {
  return spelled(path).replace(/[^\x21-\x7e]|["$*<>\\^`{|}]/g, (octet) => {
    const digits = octet.charCodeAt(0).toString(16).toUpperCase();
    return `%${digits.padStart(2, '0')}`;
  });
}

/** Lines as latin1, one character an octet. */
function linesOf(body: Uint8Array): string[] {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, ROBOTS_BYTES_MOST)).toString('latin1');
  const lines = text.replace(/^(?:\xef\xbb\xbf|\xef\xbb|\xef)/, '').split(/\r\n?|\n/);
  if (body.length > ROBOTS_BYTES_MOST) lines.pop();
  return lines;
}

/** Keys in small letters; no regular expression, for lines may be as long as the file, and all of blanks. */
function fieldOf(line: string): { key: string; value: string } | undefined {
  const comment = line.indexOf('#');
  const text = trimmed(comment < 0 ? line : line.slice(0, comment));
  const colon = text.indexOf(':');
  if (colon >= 0) return { key: trimmed(text.slice(0, colon)).toLowerCase(), value: trimmed(text.slice(colon + 1)) };
  const words = text.split(/[ \t]+/);
  return words.length === 2 ? { key: words[0].toLowerCase(), value: words[1] } : undefined;
}

/** Without blanks and tabs around it; the other blanks of Unicode are octets here. */
function trimmed(text: string): string {
  let begin = 0;
  let end = text.length;
  while (begin < end && isBlank(text.charCodeAt(begin))) begin++;
  while (end > begin && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(begin, end);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
