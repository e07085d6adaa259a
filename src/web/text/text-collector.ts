import { MAX_ANCHOR_CHARS, MAX_TEXT_CHARS, type PageText, type TextField, type TextRun } from '../page-text.ts';
import { withTextReferences } from '../references.ts';

/** The text of a page whose links are not yet resolved. */
export interface CollectedText extends Omit<PageText, 'anchors'> {
  /** The words of each of its links, at the link's index. */
  readonly anchors: readonly string[];
}

const BLOCK = 1;
/** Stands in a line, and separates the words before and after it. */
const SEPARATOR = 2;
/** What browsers do not show as text. */
const SKIPPED = 3;
const TITLE = 4;
const ANCHOR = 5;
/** HEADING + n for `h1` to `h6`. */
const HEADING = 10;

/** What elements mean for text; the others are parts of a line. */
const meanings = new Map<string, number>([
  ...words(BLOCK, `address article aside blockquote body caption center col colgroup dd details dialog dir div dl dt
    fieldset figcaption figure footer form frameset head header hgroup hr html legend li main menu nav ol optgroup
    option p plaintext pre search section summary table tbody td tfoot th thead tr ul xmp`),
  ...words(SEPARATOR, 'audio br button canvas datalist embed img input meter object progress select video'),
  ...words(SKIPPED, 'iframe noembed noframes noscript script style svg template textarea'),
  ['title', TITLE], ['a', ANCHOR],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, number] => [`h${level}`, HEADING + level]),
]);
/** Of those whose content is skipped; the others end with their first end tag. */
const canNest = new Set(['svg', 'template']);
/** Of those whose content is skipped: words before and after are one. */
const isInvisible = new Set(['script', 'style', 'template']);
/** Elements with longer names mean nothing for text. */
export const MAX_ELEMENT_CHARS = Math.max(...[...meanings.keys()].map((name) => name.length));

function words(meaning: number, names: string): [string, number][] {
  return names.split(/\s+/).map((name) => [name, meaning]);
}

const headings: readonly TextField[] = ['h1', 'h2', 'h3', 'h4', 'h5', 'other'];
const languageTag = /^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,8}$/;

/**
 * Collects the text of an HTML document from the tokens of its one pass (html-links.ts).
 *
 *  - The content of `script`, `style`, `template`, `noscript`, `textarea`, `svg` and frames is no text.
 *  - Elements that are part of a line do not separate words; blocks end runs; `br`, images and controls separate words.
 *  - A heading ends with its end tag, or that of another heading. If it already has words, it also ends with the next
 *    block: an unclosed heading does not take the rest of the page, and a block around its words stays part of it.
 *  - The title is the first `title`. A description is the first `meta name=description`, or else `og:description`.
 *  - The words of a link end with the next `a`, as in browsers. Images in it count by their `alt`, there alone.
 *
 * Cost    O(text), whatever is nested. Memory: at most MAX_TEXT_CHARS, and as much for links.
 */
export class TextCollector {
  readonly #isXhtml: boolean;
  readonly #runs: TextRun[] = [];
  readonly #anchors: string[] = [];
  /** What may still be added to runs, and to anchors. */
  #leftChars = MAX_TEXT_CHARS;
  #leftAnchorChars = MAX_TEXT_CHARS;
  /** Whether the runs have no more room; and whether anything at all was left out. */
  #isFull = false;
  #isCut = false;
  #field: TextField = 'other';
  readonly #run = new Line();
  /** Blocks that are open in a heading. */
  #blocks = 0;
  #hasTitle = false;
  /** The element whose content is skipped, '' if there is none; and how many of its name are open. */
  #skipped = '';
  #skippedDepth = 0;
  /** The link whose words are collected; -1 if there is none. */
  #anchor = -1;
  readonly #anchorWords = new Line();
  #language = '';
  #contentLanguage = '';
  #description: { readonly at: number; readonly text: string; readonly isOwn: boolean } | undefined;

  constructor(isXhtml: boolean) {
    this.#isXhtml = isXhtml;
  }

