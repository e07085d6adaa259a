import type { WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { bytesOf } from '../../../base/files/index.ts';
import { DocumentGraph } from '../document-graph.ts';
import type { Format } from '../format.ts';
import type { ReadOptions } from '../read-options.ts';
import { GmlTokens, type GmlToken } from './gml-tokens.ts';

/** Lists within lists; real documents have some five. */
const DEEPEST = 64;

export const gml = {
  name: 'gml',
  title: 'GML document',
  holds: 'nodes and edges as nested lists of keys and values',
  several: false,
  // No line matches in two ways: otherwise a few of them would take hours.
  begins: ({ text }) =>
    /^\s*((#[^\n]*|(creator|version|comment)\b[^\n"]*("[^"]*"[^\n]*)?)\n\s*)*graph\s*\[/i.test(text),
  read: ([path], options) => readGml(path, options),
} as const satisfies Format;

/**
 * Reads a graph in GML (Himsolt, 1996), plain or gzipped: `graph [ directed 1 node [ id 0 label "a" ] edge [ source 0
 * target 0 ] ]`. Nodes are pages in the document's order; links go both ways unless `directed` is 1. Edges may precede
 * their nodes. placesOf documents how a page is identified; all other keys are dropped.
 * Errors   InputError with file and line.
 * Cost     O(bytes + n + m); memory: the graph, about 8 bytes per link and 300 bytes per node.
 */
export async function readGml(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  const document = new GmlDocument(path);
  for await (const chunk of bytesOf(path, options)) document.push(chunk);
  return document.finish(options);
}

const nodeKeys = new Set(['id', 'label', 'url', 'host', 'path', 'bytes']);
const edgeKeys = new Set(['source', 'target']);

class GmlDocument {
  readonly #tokens: GmlTokens;
  readonly #file: string;
  /** Keys of the open lists. */
  readonly #open: string[] = [];
  #key: string | undefined;
  #graphs = 0;
  #isDirected: boolean | undefined;
  /** The keys of the current node or edge, and the line on which it begins. */
  #element = new Map<string, string>();
  #elementLine = 0;
  readonly #graph: DocumentGraph<number>;

  constructor(file: string) {
    this.#file = file;
    this.#graph = new DocumentGraph(file);
    this.#tokens = new GmlTokens(file, (token, text) => this.#take(token, text));
  }

  push(chunk: Uint8Array): void {
    this.#tokens.push(chunk);
  }

  finish(options: ReadOptions): WebGraph {
    this.#tokens.finish();
    if (this.#key !== undefined) this.#fail(`ends after the key ${quoted(this.#key)}. Is the file truncated?`);
    if (this.#open.length > 0)
      this.#fail(`ends within the list ${quoted(this.#open[this.#open.length - 1])}. Is the file truncated?`);
    if (this.#graphs === 0) throw new InputError(`${this.#file}: has no graph; expected graph [ ... ]`);
    return this.#graph.finish(this.#isDirected === true ? 'directed' : 'undirected', options);
  }

  #fail(what: string): never {
    return this.#tokens.fail(what);
  }

  #take(token: GmlToken, text: string): void {
    if (this.#key === undefined) {
      if (token === ']') this.#close();
      else if (token === 'word' && /^[a-z_]\w*$/i.test(text)) this.#key = text.toLowerCase();
      else this.#fail(`has ${shown(token, text)} where a key is expected`);
      return;
    }
    const key = this.#key;
    this.#key = undefined;
    if (token === ']') this.#fail(`the key ${quoted(key)} has no value`);
    else if (token === '[') this.#begin(key);
    else this.#value(key, token, text);
  }

  #begin(key: string): void {
    if (this.#open.length === DEEPEST) this.#fail(`nests lists more than ${DEEPEST} deep`);
    if (this.#open.length === 0 && key === 'graph' && this.#graphs++ === 1)
      this.#fail('has a second graph; only one is supported');
    this.#open.push(key);
    if (this.#elementKind() !== undefined) this.#elementLine = this.#tokens.line;
  }

  /** Whether the innermost list is a node or an edge of the graph. */
  #elementKind(): 'node' | 'edge' | undefined {
    const [graph, kind] = this.#open;
    return this.#open.length === 2 && graph === 'graph' && (kind === 'node' || kind === 'edge') ? kind : undefined;
  }

  #value(key: string, token: 'word' | 'text', text: string): void {
    if (token === 'word' && !/^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[-+]?[0-9]+)?$|^[-+]?(nan|inf(inity)?)$/i.test(text))
      this.#fail(`the value of ${quoted(key)} is ${shown(token, text)}; expected a number, a text in quotes or a list`);
    const kind = this.#elementKind();
    if (kind !== undefined && (kind === 'node' ? nodeKeys : edgeKeys).has(key)) {
      if (this.#element.has(key)) this.#fail(`has a second ${quoted(key)} in one ${kind}`);
      if (key === 'id' || kind === 'edge') this.#checkId(kind, key, text);
      this.#element.set(key, text);
    } else if (this.#open.length === 1 && this.#open[0] === 'graph' && key === 'directed') {
      if (this.#isDirected !== undefined) this.#fail('has a second "directed"');
      if (text !== '0' && text !== '1') this.#fail(`directed is ${quoted(text)}; expected 0 or 1`);
      this.#isDirected = text === '1';
    }
  }

  #checkId(kind: 'node' | 'edge', key: string, text: string): void {
    if (/^-?[0-9]{1,15}$/.test(text)) return;
    this.#fail(`the ${key} of ${kind === 'node' ? 'a node' : 'an edge'} is ${quoted(text)}; expected a whole number of at most 15 digits`);
  }

  #close(): void {
    const kind = this.#elementKind();
    if (this.#open.pop() === undefined) this.#fail('has a "]" without an open list');
    if (kind === 'node') this.#endNode();
    if (kind === 'edge') this.#endEdge();
  }

  #endNode(): void {
    const id = this.#required('node', 'id');
    this.#element.delete('id');
    if (!this.#graph.addNode(id, Object.fromEntries(this.#element))) this.#fail(`has a second node ${id}`);
    this.#element = new Map();
  }

  #endEdge(): void {
    const [source, target] = [this.#required('edge', 'source'), this.#required('edge', 'target')];
    this.#graph.addEdge(source, target, undefined, this.#elementLine);
    this.#element = new Map();
  }

  #required(kind: 'node' | 'edge', key: string): number {
    const text = this.#element.get(key);
    if (text !== undefined) return Number(text);
    throw new InputError(`${this.#file}: line ${this.#elementLine}: ${kind === 'node' ? 'a node' : 'an edge'} has no ${key}`);
  }
}

function shown(token: GmlToken, text: string): string {
  return token === 'text' ? `the text ${quoted(text)}` : quoted(token === 'word' ? text : token);
}
