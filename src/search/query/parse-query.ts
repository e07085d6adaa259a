import { InputError, quoted } from '../../base/index.ts';
import { MAX_QUERY_WORDS } from '../ranking/ranking.ts';
import { wordsOf } from '../words/index.ts';

/** UTF-16 units of a query. */
export const MAX_QUERY_CHARS = 2000;

/** Words that must follow each other in a document. */
export interface Phrase {
  /** One or more. */
  readonly words: readonly string[];
  readonly isInTitle: boolean;
}

/** The parts of a query. */
export interface ParsedQuery {
  /** All words that are wanted, in the order of the query. */
  readonly words: readonly string[];
  /** Phrases, and words of the title, that a document must also have. */
  readonly required: readonly Phrase[];
  /** Phrases that it must not have. */
  readonly excluded: readonly Phrase[];
  /** Hosts, of which it must be on one, or on a host below it; any if there are none. */
  readonly sites: readonly string[];
  /** Hosts that it must not be on, nor on hosts below them. */
  readonly excludedSites: readonly string[];
  /** Words beyond MAX_QUERY_WORDS, which are not looked for. */
  readonly ignored: readonly string[];
}

/**
 * A minus, an operator, and a phrase (which may lack its last quotation mark) or what goes on to the next space. Two
 * minuses begin a word, an option of a command.
 */
const parts = /(-(?!-))?(?:(site|title):)?(?:"([^"]*)("?)|([^\s"]+))/giu;

/**
 * Reads a query as people type it: words, "phrases", title:word, title:"phrase", site:host, and each of these after a
 * minus. Whatever has no such form is words.
 *
 * @throws InputError for a query that is too long, and for one without a word to look for.
 */
export function parseQuery(query: string): ParsedQuery {
  if (query.length > MAX_QUERY_CHARS)
    throw new InputError(`query: has ${query.length} characters; at most ${MAX_QUERY_CHARS} are allowed`);
  const parsed = {
    words: [] as string[], required: [] as Phrase[], excluded: [] as Phrase[], sites: [] as string[],
    excludedSites: [] as string[], ignored: [] as string[],
  };
  let count = 0;
  const matches: Iterable<readonly (string | undefined)[]> = query.matchAll(parts);
  for (const [, minus, operator = '', phrase, , word = ''] of matches) {
    const isExcluded = minus !== undefined;
    if (operator.toLowerCase() === 'site') {
      const host = hostOf(phrase ?? word);
      if (host !== '') (isExcluded ? parsed.excludedSites : parsed.sites).push(host);
      continue;
    }
    const all = wordsOf(phrase ?? word);
    const words = all.slice(0, Math.max(0, MAX_QUERY_WORDS - count));
    count += words.length;
    parsed.ignored.push(...all.slice(words.length));
    if (words.length === 0) continue;
    const isInTitle = operator !== '';
    if (isExcluded) parsed.excluded.push({ words, isInTitle });
    else parsed.words.push(...words);
    if (!isExcluded && (isInTitle || phrase !== undefined)) parsed.required.push({ words, isInTitle });
  }
  if (parsed.words.length === 0) {
    const what = query.trim() === '' ? 'is empty' : `${quoted(query)} has no word to look for`;
    throw new InputError(`query: ${what}; expected a word, a "phrase" or title:word; site: and - narrow these down`);
  }
  return parsed;
}

/** A query that means the same on one host alone. */
export function onHost(query: string, host: string): string {
  const matches: (readonly (string | undefined)[])[] = [...query.matchAll(parts)];
  const others = matches.filter(([, minus, operator]) => minus !== undefined || operator?.toLowerCase() !== 'site');
  // A phrase that is not closed would go on to the end.
  return [...others.map(([part, , , , end]) => (end === '' ? `${part}"` : part)), `site:${host}`].join(' ');
}

/** The host that is meant by a host, or a URL. */
function hostOf(typed: string): string {
  const host = typed.toLowerCase().replace(/^https?:\/\//, '').replace(/[/?#].*$/s, '').replace(/^[*.]+|\.+$/g, '');
  // Spelled as in URLs. A text that is no host stays as it is, and no page is on it.
  return URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : host;
}
