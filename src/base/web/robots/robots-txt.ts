import { comparedOctets } from './octets.ts';
import { RuleIndex, type Rule } from './rule-index.ts';

/** How much of a robots.txt is read (RFC 9309, section 2.5); a line cut at the limit is ignored. */
export const MAX_ROBOTS_BYTES = 500 << 10;

/**
 * Maximum steps per check: below 5 ms, because a step takes at most 6 ns (`npm run live -- hostile-robots`). A page
 * whose check takes more is denied. Steps are counted, not timed, so that the answer does not depend on the load of the
 * machine.
 */
export const MAX_QUESTION_STEPS = 800_000;

/** Longer delays are cut to a day: a robots.txt is valid for no longer (section 2.4). */
const CRAWL_DELAY_MOST_SECONDS = 86_400;

const BYTES_A_RULES = 200;
const BYTES_A_SITEMAP = 80;
/** Steps per character of the path, for its spelling. */
const STEPS_AN_OCTET = 3;

/** Whether a page may be fetched. */
export interface Verdict {
  /** Why it may not be fetched, in words; undefined if it may. */
  readonly refusal: string | undefined;
  /** Steps that the answer took: the same for the same file and URL on any machine. */
  readonly steps: number;
}

/** The rules of a robots.txt for one crawler. */
export interface RobotsRules {
  /** Whether a page of that origin may be fetched. */
  judge(url: Pick<URL, 'pathname' | 'search'>): Verdict;
  /** Minimum time between two requests, in microseconds; 0 if none is stated. */
  readonly crawlDelayUs: number;
  /** URLs of sitemaps as written, of any host. */
  readonly sitemaps: readonly string[];
  /** Approximate memory use. */
  readonly bytes: number;
}

const leave: Verdict = { refusal: undefined, steps: 0 };
const denied: Verdict = { refusal: 'robots.txt could not be had', steps: 0 };

export const allowAll: RobotsRules = { judge: () => leave, crawlDelayUs: 0, sitemaps: [], bytes: 0 };

/**
 * For an origin whose robots.txt is unknown: as if it said `Disallow: /`; the robots.txt itself may always be fetched.
 */
export const disallowAll: RobotsRules = { ...allowAll, judge: (url) => isRobotsTxt(url) ? leave : denied };

/**
 * Reads a robots.txt for the crawler of a product token, by RFC 9309.
 *
 *  - Groups that name the token, in any case, are merged; if none does, those of `*` are. Lines that are not rules
 *  (Sitemap, and unknown ones) do not end a run of User-agent lines, which share the rules below it. Rules before any
 *  User-agent apply to nobody.
 *  - Of the rules that match, the longest in octets applies; of an Allow and a Disallow of the same length, the Allow.
 *  `*` matches any characters, `$` at the end matches the end. An empty path matches nothing.
 *  - Octets are compared, percent-encoded if they are not ASCII or not allowed in a URL, and decoded if they are
 *    letters, digits or `-._~` (section 2.2.2), on both sides. Only reserved characters differ from their encoded form,
 *    such as `%2F` and `/`. A percent sign that encodes nothing is `%25`; before a star, written or not, it may also
 *    begin an encoded octet: `/a%2` matches `/a%2Fb`.
 *  - Lines end at LF, CR or both; a byte order mark, whole or cut, is skipped; comments begin at `#`.
 *
 * Beyond the RFC, like Google's parser: the token of a User-agent line ends at the first character that cannot be part
 * of one (`foo/2.1` is `foo`), and two words without a colon (`disallow /`) are a line, because that is what the author
 * meant. Crawl-delay: seconds, with or without a fraction, cut to a day; of several the longest; anything but a number
 * is ignored.
 *
 * Unlike both: a Crawl-delay ends a run of User-agent lines as a rule does. If one crawler is given only a delay, and
 * what follows is `User-agent: badbot` and `Disallow: /`, the author does not mean to deny both (src/DECISIONS.md).
 *
 * This is our own parser because robots-parser 3 compares percent-encoded letters undecoded, may deny /robots.txt
 * itself, and lets an unknown line between two User-agent lines end their run.
 *
 * @param body  octets, of which the first 500 KiB are read.
 * @param agent product token: letters, `-` and `_`.
 *
 * Errors   none: lines that make no sense are skipped.
 * Cost     O(octets), under 0.1 s for the most hostile 500 KiB; memory O(octets of the rules for the token). A check:
 *          see RuleIndex, at most MAX_QUESTION_STEPS steps plus the search that exceeds them. None of 4,231 real files
 *          takes more than 6 % of them for paths of 2,048 characters made of its own rules (`npm run live -- robots`).
 */
