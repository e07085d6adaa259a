import { grown, InputError, LargeMap } from '../../base/index.ts';
import type { WebGraph } from '../graph/index.ts';
import { ArcList, noteBothWays } from './arc-list.ts';
import { graphName } from './graph-name.ts';
import { placesOf, type NodeAttributes } from './node-places.ts';
import { buildNoting, type ReadOptions } from './read-options.ts';

/** Direction of an edge; `undefined` is the document's default, which may be known only at its end. */
export type EdgeKind = 'directed' | 'undirected' | undefined;

const kinds: readonly EdgeKind[] = [undefined, 'directed', 'undirected'];

/**
 * The graph of a document that lists nodes and edges in any order: edges may name later nodes. Nodes are pages in the
 * document's order; undirected edges are links both ways. O(n + m); about 9 bytes per edge and 300 per node.
 */
export class DocumentGraph<Key extends string | number> {
  readonly #file: string;
  /** Nodes by key, in the order in which they are mentioned; edges are between these. */
  readonly #mentioned = new LargeMap<Key, number>();
  /** The page of each node, or before that is known, -1 - the line of an edge that mentions it. */
  readonly #pageOf: number[] = [];
  readonly #edges = new ArcList();
  #kinds = new Uint8Array(1 << 12);
  readonly #keys: string[] = [];
  readonly #attributes: NodeAttributes[] = [];

  constructor(file: string) {
    this.#file = file;
  }

  get nodes(): number {
    return this.#keys.length;
  }

  /** Adds the next page. @returns whether it is the first of this key; a second one is not added. */
  addNode(key: Key, attributes: NodeAttributes): boolean {
    const mention = this.#mention(key, 0);
    if (this.#pageOf[mention] >= 0) return false;
    this.#pageOf[mention] = this.#keys.length;
    this.#keys.push(String(key));
    this.#attributes.push(attributes);
    return true;
  }

  /** @param line where the document has it. */
  addEdge(source: Key, target: Key, kind: EdgeKind, line: number): void {
    this.#kinds = grown(this.#kinds, this.#edges.length + 1);
    this.#kinds[this.#edges.length] = kinds.indexOf(kind);
    this.#edges.add(this.#mention(source, line), this.#mention(target, line));
  }

  /** Errors   InputError for no nodes, and for an edge to a node that was never added. */
  finish(defaultKind: 'directed' | 'undirected', options: ReadOptions): WebGraph {
    if (this.#keys.length === 0) throw new InputError(`${this.#file}: has no nodes`);
    const { sources, targets, length } = this.#edges;
    const arcs = new ArcList();
    let undirectedEdges = 0;
    for (let i = 0; i < length; i++) {
      const [source, target] = [this.#pageAt(sources[i]), this.#pageAt(targets[i])];
      const isUndirected = (kinds[this.#kinds[i]] ?? defaultKind) === 'undirected';
      if (isUndirected) arcs.addBothWays(source, target);
      else arcs.add(source, target);
      if (isUndirected) undirectedEdges++;
    }
    const name = options.name ?? graphName(this.#file);
    noteBothWays(name, undirectedEdges, options.onNote);
    const places = placesOf(this.#keys, this.#attributes, name, options.onNote);
    const { sources: from, targets: to } = arcs;
    return buildNoting({ name, pages: this.#keys.length, sources: from, targets: to, ...places }, options.onNote);
  }

  #mention(key: Key, line: number): number {
    const mention = this.#mentioned.get(key);
    if (mention !== undefined) return mention;
    this.#mentioned.set(key, this.#pageOf.length);
    return this.#pageOf.push(-1 - line) - 1;
  }

  #pageAt(mention: number): number {
    const page = this.#pageOf[mention];
    if (page >= 0) return page;
    throw new InputError(`${this.#file}: line ${-1 - page}: an edge refers to a node that is not in the document`);
  }
}
