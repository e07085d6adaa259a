import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { noCallbacks, withReferences } from './references.ts';
import { saysNofollow, saysNoindex } from './robots-words.ts';
import { MAX_ELEMENT_CHARS, TextCollector, type CollectedText } from './text/text-collector.ts';

/** The links of a page before they are resolved. */
export interface PageLinks {
  /** The href of its first `base`, which need not be a URL. */
  readonly base: string | undefined;
  /** As written, in page order; bare fragments, which lead to a place in the page, are left out. */
  readonly links: readonly string[];
  /** Links left out because they, or the page, say `nofollow`. */
  readonly nofollow: number;
}

/** The links of an HTML document, and what it says about itself. */
export interface HtmlLinks extends PageLinks {
  /** Links beyond `most`. */
  readonly beyond: number;
  /** The href of its first `link rel=canonical`. */
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  /** If `text` was asked for. */
  readonly text?: CollectedText;
}

export interface HtmlLinksOptions {
  /** Maximum number of links, the first ones; by default all. */
  readonly most?: number | undefined;
  /** The crawler that a `meta` may address besides `robots`, in lower case. */
  readonly agent?: string | undefined;
  /** XHTML: `<script/>` is a whole element. */
  readonly isXhtml?: boolean | undefined;
  /** Whether the text is collected in the same pass, which then takes two to four times as long. */
  readonly text?: boolean | undefined;
}

/** The attribute that makes an element a link. */
const linkAttribute = new Map([['a', 'href'], ['area', 'href'], ['frame', 'src'], ['iframe', 'src']]);
const tagsRead = new Set([...linkAttribute.keys(), 'base', 'meta', 'link']);
/** What the text needs besides. */
const tagsReadForText = new Set([...tagsRead, 'html', 'img']);
const attributesRead = new Map(
  ['href', 'src', 'rel', 'name', 'content', 'http-equiv', 'alt', 'lang', 'xml:lang', 'property'].map((name, slot) => (
    [name, slot]
  )),
);
/** First letters and lengths, which rule out most names without creating a string. */
const tagLetters = 'abfilmABFILM';
const MAX_TAG_CHARS = Math.max(...[...tagsRead].map((name) => name.length));
const attributeLengths = new Set([...attributesRead.keys()].map((name) => name.length));

/**
 * The links of an HTML document that lead a crawler to further pages: `a` and `area` href, `frame` and `iframe` src,
 * and where `meta http-equiv=refresh` leads. Images, styles, scripts and forms are not links. The tokenizer is used,
 * not htmlparser2's Parser, which searches its stack of open elements at every end tag, so that a hostile page costs
 * quadratic time.
 *
 * Cost  O(text). Character references are resolved only in the attributes that are read, which saves half the time.
 */
