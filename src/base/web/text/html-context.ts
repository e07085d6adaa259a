/**
 * Start tags that end SVG, wherever they stand in it (HTML Standard, "The rules for parsing tokens in foreign
 * content").
 */
const breakouts = new Set((
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ' +
  'ol p pre ruby s small span strong strike sub sup table tt u ul var'
).split(' '));
/** Elements of SVG whose content is HTML again. */
const integrationPoints = new Set(['foreignobject', 'desc', 'title']);

/** How far up an end tag is looked for; a hostile page nests more, and must not cost quadratic time. */
const MAX_SOUGHT = 64;

/** What surrounds a place of a document, as far as links depend on it: `template` and `svg`, by their tags in order. */
export class HtmlContext {
  #templates = 0;
  /** Each `svg` that is open, and the integration point in it, if one is. */
  readonly #svg: string[] = [];

  /** What `template` holds is no part of the document: its `base` and `meta` do not count. */
  get isInTemplate(): boolean {
    return this.#templates > 0;
  }

  /** In SVG, also where its content is HTML: only there all names of elements matter. */
  get isInSvg(): boolean {
    return this.#svg.length > 0;
  }

  /** Where `title`, `script` and others are elements like all others. */
  get isForeign(): boolean {
    return this.#svg.at(-1) === 'svg';
  }

  /** @param isWhole whether the tag ends itself, which counts only in SVG and in XHTML. */
  open(name: string, isWhole: boolean, isXhtml: boolean): void {
    if (breakouts.has(name)) while (this.isForeign) this.#svg.pop();
    if (isWhole && (isXhtml || this.isForeign || name === 'svg')) return;
    if (name === 'svg' || (this.isForeign && integrationPoints.has(name))) this.#svg.push(name);
    else if (name === 'template' && !this.isForeign) this.#templates++;
  }

  close(name: string): void {
    if (name === 'template') this.#templates = Math.max(0, this.#templates - 1);
    const last = this.#svg.length - 1;
    for (let i = last; i >= 0 && i > last - MAX_SOUGHT; i--) {
      if (this.#svg[i] !== name) continue;
      this.#svg.length = i;
      return;
    }
  }
}

/**
 * Where the end tag of a script stands whose content begins at `start`; -1 if nothing ends it. After `<!--` a `<script`
 * hides the next end tag, until `-->` (HTML Standard, "Script data double escaped state"). O(length).
 */
export function scriptEnd(text: string, start: number): number {
  const marks = /<!--|-->|<(\/?)script(?=[\t\n\f\r />])/gi;
  marks.lastIndex = start;
  let state: 'plain' | 'escaped' | 'double' = 'plain';
  for (let match = marks.exec(text); match !== null; match = marks.exec(text)) {
    const [mark, slash] = match;
    if (mark === '<!--') {
      if (state === 'plain') state = 'escaped';
      marks.lastIndex = match.index + 2; // `<!-->` is an end too.
    } else if (mark === '-->') state = 'plain';
    else if (slash === '') state = state === 'plain' ? 'plain' : 'double';
    else if (state !== 'double') return match.index;
    else state = 'escaped';
  }
  return -1;
}
