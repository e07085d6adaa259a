import { decodeHTMLAttribute } from 'entities';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { HtmlContext, scriptEnd } from './text/html-context.ts';
import { refreshTarget } from './http/refresh.ts';
import { withEncodedQuery } from './query-encoding.ts';
import { saysNofollow, saysNoindex } from './robots-words.ts';
import { elementAt, otherElement } from './text/elements.ts';
import { TextCollector, type CollectedText } from './text/text-collector.ts';

/** The links of a page before they are resolved; queries are encoded by the page's encoding. */
export interface PageLinks {
  /** The href of its first `base`, which need not be a URL. */
  readonly base: string | undefined;
  /** Otherwise as written, in page order; bare fragments, which lead to a place in the page, are left out. */
  readonly links: readonly string[];
  /** Links left out because they, or the page, say `nofollow`. */
  readonly nofollow: number;
  /** Whether the page says it, in a `meta`: of its links, and of where its Refresh leads. */
  readonly isNofollow: boolean;
}

/** The links of an HTML document, and what it says about itself. */
export interface HtmlLinks extends PageLinks {
  /** Links beyond `most`. */
  readonly beyond: number;
  /** The href of its first `link rel=canonical`. */
  readonly canonical: string | undefined;
  readonly noindex: boolean;
  /** If `text` was asked for. */
  readonly text?: CollectedText | undefined;
}

export interface HtmlLinksOptions {
  /** The document's charset, which encodes queries; UTF-8 by default. */
  readonly encoding?: string | undefined;
  /** Maximum number of links, the first ones; by default all. */
  readonly most?: number | undefined;
  /** The crawler that a `meta` may address besides `robots`, in lower case. */
  readonly agent?: string | undefined;
  /** XHTML: `<script/>` is a whole element. */
  readonly isXhtml?: boolean | undefined;
  /** Whether the text is collected in the same pass, which then takes two to three times as long. */
  readonly text?: boolean | undefined;
}

/** The attribute that makes an element a link. */
const linkAttribute = new Map([['a', 'href'], ['area', 'href'], ['frame', 'src'], ['iframe', 'src']]);
const tagsRead = new Set([...linkAttribute.keys(), 'base', 'meta', 'link']);
/** Elements that change what the tags in them mean. */
const contexts = new Set(['template', 'svg', 'script']);
const attributesRead = new Map(
  [
    'href', 'src', 'rel', 'name', 'content', 'http-equiv', 'alt', 'lang', 'xml:lang', 'property', 'xlink:href',
  ].map((name, slot) => [name, slot]),
);
/** Lengths, as bits, by first letter: they rule out most names without creating a string. */
const tagLengths = new Int32Array(32);
for (const name of [...tagsRead, ...contexts]) tagLengths[name.charCodeAt(0) & 31] |= 1 << name.length;
const attributeLengths = new Set([...attributesRead.keys()].map((name) => name.length));

/**
 * The links of an HTML document that lead a crawler to further pages: `a` and `area` href, `frame` and `iframe` src,
 * and where `meta http-equiv=refresh` leads; in SVG also `xlink:href`. Images, styles, scripts and forms are not links,
 * and `base`, `meta` and `link` in a `template` do not count. The tokenizer is used,
 * not htmlparser2's Parser, which searches its stack of open elements at every end tag, so that a hostile page costs
 * quadratic time.
 *
 * Cost  O(text). Character references are resolved only in the attributes that are read, which saves half the time.
 */
export function htmlLinks(text: string, options: HtmlLinksOptions = {}): HtmlLinks {
  const { isXhtml = false } = options;
  const reader = options.text === true
    ? new TextReader(text, options, new TextCollector(text, isXhtml))
    : new LinkReader(text, options);
  const tokenizer = quick(new Tokenizer({ decodeEntities: false, recognizeSelfClosing: isXhtml }, reader));
  reader.goOnAt = (index) => { (tokenizer as unknown as Skipping).index = index - 1; };
  tokenizer.write(text);
  tokenizer.end();
  return reader.found();
}

/** A tokenizer's callbacks that ignore every token, for classes of callbacks to extend. */
// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- its methods are set below, all the same
const NoCallbacks = class {} as new () => TokenizerCallbacks;
const ignore = (): void => undefined;
Object.assign(NoCallbacks.prototype, {
  onattribdata: ignore, onattribend: ignore, onattribentity: ignore, onattribname: ignore, oncdata: ignore,
  onclosetag: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore, onopentagend: ignore,
  onopentagname: ignore, onprocessinginstruction: ignore, onselfclosingtag: ignore, ontext: ignore,
  ontextentity: ignore,
} satisfies TokenizerCallbacks);

