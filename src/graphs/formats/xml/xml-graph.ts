import { quoted } from '../../../base/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { DocumentGraph, type EdgeKind } from '../document-graph.ts';
import type { ReadOptions } from '../read-options.ts';
import { readXml, type XmlAttributes, type XmlPlace, type XmlReader } from './read-xml.ts';

/**
 * Reads a graph in GEXF, plain or gzipped. Nodes are pages in the document's order, undirected and mutual edges links
 * both ways. How a page is identified is documented at placesOf; all other attributes, weights and default values are
 * dropped.
 *
 * Errors   InputError with file and line.
 * Cost     O(bytes + n + m); memory: the graph, about 9 bytes per edge and 300 bytes per node.
 */
export function readGexf(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  return readDocument(path, options, (place) => new GexfReader(path, place));
}

/** Reads a graph in GraphML, in the same way as readGexf. Hyperedges and ports are dropped. */
export function readGraphMl(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  return readDocument(path, options, (place) => new GraphMlReader(path, place));
}

async function readDocument(
  path: string, options: ReadOptions, makeReader: (place: XmlPlace) => GraphReader,
): Promise<WebGraph> {
  let reader: GraphReader | undefined;
  await readXml(path, options, (place) => (reader = makeReader(place)));
  return reader!.graph.finish(reader!.defaultKind ?? 'undirected', options);
}

/** The attributes of a node that are read besides its key. */
const nodeNames = new Set(['label', 'url', 'host', 'path', 'bytes']);

/** Common to both dialects: one graph in a root element, nodes that may nest, edges between them. */
abstract class GraphReader implements XmlReader {
  readonly graph: DocumentGraph<string>;
  protected readonly place: XmlPlace;
  readonly #root: string;
  /** Names of the open elements. */
  protected readonly elements: string[] = [];
  /** Attributes of the open nodes. */
  protected readonly nodes: Record<string, string>[] = [];
  /** The name of each attribute of nodes, by id, if it is read; otherwise undefined. */
  readonly #names = new Map<string, string | undefined>();
  defaultKind: EdgeKind;

  constructor(root: string, file: string, place: XmlPlace) {
    this.#root = root;
    this.graph = new DocumentGraph(file);
    this.place = place;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.elements.length === 0 && name !== this.#root)
      this.place.fail(`its root element is ${quoted(name)}; expected ${quoted(this.#root)}`);
    if (name === 'graph') this.#openGraph(attributes);
    else if (name === 'node') this.#openNode(attributes);
    else if (name === 'edge') this.#openEdge(attributes);
    else this.openOther(name, attributes);
    this.elements.push(name);
  }

  close(name: string): void {
    this.elements.pop();
    if (name === 'node') this.nodes.pop();
    if (this.elements.length === 0 && this.defaultKind === undefined) this.place.fail('has no graph');
  }

  /** The kind of edges that do not state their own. */
  protected abstract kindOfAll(graph: XmlAttributes): EdgeKind;
  protected abstract kindOf(edge: XmlAttributes): EdgeKind;
  protected abstract openOther(name: string, attributes: XmlAttributes): void;

  /** Declares an attribute of nodes, which must precede all nodes. */
  protected declare(id: string, name: string): void {
    if (this.graph.nodes > 0) this.place.fail('declares an attribute of nodes after a node; expected before all of them');
    this.#names.set(id, nodeNames.has(name) ? name : undefined);
  }

  /** The name of an attribute of nodes, if it is wanted; an undeclared attribute is known by its id. */
  protected nameOf(id: string): string | undefined {
    return this.#names.has(id) ? this.#names.get(id) : nodeNames.has(id) ? id : undefined;
  }

  /** The value of `value` in `values`; fails if it has none. */
  protected oneOf<T>(of: string, value: string, values: Readonly<Record<string, T>>): T {
    if (Object.hasOwn(values, value)) return values[value];
    return this.place.fail(`${of} is ${quoted(value)}; expected ${Object.keys(values).join(' or ')}`);
  }