export function htmlLinks(text: string, options: HtmlLinksOptions = {}): HtmlLinks {
  const { most = Infinity, agent, isXhtml = false } = options;
  const collector = options.text === true ? new TextCollector(isXhtml) : undefined;
  const links: string[] = [];
  let base: string | undefined;
  let canonical: string | undefined;
  let nofollow = 0;
  let beyond = 0;
  let pageNofollow = false as boolean;
  let noindex = false as boolean;

  /** The tag's name, if its attributes are read; and if its meaning for the text is. */
  let tag = '';
  let element = '';
  let slot = -1;
  // Where in the text the value of each attribute of the tag begins; -1 if it has none.
  const starts = new Int32Array(attributesRead.size);
  const ends = new Int32Array(attributesRead.size);
  const attribute = (name: string): string | undefined => {
    const at = attributesRead.get(name)!;
    return starts[at] < 0 ? undefined : withReferences(text.slice(starts[at], ends[at]));
  };
  const link = (href: string, isAnchor = false): void => {
    if (/^[\0- ]*#/.test(href)) return;
    if (links.length < most) {
      links.push(href);
      collector?.link(isAnchor, attribute('alt'));
    } else beyond++;
  };
  const meta = (): void => {
    const name = attribute('name')?.trim().toLowerCase();
    if (name !== undefined && (name === 'robots' || name === agent)) {
      const words = attribute('content') ?? '';
      pageNofollow ||= saysNofollow(words);
      noindex ||= saysNoindex(words);
    }
    const equivalent = attribute('http-equiv')?.toLowerCase();
    collector?.meta(name ?? attribute('property')?.toLowerCase() ?? equivalent ?? '', attribute('content') ?? '');
    if (equivalent === 'refresh') {
      const target = refreshTarget(attribute('content') ?? '');
      if (target !== '') link(target);
    }
  };
  const tagDone = (isSelfClosing: boolean): void => {
    collector?.open(element, isSelfClosing);
    if (tag === '') return;
    if (tag === 'html') collector?.language(attribute('lang') ?? attribute('xml:lang') ?? '');
    else if (tag === 'img') collector?.alt(attribute('alt') ?? '');
    else if (tag === 'base') base ??= attribute('href');
    else if (tag === 'meta') meta();
    else if (tag === 'link') {
      if (/(^|\s)canonical(\s|$)/i.test(attribute('rel') ?? '')) canonical ??= attribute('href');
    } else {
      const href = attribute(linkAttribute.get(tag)!);
      if (href === undefined) return;
      if (saysNofollow(attribute('rel') ?? '')) nofollow++;
      else link(href, tag === 'a' && !(isSelfClosing && isXhtml));
    }
  };
  const tags = collector === undefined ? tagsRead : tagsReadForText;
  const callbacks: TokenizerCallbacks = {
    ...noCallbacks,
    onopentagname(start, end) {
      tag = element = '';
      const isRead = end - start <= MAX_TAG_CHARS && tagLetters.includes(text[start]);
      if (!isRead && (collector === undefined || end - start > MAX_ELEMENT_CHARS)) return;
      element = text.slice(start, end).toLowerCase();
      if (!tags.has(element)) return;
      tag = element;
      starts.fill(-1);
    },
    onattribname(start, end) {
      slot =
        tag === '' || !attributeLengths.has(end - start)
          ? -1
          : (attributesRead.get(text.slice(start, end).toLowerCase()) ?? -1);
      // Of attributes with the same name the first counts.
      if (slot >= 0 && starts[slot] >= 0) slot = -1;
    },
    onattribdata(start, end) {
      if (slot < 0) return;
      starts[slot] = start;
      ends[slot] = end;
    },
    onattribend() {
      if (slot >= 0 && starts[slot] < 0) starts[slot] = ends[slot] = 0;
    },
    onopentagend() { tagDone(false); },
    onselfclosingtag() { tagDone(true); },
  };
  if (collector !== undefined) {
    callbacks.ontext = (start, end) => { collector.text(text.slice(start, end)); };
    if (isXhtml)
      callbacks.oncdata = (start, end, offset) => { collector.literal(text.slice(start, end - offset)); };
    callbacks.onclosetag = (start, end) => {
      if (end - start <= MAX_ELEMENT_CHARS) collector.close(text.slice(start, end).toLowerCase());
    };
  }
  const tokenizer = quick(new Tokenizer({ decodeEntities: false, recognizeSelfClosing: isXhtml }, callbacks));
  tokenizer.write(text);
  tokenizer.end();
  const collected = collector?.end(beyond > 0);
  const about = { base, canonical, noindex };
  return pageNofollow
    ? {
        ...about, links: [], beyond: 0, nofollow: nofollow + links.length + beyond,
        ...(collected && { text: { ...collected, anchors: [] } }),
      }
    : { ...about, links, beyond, nofollow, ...(collected && { text: collected }) };
}

/** The members of a tokenizer used to skip to a character (htmlparser2 12). */
interface Skipping {
  readonly buffer: string;
  readonly offset: number;
  index: number;
  fastForwardTo(character: number): boolean;
}

/**
 * Makes it skip by the engine's own search instead of character by character: text and comments, most of a page, cost a
 * tenth.
 */
function quick(tokenizer: Tokenizer): Tokenizer {
  const skipping = tokenizer as unknown as Skipping;
  // Another version may lack these members and then runs at its own speed.
  const isKnown =
    typeof skipping.fastForwardTo === 'function' && ['buffer', 'offset', 'index'].every((name) => name in skipping);
  if (isKnown) skipping.fastForwardTo = fastForwardTo;
  return tokenizer;
}

function fastForwardTo(this: Skipping, character: number): boolean {
  const at = this.buffer.indexOf(String.fromCharCode(character), this.index - this.offset + 1);
  this.index = this.offset + (at < 0 ? this.buffer.length - 1 : at);
  return at >= 0;
}

const refresh =
  /^[\t\n\f\r ]*[\d.]+(?:[\t\n\f\r ]*[;,]|[\t\n\f\r ])[\t\n\f\r ]*(?:url[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|([^]*))/i;

/**
 * Where a refresh leads (WHATWG HTML, "shared declarative refresh steps"); '' if to the page itself, or if it is not a
 * refresh.
 */
export function refreshTarget(content: string): string {
  const found = refresh.exec(content) as (string | undefined)[] | null;
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}