export function robotsTxt(body: Uint8Array, agent: string): RobotsRules {
  const group = new Group();
  const general = new Group();
  const sitemaps: string[] = [];
  const token = agent.toLowerCase();
  // State of the run of User-agent lines and of what follows it.
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
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === token) group.isThere = isNamed = true;
    } else if (key === 'allow' || key === 'disallow') {
      isRunOver = true;
      if (isNamed) group.rule(key === 'allow', value);
      if (isGeneral) general.rule(key === 'allow', value);
    } else if (key === 'crawl-delay') {
      isRunOver = true;
      if (isNamed) group.delay(value);
      if (isGeneral) general.delay(value);
    } else if (key === 'sitemap') {
      sitemaps.push(flat(value));
    }
  }
  return (group.isThere ? group : general).rules(sitemaps);
}

class Group {
  isThere = false;
  #delaySeconds = 0;
  readonly #rules: Rule[] = [];

  rule(isAllowed: boolean, value: string): void {
    if (value === '') return;
    const isWhole = value.endsWith('$');
    const path = isWhole ? value.slice(0, -1) : `${value}*`;
    // A percent sign before a star that encodes nothing may also be the beginning of an encoded octet.
    const readings = /%[0-9a-f]?\*/i.test(path) ? ['rule', 'rule with half escapes'] as const : ['rule'] as const;
    for (const reading of readings) {
      const pattern = comparedOctets(path, reading);
      this.#rules.push({ pattern, length: pattern.length + (isWhole ? 1 : -1), isAllowed });
    }
  }

  delay(value: string): void {
    if (!/^(\d+\.?\d*|\.\d+)$/.test(value)) return;
    this.#delaySeconds = Math.max(this.#delaySeconds, Math.min(Number(value), CRAWL_DELAY_MOST_SECONDS));
  }

  rules(sitemaps: readonly string[]): RobotsRules {
    const index = new RuleIndex(this.#rules);
    const judge: RobotsRules['judge'] = (url) => {
      if (index.bytes === 0 || isRobotsTxt(url)) return leave;
      const path = url.pathname + url.search;
      const steps = { taken: STEPS_AN_OCTET * path.length, most: MAX_QUESTION_STEPS };
      const isAllowed = index.allows(comparedOctets(path, 'url'), steps);
      if (steps.taken > steps.most) return { refusal: 'robots.txt takes too long to match', steps: steps.taken };
      return { refusal: isAllowed ? undefined : 'denied by robots.txt', steps: steps.taken };
    };
    const bytes = sitemaps.reduce((sum, text) => sum + BYTES_A_SITEMAP + text.length, BYTES_A_RULES + index.bytes);
    return { judge, crawlDelayUs: Math.round(this.#delaySeconds * 1e6), sitemaps, bytes };
  }
}

/** A copy: a slice of a text would retain the whole text in memory. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function isRobotsTxt({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean {
  return pathname === '/robots.txt' && search === '';
}

/** Lines as latin1, one character per octet. */
function linesOf(body: Uint8Array): string[] {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_ROBOTS_BYTES)).toString('latin1');
  const lines = text.replace(/^(?:\xef\xbb\xbf|\xef\xbb|\xef)/, '').split(/\r\n?|\n/);
  if (body.length > MAX_ROBOTS_BYTES) lines.pop();
  return lines;
}

/** Keys in lower case; no regular expression, because a line may be as long as the file and consist of spaces. */
function fieldOf(line: string): { key: string; value: string } | undefined {
  const comment = line.indexOf('#');
  const text = trimmed(comment < 0 ? line : line.slice(0, comment));
  const colon = text.indexOf(':');
  if (colon >= 0) return { key: trimmed(text.slice(0, colon)).toLowerCase(), value: trimmed(text.slice(colon + 1)) };
  const words = text.split(/[ \t]+/);
  return words.length === 2 ? { key: words[0].toLowerCase(), value: words[1] } : undefined;
}

/** Trims spaces and tabs only; Unicode's other spaces are plain octets here. */
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
