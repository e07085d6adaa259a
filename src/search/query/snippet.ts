import type { TextRun } from '../../base/web/index.ts';
import { markedWords, type MarkedWord } from '../words/index.ts';

/** UTF-16 units of a snippet, about. */
const SNIPPET_CHARS = 220;
/** Text before the first word that was looked for. */
const LEAD_CHARS = 60;

/** A piece of a snippet; a match is a word of the query. */
export interface SnippetPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A part of a run, with the words of the query in it. */
interface Window {
  readonly text: string;
  readonly matches: readonly MarkedWord[];
  readonly distinct: number;
}

/**
 * The part of a text that has most of the words of a query, the earliest if there are several; the description or the
 * beginning if it has none of them. Titles are left out: they are shown above.
 *
 * Cost   O(length of the text); it ends where all words are found together.
 */
export function snippet(runs: readonly TextRun[], words: ReadonlySet<string>): SnippetPart[] {
  const marked = markedWords(words);
  let best: Window | undefined;
  for (const { field, text } of runs) {
    if (field === 'title') continue;
    const window = bestWindow(text, marked(text), words.size, best);
    if (window !== undefined) best = window;
    if (best?.distinct === words.size) break;
  }
  if (best !== undefined) return cut(best.text, best.matches);
  const shownRun = runs.find(({ field }) => field === 'description') ?? runs.find(({ field }) => field === 'other');
  return shownRun === undefined ? [] : cut(shownRun.text, []);
}

/** The best part of a run, if it is better than `best`. */
function bestWindow(
  text: string, matches: Iterable<MarkedWord>, words: number, best: Window | undefined,
): Window | undefined {
  const inside: MarkedWord[] = [];
  let better: Window | undefined;
  for (const match of matches) {
    inside.push(match);
    while (inside[0].start < match.end - (SNIPPET_CHARS - LEAD_CHARS) && inside.length > 1) inside.shift();
    const distinct = new Set(inside.map(({ word }) => word)).size;
    const than = better ?? best;
    if (than !== undefined && (distinct - than.distinct || inside.length - than.matches.length) <= 0) continue;
    better = { text, matches: [...inside], distinct };
    if (distinct === words) break;
  }
  return better;
}

/** About SNIPPET_CHARS of a text from a little before the first match, at ends of words, with its matches marked. */
function cut(text: string, matches: readonly MarkedWord[]): SnippetPart[] {
  const first = matches.at(0)?.start ?? 0;
  const ideal = Math.max(0, Math.min(first - LEAD_CHARS, text.length - SNIPPET_CHARS));
  const start = ideal === 0 ? 0 : Math.min(first, wordEnd(text, ideal));
  const end = Math.min(text.length, Math.max(matches.at(-1)?.end ?? 0, wordStart(text, start + SNIPPET_CHARS)));
  const parts: SnippetPart[] = [];
  const add = (part: string, isMatch: boolean): void => {
    if (part !== '') parts.push({ text: part, isMatch });
  };
  let at = start;
  for (const match of matches) {
    add((at === start && start > 0 ? '... ' : '') + text.slice(at, match.start), false);
    add(text.slice(match.start, match.end), true);
    at = match.end;
  }
  add(text.slice(at, end) + (end < text.length ? ' ...' : ''), false);
  return parts;
}

/** The beginning of the next word, if that is near. */
function wordEnd(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space >= 0 && space - at < LEAD_CHARS ? space + 1 : wholeCharacter(text, at);
}

/** The end of the word before, if that is near. */
function wordStart(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const space = text.lastIndexOf(' ', at);
  return space > 0 && at - space < LEAD_CHARS ? space : wholeCharacter(text, at);
}

/** Not between two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? '') ? at - 1 : at;
}