/**
 * Reads the tokens of a document for its links. Its methods are the tokenizer's callbacks: an object of closures per
 * document survives minor collections with all that it refers to, which costs more than reading the tokens (Node 20).
 */
class LinkReader extends NoCallbacks {
  protected readonly document: string;
  protected readonly isXhtml: boolean;
  readonly #encoding: string;
  readonly #most: number;
  readonly #agent: string | undefined;
  readonly #collector: TextCollector | undefined;
  readonly #links: string[] = [];
  #base: string | undefined;
  #canonical: string | undefined;
  #nofollow = 0;
  #beyond = 0;
  #pageNofollow = false;
  #noindex = false;
  /** The tag's name, if its attributes are read; and the attribute that is read, -1 if it is another. */
  protected tag = '';
  #slot = -1;
  readonly #context = new HtmlContext();
  /** The name of the tag, if the context depends on it. */
  #contextTag = '';
  /** Start of the content of an open script; -1 if none is open. */
  #scriptStart = -1;
  /** Has the tokenizer go on at another place, from the end of a tag. */
  goOnAt: (index: number) => void = ignore;
  // Start in the document of each attribute's value; -1 if it has none.
  readonly #starts = new Int32Array(attributesRead.size);
  readonly #ends = new Int32Array(attributesRead.size);

  /** @param collector - of the document's text, if it is collected. */
  constructor(
    document: string, { encoding = 'utf-8', most = Infinity, agent, isXhtml = false }: HtmlLinksOptions,
    collector?: TextCollector,
  ) {
    super();
    this.document = document;
    this.#encoding = encoding;
    this.isXhtml = isXhtml;
    this.#most = most;
    this.#agent = agent;
    this.#collector = collector;
  }

  override onopentagname(start: number, end: number): void {
    this.tag = '';
    if (!this.mayMatter(start, end)) return;
    const name = this.document.slice(start, end).toLowerCase();
    if (tagsRead.has(name)) this.openTag(name);
    this.openContext(name);
  }