  /** A piece of text as written. */
  text(raw: string): void {
    if (this.#isRead) this.literal(withTextReferences(raw));
  }

  /** A piece of text without character references. */
  literal(piece: string): void {
    if (!this.#isRead) return;
    const text = collapsed(piece);
    if (!this.#isFull && !this.#run.add(text, this.#leftChars)) this.#isFull = true;
    if (this.#anchor >= 0) this.#anchorWords.add(text, MAX_ANCHOR_CHARS);
  }

  /** @param name in lower case. */
  open(name: string, isSelfClosing: boolean): void {
    const meaning = meanings.get(name) ?? 0;
    if (this.#skipped !== '') {
      // A block ends an `svg`, as in browsers.
      if (this.#skipped !== 'svg' || (meaning !== BLOCK && meaning < HEADING)) {
        if (name === this.#skipped && !isSelfClosing && canNest.has(name)) this.#skippedDepth++;
        return;
      }
      this.#skipped = '';
    }
    if (meaning === SKIPPED) {
      if (!isInvisible.has(name)) this.#separate();
      if (!isSelfClosing || !(this.#isXhtml || name === 'svg')) this.#skip(name);
      return;
    }
    if (meaning === BLOCK) this.#openBlock();
    else if (meaning === ANCHOR) this.#endAnchor();
    else if (meaning === SEPARATOR) this.#separate();
    else if (meaning === TITLE) this.#openTitle();
    else if (meaning >= HEADING) this.#openHeading(headings[meaning - HEADING - 1]);
    if (isSelfClosing && this.#isXhtml) this.close(name);
  }

  /** @param name in lower case. */
  close(name: string): void {
    if (this.#skipped !== '') {
      if (name === this.#skipped && --this.#skippedDepth === 0) this.#skipped = '';
      return;
    }
    const meaning = meanings.get(name) ?? 0;
    if (meaning === ANCHOR) this.#endAnchor();
    else if (meaning === SEPARATOR) this.#separate();
    else if (meaning === TITLE || meaning >= HEADING) this.#endField();
    else if (meaning === BLOCK) {
      if (this.#blocks > 0) this.#endRun();
      else this.#endField();
      this.#blocks = Math.max(0, this.#blocks - 1);
    }
  }

  /**
   * The tag that was opened last is the next link.
   * @param isAnchor - whether the words that follow are its own.
   * @param alt - its words otherwise.
   */
  link(isAnchor: boolean, alt = ''): void {
    this.#anchors.push('');
    if (this.#skipped !== '') return;
    if (isAnchor) this.#anchor = this.#anchors.length - 1;
    else if (alt !== '') {
      const words = new Line();
      words.add(collapsed(alt), MAX_ANCHOR_CHARS);
      this.#setAnchor(this.#anchors.length - 1, words.take());
    }
  }

  /** What an image shows, with its character references resolved. */
  alt(text: string): void {
    if (this.#anchor >= 0 && this.#skipped === '') this.#anchorWords.add(` ${collapsed(text)} `, MAX_ANCHOR_CHARS);
  }

  language(lang: string): void {
    this.#language ||= languageOf(lang);
  }

  /** What a `meta` says of the page. @param name in lower case; character references of both are resolved. */
  meta(name: string, content: string): void {
    if (name === 'content-language') this.#contentLanguage ||= languageOf(content);
    const isOwn = name === 'description';
    if (this.#skipped !== '' || !(isOwn || name === 'og:description')) return;
    if (this.#description !== undefined && (this.#description.isOwn || !isOwn)) return;
    const leftChars = this.#leftChars + (this.#description?.text.length ?? 0);
    const line = new Line();
    if (!line.add(collapsed(content), leftChars - this.#run.length)) this.#isCut = true;
    const text = line.take();
    if (text === '') return;
    this.#description = { at: this.#runs.length, text, isOwn };
    this.#leftChars = leftChars - text.length;
  }

  /** @param hasMore whether the document has links beyond those that were collected. */
  end(hasMore: boolean): CollectedText {
    this.#endRun();
    this.#endAnchor();
    if (this.#description !== undefined) {
      const { at, text } = this.#description;
      this.#runs.splice(at, 0, { field: 'description', text });
    }
    return {
      runs: this.#runs, language: this.#language || this.#contentLanguage, anchors: this.#anchors,
      isCut: this.#isFull || this.#isCut || hasMore,
    };
  }

  get #isRead(): boolean {
    return this.#skipped === '' && (!this.#isFull || this.#anchor >= 0);
  }

  #skip(name: string): void {
    this.#skipped = name;
    this.#skippedDepth = 1;
  }

  #openTitle(): void {
    this.#endRun();
    if (this.#hasTitle) this.#skip('title');
    else this.#field = 'title';
    this.#hasTitle = true;
  }

  #openHeading(field: TextField): void {
    this.#endRun();
    this.#field = field;
    this.#blocks = 0;
  }

  #openBlock(): void {
    if (this.#field === 'other') this.#endRun();
    else if (this.#run.length === 0) this.#blocks++;
    else this.#endField();
    this.#anchorWords.add(' ', MAX_ANCHOR_CHARS);
  }

  #separate(): void {
    this.#run.add(' ', this.#leftChars);
    this.#anchorWords.add(' ', MAX_ANCHOR_CHARS);
  }

  #endField(): void {
    this.#endRun();
    this.#field = 'other';
    this.#blocks = 0;
  }

  #endRun(): void {
    this.#anchorWords.add(' ', MAX_ANCHOR_CHARS);
    const text = this.#run.take();
    if (text === '') return;
    this.#runs.push({ field: this.#field, text });
    this.#leftChars -= text.length;
  }

  #endAnchor(): void {
    const words = this.#anchorWords.take();
    if (this.#anchor >= 0) this.#setAnchor(this.#anchor, words);
    this.#anchor = -1;
  }

  #setAnchor(anchor: number, words: string): void {
    if (words.length > this.#leftAnchorChars) this.#isCut = true;
    else {
      this.#anchors[anchor] = words;
      this.#leftAnchorChars -= words.length;
    }
  }
}

/** By number: it is asked of every piece. */
const SPACE = 32;

/** Text in which white space is collapsed where its pieces meet. It is read once, as its pieces are many. */
class Line {
  length = 0;
  #text = '';
  #isSpaced = true;

  /** @returns false if something was left out, because there would be more than `maxChars`. */
  add(text: string, maxChars: number): boolean {
    const more = this.#isSpaced && text.charCodeAt(0) === SPACE ? text.slice(1) : text;
    if (more === '') return true;
    const added = this.length + more.length > maxChars ? cut(more, maxChars - this.length) : more;
    this.#text += added;
    this.length += added.length;
    this.#isSpaced = more.charCodeAt(more.length - 1) === SPACE;
    return added === more || more === ' ';
  }

  take(): string {
    const text = this.#text.trimEnd();
    this.#text = '';
    this.length = 0;
    this.#isSpaced = true;
    return text;
  }
}

/** The text of a body that is plain text. */
export function plainText(text: string): PageText {
  const line = new Line();
  const isCut = !line.add(collapsed(text), MAX_TEXT_CHARS);
  const all = line.take();
  return { runs: all === '' ? [] : [{ field: 'other', text: all }], language: '', anchors: [], isCut };
}

/** Its first UTF-16 units, without half a character. */
function cut(text: string, maxChars: number): string {
  if (maxChars <= 0) return '';
  const last = text.charCodeAt(maxChars - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxChars - 1 : maxChars);
}

function languageOf(language: string): string {
  const tag = language.length > 100 ? '' : language.trim().toLowerCase().replaceAll('_', '-');
  return languageTag.test(tag) ? tag : '';
}

/** With one space for each piece of white space. */
function collapsed(text: string): string {
  // Most pieces between tags are line ends.
  if (text === '\n') return ' ';
  return /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text;
}
