import type { WebGraph } from '../../../graphs/graph/index.ts';
import type { PageUrls } from './page-urls.ts';
import { PageWords } from './page-words.ts';
import { padding } from './site.ts';

const DOCTYPE = Buffer.from('<!doctype html>\n');

/**
 * The pages of a graph as HTML: a title and sentences (page-words.ts) as far as their size has room for them, their
 * links in stored order, then padding up to their size.
 */
export class PageHtml {
  readonly #graph: WebGraph;
  readonly #urls: PageUrls;
  readonly #words: PageWords;

  constructor(graph: WebGraph, urls: PageUrls, seed: number) {
    this.#graph = graph;
    this.#urls = urls;
    this.#words = new PageWords(seed);
  }

  /**
   * A page of so many bytes, or more if its links need more. Links have the words of their page where there is room,
   * otherwise its id. Cost: some microseconds, and .5 per link; the padding is not copied.
   */
  render(page: number, bytes: number): { readonly bytes: number; readonly body: readonly Uint8Array[] } {
    const { outOffsets, outTargets } = this.#graph;
    const targets = outTargets.subarray(outOffsets[page], outOffsets[page + 1]);
    const bare = Buffer.from(Array.from(targets, (target) => this.#link(target)).join(''), 'latin1');
    const rest = bytes - bare.length - DOCTYPE.length;
    if (rest < 0) {
      const short = bytes - bare.length;
      return { bytes: Math.max(bytes, bare.length), body: short <= 0 ? [bare] : [bare, ...padding(short)] };
    }
    const room = new Room(rest);
    const { title, sentences } = this.#text(page, targets, room);
    const head = Buffer.from(title);
    const links = Buffer.from(Array.from(targets, (target) => this.#wordedLink(target, room)).join(''));
    return { bytes, body: [DOCTYPE, head, Buffer.from(sentences), links, ...padding(room.left)] };
  }

  /** Number of pages whose links need more bytes than `bytesOf` returns. O(n + m). */
  longerThan(bytesOf: (page: number) => number): number {
    const { pages, outOffsets, outTargets } = this.#graph;
    const linkBytes = new Uint32Array(pages);
    for (let page = 0; page < pages; page++) linkBytes[page] = this.#link(page).length;
    let longer = 0;
    for (let page = 0; page < pages; page++) {
      let sum = 0;
      for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) sum += linkBytes[outTargets[i]];
      if (sum > bytesOf(page)) longer++;
    }
    return longer;
  }

  #text(page: number, targets: Uint32Array, room: Room): { readonly title: string; readonly sentences: string } {
    const worded = {
      page, host: this.#hostOf(page), path: this.#urls.pathOf(page),
      pathsTo: Array.from(targets, (target) => this.#urls.pathOf(target)),
    };
    const title = room.take(`<title>${this.#words.title(worded)}</title>\n`);
    if (title === '' || !room.has('<p></p>\n')) return { title, sentences: '' };
    room.take('<p></p>\n');
    let sentences = '';
    for (const sentence of this.#words.sentences(worded))
      sentences += room.take(sentences === '' ? sentence : ` ${sentence}`);
    return { title, sentences: `<p>${sentences}</p>\n` };
  }

  /** Only ASCII, as URLs are. Its text is the page's id. */
  #link(page: number): string {
    return `${this.#opening(page)}${page}</a>\n`;
  }

  #wordedLink(page: number, room: Room): string {
    const words = this.#words.anchor(this.#urls.pathOf(page));
    const more = Buffer.byteLength(words) - String(page).length;
    return words !== '' && room.spend(more) ? `${this.#opening(page)}${words}</a>\n` : this.#link(page);
  }

  #opening(page: number): string {
    return `<a href="http://${escaped(this.#hostOf(page) + this.#urls.pathOf(page))}">`;
  }

  #hostOf(page: number): string {
    return this.#urls.hostName(this.#graph.hosts.ofPage[page]);
  }
}

/** The bytes of a page that are still to be filled. */
class Room {
  left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }

  /** Takes so many bytes, or gives them back where they are negative. @returns whether there were so many. */
  spend(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  has(text: string): boolean {
    return Buffer.byteLength(text) <= this.left;
  }

  /** The text, if there is room for it; otherwise ''. */
  take(text: string): string {
    return this.spend(Buffer.byteLength(text)) ? text : '';
  }
}

/** The only character of a WHATWG URL that has a meaning in an attribute. */
function escaped(link: string): string {
  return link.includes('&') ? link.replaceAll('&', '&amp;') : link;
}
