import { decodeHTML } from 'entities';
import { MAX_ANCHOR_CHARS, MAX_TEXT_CHARS, textFields, type LinedText, type TextField } from '../page-text.ts';
import { CollapsedText, unitsOf } from './collapsed-text.ts';
import { ANCHOR, BLOCK, HEADING, SEPARATOR, SKIPPED, TITLE, type Element } from './elements.ts';
import { runLines } from './text-lines.ts';

/** The text of a page whose links are not yet resolved. */
export interface CollectedText extends Omit<LinedText, 'anchors'> {
  /** The words of each of its links, at the link's index. */
  readonly anchors: readonly string[];
}

/** Skipped elements that nest; the others end with their first end tag. */
const canNest = new Set(['svg', 'template']);
/** Skipped elements that do not separate the words around them. */
const isInvisible = new Set(['script', 'style', 'template']);

/** The unit that begins the line of a run. */
const headOf = (field: TextField): number => '0'.charCodeAt(0) + textFields.indexOf(field);
const [TITLE_HEAD, OTHER_HEAD] = [headOf('title'), headOf('other')];
const headingHeads = (['h1', 'h2', 'h3', 'h4', 'h5', 'other'] as const).map(headOf);
const languageTag = /^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,8}$/;

/** UTF-16 units: most documents have less. */
const MAX_ROOM_CHARS = 1 << 18;
/**
 * The collectors of a thread have it in turn, since no document is read before another one is done. With room of their
 * own, which is not of the heap, they would make collections frequent.
 */
const room = {
  document: new Uint16Array(MAX_ROOM_CHARS), runs: new Uint16Array(MAX_ROOM_CHARS),
  anchors: new Uint16Array(MAX_ROOM_CHARS),
};

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
 * Cost    O(text), whatever is nested. Memory: at most MAX_TEXT_CHARS, and as much for links. One at a time per thread.
 */
export class TextCollector {
  readonly units: Uint16Array;
  readonly #document: string;
  readonly #isXhtml: boolean;
  /** The place of the next `&` in the document, from the last piece on. */
  #nextReference = -1;
  /** The runs. */
  readonly #text = new CollapsedText(true, room.runs);
  /** Words of links; and the line of each link in them, -1 for one without words. */
  readonly #anchorWords = new CollapsedText(false, room.anchors);
  readonly #anchorLines: number[] = [];
  /** What may still be added to runs, and to anchors. */
  #leftChars = MAX_TEXT_CHARS;
  #leftAnchorChars = MAX_TEXT_CHARS;
  /** Whether the runs have no more room; and whether anything at all was left out. */
  #isFull = false;
  #isCut = false;
  #head = OTHER_HEAD;
  /** Blocks that are open in a heading. */
  #blocks = 0;
  #hasTitle = false;
  /** The element whose content is skipped, '' if there is none; and how many of its name are open. */
  #skipped = '';
  #skippedDepth = 0;
  /** The link whose words are collected; -1 if there is none. */
  #anchor = -1;
  #language = '';
  #contentLanguage = '';
  #description: { readonly at: number; readonly text: string; readonly isOwn: boolean } | undefined;

  constructor(document: string, isXhtml: boolean) {
    this.#document = document;
    this.units = unitsOf(document, room.document);
    this.#isXhtml = isXhtml;
  }