  #openGraph(attributes: XmlAttributes): void {
    if (this.defaultKind !== undefined) this.place.fail('has a second graph; only one is supported');
    this.defaultKind = this.kindOfAll(attributes);
  }

  #openNode(attributes: XmlAttributes): void {
    const id = this.#required('a node', 'id', attributes);
    const node: Record<string, string> = {};
    const { label } = attributes;
    if (label !== undefined && label !== '') node['label'] = ownCopy(label);
    if (!this.graph.addNode(ownCopy(id), node)) this.place.fail(`has a second node ${quoted(id)}`);
    this.nodes.push(node);
  }

  #openEdge(attributes: XmlAttributes): void {
    const [source, target] = [
      this.#required('an edge', 'source', attributes), this.#required('an edge', 'target', attributes),
    ];
    this.graph.addEdge(source, target, this.kindOf(attributes), this.place.line);
  }

  #required(of: string, name: string, attributes: XmlAttributes): string {
    return attributes[name] ?? this.place.fail(`${of} has no ${name}`);
  }
}

const gexfKinds = { directed: 'directed', undirected: 'undirected', mutual: 'undirected' } as const;

class GexfReader extends GraphReader {
  #areOfNodes = false;

  constructor(file: string, place: XmlPlace) {
    super('gexf', file, place);
  }

  protected kindOfAll({ defaultedgetype: kind = 'undirected' }: XmlAttributes): EdgeKind {
    return this.oneOf('defaultedgetype', kind, gexfKinds);
  }

  protected kindOf({ type }: XmlAttributes): EdgeKind {
    return type === undefined ? undefined : this.oneOf('the type of an edge', type, gexfKinds);
  }

  protected openOther(name: string, attributes: XmlAttributes): void {
    const id = attributes['for'] ?? attributes['id'];
    if (name === 'attributes') this.#areOfNodes = attributes['class'] === 'node';
    else if (id === undefined) return;
    else if (name === 'attribute' && this.#areOfNodes) {
      // Some writers name an attribute by its id, some by its title.
      const { title = id } = attributes;
      this.declare(id, nodeNames.has(title) ? title : id);
    } else if (name === 'attvalue' && this.elements.at(-2) === 'node') {
      const what = this.nameOf(id);
      if (what !== undefined) this.nodes.at(-1)![what] = ownCopy(attributes['value'] ?? '');
    }
  }
}

const graphMlKinds = { directed: 'directed', undirected: 'undirected' } as const;
const isDirected = { true: 'directed', false: 'undirected', 1: 'directed', 0: 'undirected' } as const;

class GraphMlReader extends GraphReader {
  /** Name of the attribute of a node whose text is being read, and that text. */
  #name: string | undefined;
  #text = '';

  constructor(file: string, place: XmlPlace) {
    super('graphml', file, place);
  }

  get wantsText(): boolean {
    return this.#name !== undefined && this.elements.at(-1) === 'data';
  }

  text(text: string): void {
    this.#text += text;
  }

  override close(name: string): void {
    if (this.wantsText) {
      this.nodes.at(-1)![this.#name!] = ownCopy(this.#text);
      this.#name = undefined;
      this.#text = '';
    }
    super.close(name);
  }

  protected kindOfAll({ edgedefault: kind = 'undirected' }: XmlAttributes): EdgeKind {
    return this.oneOf('edgedefault', kind, graphMlKinds);
  }

  protected kindOf({ directed }: XmlAttributes): EdgeKind {
    return directed === undefined ? undefined : this.oneOf('"directed" of an edge', directed, isDirected);
  }

  protected openOther(name: string, attributes: XmlAttributes): void {
    if (name === 'key') {
      const { id = '', for: of = 'all', 'attr.name': attribute = id } = attributes;
      if (of === 'node' || of === 'all') this.declare(id, attribute);
    } else if (name === 'data' && this.elements.at(-1) === 'node') this.#name = this.nameOf(attributes['key'] ?? '');
  }
}

/** A copy of the text: a slice would retain the whole string, here a MiB of the document. */
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}
