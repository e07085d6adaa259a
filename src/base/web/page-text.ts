/**
 * Where a piece of a page's text stands. The position in this list is stored in indexes. `h6` counts as `other`;
 * `description` is what the page says of itself in a `meta`.
 */
export const textFields = ['title', 'h1', 'h2', 'h3', 'h4', 'h5', 'other', 'description'] as const;
export type TextField = (typeof textFields)[number];

/** A piece of text in one field. White space is collapsed; pieces of separate blocks are separate runs. */
export interface TextRun {
  readonly field: TextField;
  readonly text: string;
}

/** The words of a link, and where it leads. */
export interface Anchor {
  /** Canonical URL. */
  readonly url: string;
  /** At most MAX_ANCHOR_CHARS; '' for a link without words. */
  readonly text: string;
}

/** What searchers see of a page, and what it says of others. */
export interface PageText {
  /** The document's text, at most MAX_TEXT_CHARS in all. */
  readonly runs: readonly TextRun[];
  /** As declared (`lang` of `html`, or a `meta`), in lower case; '' if it is not. */
  readonly language: string;
  /** Links that may be followed, in the order of the document, repeated ones included. */
  readonly anchors: readonly Anchor[];
  /** Whether text or anchors were left out because there was too much. */
  readonly isCut: boolean;
}

/** A page's text with its runs as lines (`runLines`), as crawls and indexes store it. */
export interface LinedText extends Omit<PageText, 'runs'> {
  readonly lines: string;
}

/** UTF-16 units of text per page: a novel. */
export const MAX_TEXT_CHARS = 1 << 20;
/** UTF-16 units per anchor: longer ones wrap whole paragraphs. */
export const MAX_ANCHOR_CHARS = 256;
