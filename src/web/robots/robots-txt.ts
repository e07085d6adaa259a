import { comparedOctets } from './octets.ts';
import { RuleIndex, type Rule } from './rule-index.ts';

/** What is read of a robots.txt (RFC 9309, section 2.5): a line that is cut there is not. */
export const ROBOTS_BYTES_MOST = 500 << 10;

/**
 * Most steps that a question may take: below 5 ms, for none takes longer than 6 ns (`npm run live -- hostile-robots`).
 * A page whose question takes more is denied. Steps are counted, not timed, so that the answer is the same whatever
 * else the machine does.
 */
export const QUESTION_STEPS_MOST = 800_000;

/** Longer delays are cut to a day: robots.txt holds for no longer (section 2.4). */
const CRAWL_DELAY_MOST_SECONDS = 86_400;

const BYTES_A_RULES = 200;
const BYTES_A_SITEMAP = 80;
/** Of the path, to spell it. */
const STEPS_AN_OCTET = 3;

/** The answer to the question whether a page may be asked for. */
export interface Verdict {
  /** Why it may not, in words; undefined where it may. */
  readonly refusal: string | undefined;
  /** What the answer cost: the same for the same file and URL on any machine. */
  readonly steps: number;
}

/** What a robots.txt says to one crawler. */
export interface RobotsRules {
  /** Whether a page of that origin may be asked for. */
  judge(url: URL): Verdict;
  /** Least time between two requests, in microseconds; 0 where none is asked for. */
  readonly crawlDelayUs: number;
  /** URLs of sitemaps as they stand there, of any host. */
  readonly sitemaps: readonly string[];
  /** About what it takes in memory. */
  readonly bytes: number;
}

const leave: Verdict = { refusal: undefined, steps: 0 };
const denied: Verdict = { refusal: 'robots.txt could not be had', steps: 0 };

export const allowAll: RobotsRules = { judge: () => leave, crawlDelayUs: 0, sitemaps: [], bytes: 0 };

/**
 * Of an origin whose robots.txt nobody knows: as if it said `Disallow: /`; the robots.txt itself may always be asked
 * for.
 */
export const disallowAll: RobotsRules = { ...allowAll, judge: (url) => isRobotsTxt(url) ? leave : denied };

/**
 * Reads a robots.txt for the crawler of a product token, by RFC 9309.
 *
 *  - Groups that name the token, in any case, are merged; where none does, those of `*` are. Lines that are no rules
 *    (Sitemap, and what is unknown) do not end a run of User-agent lines, which the rules below it share. Rules before
 *    any User-agent are nobody's.
 *  - Of the rules that match, the one of most octets holds; of an Allow and a Disallow of the same length, the Allow.
 *    `*` stands for any characters, `$` at the end for the end. An empty path matches nothing.
 *  - Octets are compared, percent-encoded where they are not ASCII or may not stand in a URL, and decoded where they
 *    are letters, digits or `-._~` (section 2.2.2), on both sides. Reserved characters are the only ones for which
 *    `%2F` and `/` are two things. A percent sign that encodes nothing is `%25`; before a star, written or not, it may
 *    also begin an encoded octet: `/a%2` matches `/a%2Fb`.
 *  - Lines end at LF, CR or both; a byte order mark, whole or cut, is passed over; comments begin at `#`.
 *
 * Beyond the RFC, as Google's parser has it: of a User-agent line the token counts up to the first character that
 * cannot be of one (`foo/2.1` is `foo`), and two words without a colon (`disallow /`) are a line, for whoever wrote it
 * meant it. Crawl-delay: seconds, with a fraction or not, cut to a day; of several the longest; what is no number is
 * ignored.
 *
 * Against both: a Crawl-delay ends a run of User-agent lines as a rule does. Where somebody is asked for a delay alone,
 * and what follows is `User-agent: badbot` and `Disallow: /`, the author does not mean to deny both (src/DECISIONS.md).
 *
 * A parser of our own, for robots-parser 3 compares percent-encoded letters undecoded, may deny /robots.txt itself, and
 * takes an unknown line between two User-agent lines for the end of their run.
 *
 * @param body  octets, of which the first 500 KiB are read.
 * @param agent product token: letters, `-` and `_`.
 *
 * Errors   none: what is not understood is passed over.
 * Cost     O(octets), under 0.1 s for the most hostile 500 KiB; memory O(octets of the rules that hold for the token).
 *          A question: see RuleIndex, at most QUESTION_STEPS_MOST steps and the search that passes them. Of 4,231 real
 *          files none takes more than 6 % of them, when it is asked about paths of 2,048 characters made of its own
 *          rules (`npm run live -- robots`).
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
      isRunOver = true;
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
  readonly #rules: Rule[] = [];

  rule(isAllowed: boolean, value: string): void {
    if (value === '') return;
    const isWhole = value.endsWith('$');
    const path = isWhole ? value.slice(0, -1) : `${value}*`;
    // A percent sign that encodes nothing, before a star: it may be the beginning of an encoded octet as well.
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
    const judge = (url: URL): Verdict => {
      if (index.bytes === 0 || isRobotsTxt(url)) return leave;
      const path = url.pathname + url.search;
      const steps = { taken: STEPS_AN_OCTET * path.length, most: QUESTION_STEPS_MOST };
      const isAllowed = index.allows(comparedOctets(path, 'url'), steps);
      if (steps.taken > steps.most) return { refusal: 'robots.txt takes too long to match', steps: steps.taken };
      return { refusal: isAllowed ? undefined : 'denied by robots.txt', steps: steps.taken };
    };
    const bytes = sitemaps.reduce((sum, text) => sum + BYTES_A_SITEMAP + text.length, BYTES_A_RULES + index.bytes);
    return { judge, crawlDelayUs: Math.round(this.#delaySeconds * 1e6), sitemaps, bytes };
  }
}

/** A copy: a piece of a text would keep the whole text in memory. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function isRobotsTxt(url: URL): boolean {
  return url.pathname === '/robots.txt' && url.search === '';
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