  /** A piece of the document's text; they come in order. */
  text(start: number, end: number): void {
    if (!this.#isRead) return;
    if (this.#nextReference < start) {
      const next = this.#document.indexOf('&', start);
      this.#nextReference = next < 0 ? Infinity : next;
    }
    if (this.#nextReference >= end) this.#add(this.units, start, end);
    else this.literal(decodeHTML(this.#document.slice(start, end)));
  }

  /** A piece of text without character references. */
  literal(piece: string): void {
    if (this.#isRead) this.#add(unitsOf(piece), 0, piece.length);
  }

  #add(text: Uint16Array, start: number, end: number): void {
    if (!this.#isFull && !this.#text.add(text, this.#leftChars, start, end)) this.#isFull = true;
    if (this.#anchor >= 0) this.#anchorWords.add(text, MAX_ANCHOR_CHARS, start, end);
  }

  open(element: Element, isSelfClosing: boolean): void {
    const { name, meaning } = element;
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
    else if (meaning >= HEADING) this.#openHeading(headingHeads[meaning - HEADING - 1]);
    if (isSelfClosing && this.#isXhtml) this.close(element);
  }

  close({ name, meaning }: Element): void {
    if (this.#skipped !== '') {
      if (name === this.#skipped && --this.#skippedDepth === 0) this.#skipped = '';
      return;
    }
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
    this.#anchorLines.push(-1);
    if (this.#skipped !== '') return;
    if (isAnchor) this.#anchor = this.#anchorLines.length - 1;
    else if (alt !== '') {
      this.#anchorWords.dropLine();
      this.#anchorWords.add(unitsOf(alt), MAX_ANCHOR_CHARS);
      this.#endWords(this.#anchorLines.length - 1);
    }
  }

  /** What an image shows, with its character references resolved. */
  alt(text: string): void {
    if (this.#anchor < 0 || this.#skipped !== '') return;
    this.#anchorWords.separate(MAX_ANCHOR_CHARS);
    this.#anchorWords.add(unitsOf(text), MAX_ANCHOR_CHARS);
    this.#anchorWords.separate(MAX_ANCHOR_CHARS);
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
    const { text, isCut } = collapsed(content, leftChars - this.#text.length);
    this.#isCut ||= isCut;
    if (text === '') return;
    this.#description = { at: this.#text.endedChars, text, isOwn };
    this.#leftChars = leftChars - text.length;
  }

  /** @param hasMore whether the document has links beyond those that were collected. */
  end(hasMore: boolean): CollectedText {
    this.#endRun();
    this.#endAnchor();
    const words = this.#anchorWords.lines().split('\n');
    return {
      lines: this.#lines(), language: this.#language || this.#contentLanguage,
      anchors: this.#anchorLines.map((line) => line < 0 ? '' : words[line]),
      isCut: this.#isFull || this.#isCut || hasMore,
    };
  }

  /** The runs, with the description where it stands. */
  #lines(): string {
    const lines = this.#text.lines();
    if (this.#description === undefined) return lines;
    const { at, text } = this.#description;
    return lines.slice(0, at) + runLines([{ field: 'description', text }]) + lines.slice(at);
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
    else this.#head = TITLE_HEAD;
    this.#hasTitle = true;
  }

  #openHeading(head: number): void {
    this.#endRun();
    this.#head = head;
    this.#blocks = 0;
  }

  #openBlock(): void {
    if (this.#head === OTHER_HEAD) this.#endRun();
    else if (this.#text.length === 0) this.#blocks++;
    else this.#endField();
    this.#anchorWords.separate(MAX_ANCHOR_CHARS);
  }

  #separate(): void {
    this.#text.separate(this.#leftChars);
    this.#anchorWords.separate(MAX_ANCHOR_CHARS);
  }

  #endField(): void {
    this.#endRun();
    this.#head = OTHER_HEAD;
    this.#blocks = 0;
  }

  #endRun(): void {
    this.#anchorWords.separate(MAX_ANCHOR_CHARS);
    this.#leftChars -= this.#text.endLine(Infinity, this.#head);
  }

  #endAnchor(): void {
    if (this.#anchor >= 0) this.#endWords(this.#anchor);
    else this.#anchorWords.dropLine();
    this.#anchor = -1;
  }

  /** The line of words belongs to a link. */
  #endWords(anchor: number): void {
    const { count } = this.#anchorWords;
    const chars = this.#anchorWords.endLine(this.#leftAnchorChars);
    if (this.#anchorWords.count > count) {
      this.#anchorLines[anchor] = count;
      this.#leftAnchorChars -= chars;
    } else if (chars > 0) this.#isCut = true;
  }
}

/** The text of a body that is plain text. */
export function plainText(text: string): LinedText {
  const { text: all, isCut } = collapsed(text, MAX_TEXT_CHARS);
  return { lines: runLines(all === '' ? [] : [{ field: 'other', text: all }]), language: '', anchors: [], isCut };
}

/** With one space for each piece of white space. */
function collapsed(text: string, maxChars: number): { readonly text: string; readonly isCut: boolean } {
  const collapsed = new CollapsedText();
  const isCut = !collapsed.add(unitsOf(text), maxChars);
  collapsed.endLine();
  return { text: collapsed.lines().slice(0, -1), isCut };
}

function languageOf(language: string): string {
  const tag = language.length > 100 ? '' : language.trim().toLowerCase().replaceAll('_', '-');
  return languageTag.test(tag) ? tag : '';
}
