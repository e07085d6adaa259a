import type { WebGraph } from '../../graph/index.ts';
import { InputError, LargeMap, quoted } from '../../../base/index.ts';
import { ArcList, idsFromOne, noteBothWays } from '../arc-list.ts';
import type { Format } from '../format.ts';
import type { FileStart } from '../file-start.ts';
import { graphName } from '../graph-name.ts';
import { placesOf } from '../node-places.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachTextLine } from '../text-lines.ts';

/**
 * Vertices that a file may state for any number of lines, and additionally per line: a false count must not fill the
 * memory.
 */
const CREDIBLE_VERTICES = 2 ** 24;
const CREDIBLE_VERTICES_PER_LINE = 64;

export const pajek = {
  name: 'pajek',
  title: 'Pajek network',
  holds: '*Vertices with labels, *Arcs and *Edges, from 1',
  several: false,
  begins: beginsNetwork,
  read: ([path], options) => readPajek(path, options),
} as const satisfies Format;

/**
 * Whether its first line with an asterisk, after comments or any text, is one of Pajek's; its .net need not begin so.
 */
function beginsNetwork({ text, isPlainText, isMarkup }: FileStart): boolean {
  const section = /^[ \t]*\*(\w*)/m.exec(text.replace(/\/\*[^]*?\*\//g, ''))?.[1] ?? '';
  return isPlainText && !isMarkup && /^(network|vertices|description)$/i.test(section);
}

/**
 * Reads a Pajek network (`.net`), plain or gzipped: `*Vertices n`, then optionally a line `id "label" ...` for each of
 * the vertices 1 ... n; `*Arcs` and `*Edges`, `a b` per line; `*Arcslist` and `*Edgeslist`, `a b c ...` per line. Edges
 * are links both ways; relations (`*Arcs :1 "name"`) are merged; `%` begins comment lines, and whatever precedes
 * `*Vertices` is skipped. If every vertex has a label, labels identify pages as documented at placesOf; ids are stored
 * as `sourceIds`. Whatever follows labels and ids, including weights, is dropped.
 * Errors   InputError with file and line; also for other sections, such as `*Matrix`, and for a second network.
 * Cost     O(bytes + n + m); memory: the graph and about 200 bytes per label. n is believed up to 2^24, or 64 per line.
 */
export async function readPajek(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  const network = new PajekNetwork(path);
  await eachTextLine(path, options, (line, _fail, number) => network.take(line.trim(), number));
  const name = options.name ?? graphName(path);
  const { pages, arcs, labels, labelOf, undirectedEdges, weights } = network.finish();
  noteBothWays(name, undirectedEdges, options.onNote);
  if (weights > 0) options.onNote?.(`${name}: whatever follows the ids of links, such as weights, is not stored`);
  if (labels > 0 && labels < pages)
    options.onNote?.(`${name}: ${labels} of ${pages} vertices have labels, which are not stored: all or none must have one`);
  const sourceIds = idsFromOne(pages);
  const keys = Array.from(labels < pages ? [] : sourceIds, String);
  const labelled = keys.map((_, i) => ({ label: labelOf(i + 1) }));
  const places = keys.length === 0 ? {} : placesOf(keys, labelled, name, options.onNote);
  const { sources, targets } = arcs;
  return buildNoting({ name, pages, sources, targets, ...places, sourceIds }, options.onNote);
}

const sections = ['network', 'vertices', 'arcs', 'edges', 'arcslist', 'edgeslist'] as const;
type Section = (typeof sections)[number];

class PajekNetwork {
  readonly #file: string;
  readonly #arcs = new ArcList();
  /** The labels of the vertices that have a line; empty if the line has no label. */
  readonly #labelOf = new LargeMap<number, string>();
  #labels = 0;
  #section: Section | undefined;
  #vertices = -1;
  /** Before the vertices: whether a comment goes on, and the first line of anything else. */
  #isInComment = false;
  #preamble: { readonly line: number; readonly text: string } | undefined;
  #verticesLine = 0;
  #undirectedEdges = 0;
  #weights = 0;
  /** Lines of vertices and links. */
  #entries = 0;
  #line = 0;

  constructor(file: string) {
    this.#file = file;
  }

  take(text: string, number: number): void {
    this.#line = number;
    if (text === '' || text.startsWith('%')) return;
    if (this.#vertices < 0 && (this.#isInComment || text.startsWith('/*'))) {
      this.#isInComment = !text.includes('*/');
      return;
    }
    if (text.startsWith('*')) {
      this.#begin(text);
      return;
    }
    if (this.#vertices < 0) {
      this.#preamble ??= { line: number, text }; // A comment, or a title.
      return;
    }
    this.#entries++;
    if (this.#section === 'vertices') this.#takeVertex(text);
    else if (this.#section !== undefined && this.#section !== 'network') this.#takeLinks(this.#section, text);
  }

  finish() {
    const pages = this.#vertices;
    if (pages < 0 && this.#preamble !== undefined) {
      this.#line = this.#preamble.line;
      this.#fail('expected *Vertices and their number', this.#preamble.text);
    }
    if (pages < 0) throw new InputError(`${this.#file}: contains no *Vertices`);
    if (pages > Math.max(CREDIBLE_VERTICES, CREDIBLE_VERTICES_PER_LINE * this.#entries)) {
      throw new InputError(
        `${this.#file}: line ${this.#verticesLine}: ${pages} vertices are too many for a network of ${this.#entries} lines`,
      );
    }
    return {
      pages, arcs: this.#arcs, labels: this.#labels, labelOf: (id: number) => this.#labelOf.get(id) ?? '',
      undirectedEdges: this.#undirectedEdges, weights: this.#weights,
    };
  }

  #fail(what: string, text: string): never {
    throw new InputError(`${this.#file}: line ${this.#line}: ${what}: ${quoted(text)}`);
  }

  #begin(text: string): void {
    const [, word = '', rest = ''] = /^\*(\w*)\s*([^]*)$/.exec(text) ?? [];
    const section = sections.find((name) => name === word.toLowerCase());
    if (this.#vertices < 0 && /^description$/i.test(word)) return;
    if (section === undefined)
      this.#fail('is an unsupported section; expected *Vertices, *Arcs, *Edges, *Arcslist or *Edgeslist', text);
    const isFirst = this.#vertices < 0;
    if (!isFirst && (section === 'network' || section === 'vertices'))
      this.#fail('begins a second network; only one is supported', text);
    if (isFirst && section !== 'network' && section !== 'vertices') this.#fail('appears before *Vertices', text);
    this.#section = section;
    if (section !== 'vertices') return;
    // A second number is the size of the first of two kinds of vertices.
    const count = /^([0-9]{1,15})(\s+[0-9]{1,15})?$/.exec(rest);
    if (count === null) this.#fail('expected the number of vertices', text);
    this.#vertices = Number(count[1]);
    this.#verticesLine = this.#line;
    if (this.#vertices < 1 || this.#vertices > 2 ** 32 - 2) this.#fail('a graph has from 1 to 4294967294 pages', text);
  }

  #takeVertex(text: string): void {
    const vertex = /^([0-9]+)(?:\s+(?:"([^"]*)"|([^\s"]\S*)))?(?=\s|$)/.exec(text);
    const [whole, field, inQuotes = '', bare = ''] = vertex ?? ['', ''];
    const label = inQuotes || bare;
    if (vertex === null || (label === '' && whole.length < text.length))
      this.#fail('expected a vertex and optionally a label, in quotes if it has blanks', text);
    const id = this.#id(field, text);
    if (this.#labelOf.has(id)) this.#fail(`vertex ${id} already has a line`, text);
    if (/\p{Cc}/u.test(label)) this.#fail('has control characters', text);
    this.#labelOf.set(id, label);
    if (label !== '') this.#labels++;
  }

  #takeLinks(section: Exclude<Section, 'network' | 'vertices'>, text: string): void {
    const fields = text.split(/\s+/);
    const isList = section.endsWith('list');
    if (fields.length < 2) this.#fail(isList ? 'expected a vertex and its neighbours' : 'expected two vertices', text);
    const source = this.#id(fields[0], text) - 1;
    const others = isList ? fields.length : 2;
    if (others < fields.length) this.#weights++;
    for (let i = 1; i < others; i++) {
      const target = this.#id(fields[i], text) - 1;
      if (section.startsWith('arcs')) this.#arcs.add(source, target);
      else {
        this.#arcs.addBothWays(source, target);
        this.#undirectedEdges++;
      }
    }
  }

  #id(field: string, text: string): number {
    const id = /^[0-9]{1,15}$/.test(field) ? Number(field) : 0;
    if (id >= 1 && id <= this.#vertices) return id;
    const allowed = `1 to ${this.#vertices}, the vertices of line ${this.#verticesLine}`;
    return this.#fail(`${quoted(field)} is not one of ${allowed}`, text);
  }
}