  override onclosetag(start: number, end: number): void {
    if (!this.mayMatter(start, end)) return;
    const name = this.document.slice(start, end).toLowerCase();
    this.#context.close(name);
    if (name !== 'script' || this.#scriptStart < 0) return;
    const from = this.#scriptStart;
    this.#scriptStart = -1;
    // Sought in the script alone: up to the next one in the document would take quadratic time.
    if (this.isXhtml || !this.document.slice(from, start).includes('<!--')) return;
    const scriptEnds = scriptEnd(this.document, from);
    if (scriptEnds < 0) this.goOnAt(this.document.length);
    else if (scriptEnds > start) this.goOnAt(scriptEnds);
  }

  /** Tells the tokenizer that in SVG a title or a script is an element like all others. */
  override isInForeignContext(): boolean {
    return this.#context.isForeign;
  }

  /** Whether a name may be one that matters. In SVG all may. */
  protected mayMatter(start: number, end: number): boolean {
    const length = end - start;
    const lengths = tagLengths[this.document.charCodeAt(start) & 31];
    return (length < 32 && ((lengths >> length) & 1) === 1) || this.#context.isInSvg;
  }

  /** The tag is one on which the context may depend. */
  protected openContext(name: string): void {
    this.#contextTag = contexts.has(name) || this.#context.isInSvg ? name : '';
  }

  /** The attributes that follow belong to this tag. */
  protected openTag(name: string): void {
    this.tag = name;
    this.#starts.fill(-1);
  }

  override onattribname(start: number, end: number): void {
    this.#slot =
      this.tag === '' || !attributeLengths.has(end - start)
        ? -1
        : (attributesRead.get(this.document.slice(start, end).toLowerCase()) ?? -1);
    // The first of several attributes with the same name counts.
    if (this.#slot >= 0 && this.#starts[this.#slot] >= 0) this.#slot = -1;
  }

  override onattribdata(start: number, end: number): void {
    if (this.#slot < 0) return;
    this.#starts[this.#slot] = start;
    this.#ends[this.#slot] = end;
  }

  override onattribend(): void {
    if (this.#slot >= 0 && this.#starts[this.#slot] < 0) this.#starts[this.#slot] = this.#ends[this.#slot] = 0;
  }

  override onopentagend(end: number): void {
    this.tagDone(false);
    this.#contextDone(end, false);
  }

  override onselfclosingtag(end: number): void {
    this.tagDone(true);
    this.#contextDone(end, true);
  }

  #contextDone(end: number, isWhole: boolean): void {
    const name = this.#contextTag;
    if (name === '') return;
    this.#contextTag = '';
    if (name === 'script' && !this.#context.isForeign) this.#scriptStart = end + 1;
    this.#context.open(name, isWhole, this.isXhtml);
  }

  /** What the tag that ends here means. */
  protected tagDone(isSelfClosing: boolean): void {
    const { tag } = this;
    if (tag === '') return;
    if (this.#context.isInTemplate && !linkAttribute.has(tag)) return;
    // Others are elements of SVG by these names; a meta ends it.
    if (this.#context.isForeign && tag !== 'a' && tag !== 'meta') return;
    if (tag === 'base') this.#base ??= this.#url('href');
    else if (tag === 'meta') this.#meta();
    else if (tag === 'link') {
      if (/(^|\s)canonical(\s|$)/i.test(this.attribute('rel') ?? '')) this.#canonical ??= this.#url('href');
    } else {
      const href = this.#url(linkAttribute.get(tag)!) ??
        (tag === 'a' && this.#context.isForeign ? this.#url('xlink:href') : undefined);
      if (href === undefined) return;
      if (saysNofollow(this.attribute('rel') ?? '')) this.#nofollow++;
      else this.#link(href, tag === 'a' && !(isSelfClosing && this.isXhtml));
    }
  }

  /** The value of an attribute of the tag. */
  protected attribute(name: string): string | undefined {
    const at = attributesRead.get(name)!;
    if (this.#starts[at] < 0) return undefined;
    return decodeHTMLAttribute(this.document.slice(this.#starts[at], this.#ends[at]));
  }

  /** The URL in an attribute of the tag. */
  #url(name: string): string | undefined {
    const href = this.attribute(name);
    return href && withEncodedQuery(href, this.#encoding);
  }

  #meta(): void {
    const name = this.attribute('name')?.trim().toLowerCase();
    const equivalent = this.attribute('http-equiv')?.toLowerCase();
    const content = this.attribute('content') ?? '';
    if (name !== undefined && (name === 'robots' || name === this.#agent)) {
      this.#pageNofollow ||= saysNofollow(content);
      this.#noindex ||= saysNoindex(content);
    }
    this.#collector?.meta(name ?? this.attribute('property')?.toLowerCase() ?? equivalent ?? '', content);
    if (equivalent !== 'refresh') return;
    const target = refreshTarget(content);
    if (target !== '') this.#link(withEncodedQuery(target, this.#encoding));
  }

  #link(href: string, isAnchor = false): void {
    if (/^[\0- ]*#/.test(href)) return;
    if (this.#links.length < this.#most) {
      this.#links.push(href);
      this.#collector?.link(isAnchor, this.attribute('alt'));
    } else this.#beyond++;
  }

  /** What the document has, once all its tokens are read. */
  found(): HtmlLinks {
    const text = this.#collector?.end(this.#beyond > 0);
    const isNofollow = this.#pageNofollow;
    const links = isNofollow ? [] : this.#links;
    return {
      base: this.#base, canonical: this.#canonical, noindex: this.#noindex, links, isNofollow,
      beyond: isNofollow ? 0 : this.#beyond,
      nofollow: this.#nofollow + (isNofollow ? this.#links.length + this.#beyond : 0),
      text: text && isNofollow ? { ...text, anchors: [] } : text,
    };
  }
}

/** Reads the tokens of a document for its links and its text. */
class TextReader extends LinkReader {
  readonly #collector: TextCollector;
  readonly #units: Uint16Array;
  #element = otherElement;

  constructor(document: string, options: HtmlLinksOptions, collector: TextCollector) {
    super(document, options, collector);
    this.#collector = collector;
    this.#units = collector.units;
  }

  override onopentagname(start: number, end: number): void {
    this.tag = '';
    this.#element = elementAt(this.#units, start, end);
    if (this.#element.hasAttributes) this.openTag(this.#element.name);
    if (this.mayMatter(start, end)) this.openContext(this.document.slice(start, end).toLowerCase());
  }

  override onclosetag(start: number, end: number): void {
    super.onclosetag(start, end);
    this.#collector.close(elementAt(this.#units, start, end));
  }

  override ontext(start: number, end: number): void {
    this.#collector.text(start, end);
  }

  override oncdata(start: number, end: number, offset: number): void {
    if (this.isXhtml) this.#collector.literal(this.document.slice(start, end - offset));
  }

  protected override tagDone(isSelfClosing: boolean): void {
    this.#collector.open(this.#element, isSelfClosing);
    if (this.tag === 'html') this.#collector.language(this.attribute('lang') ?? this.attribute('xml:lang') ?? '');
    else if (this.tag === 'img') this.#collector.alt(this.attribute('alt') ?? '');
    else super.tagDone(isSelfClosing);
  }
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
