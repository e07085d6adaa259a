import { DirectedGraph } from 'graphology';
import { InputError, wrongArgument } from '../../../base/index.ts';
import {
  asSharedUint32, buildGraph, checkIsGraph, hostsFromNames, sharedUint32, StringTable, type Hosts, type WebGraph,
} from '../index.ts';

/** Attributes of a page's node in graphology; others are ignored. */
export interface PageAttributes {
  [attribute: string]: unknown;
  host?: string;
  path?: string;
  bytes?: number;
  sourceId?: number;
}

export interface WebGraphAttributes {
  [attribute: string]: unknown;
  name?: string;
  /** Hosts in the order of their ids, so that ids survive the round trip, including hosts without pages. */
  hosts?: readonly string[];
  hostsAreSynthetic?: boolean;
  seeds?: readonly number[];
}

export type PageGraph = DirectedGraph<PageAttributes, Record<string, unknown>, WebGraphAttributes>;

/**
 * The graph as a graphology graph, for the algorithms and file formats of its ecosystem. Nodes are pages in ascending
 * order, edges links by source and in link order, numbered from 0. A few hundred bytes per node and edge: for graphs of
 * up to about a million links.
 *
 * @param graph - the graph to copy.
 * @param keyOf - the key of each page's node, unique; by default its id.
 * @returns a copy, owned by the caller.
 */
export function toGraphology(graph: WebGraph, keyOf: (page: number) => number = (page) => page): PageGraph {
  checkIsGraph(graph);
  const { pages, outOffsets, outTargets, hosts, paths, bytes, sourceIds, seeds } = graph;
  const hostNames = Array.from({ length: hosts.count }, (_, host) => hosts.names.at(host));
  const result: PageGraph = new DirectedGraph<PageAttributes, Record<string, unknown>, WebGraphAttributes>();
  result.replaceAttributes({
    name: graph.name,
    hosts: hostNames,
    hostsAreSynthetic: hosts.synthetic,
    ...(seeds && { seeds: [...seeds] }),
  });
  for (let page = 0; page < pages; page++) {
    result.addNode(keyOf(page), {
      host: hostNames[hosts.ofPage[page]],
      ...(paths && { path: paths.at(page) }),
      ...(bytes && { bytes: bytes[page] }),
      ...(sourceIds && { sourceId: sourceIds[page] }),
    });
  }
  for (let page = 0; page < pages; page++) {
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++)
      result.addDirectedEdgeWithKey(i, keyOf(page), keyOf(outTargets[i]));
  }
  return result;
}

/**
 * The web graph of a directed graphology graph: pages are its nodes in its order (whatever their keys), a page's links
 * its out-edges in their order; parallel edges become one link. Hosts are drawn unless every node has a `host`.
 *
 * @param from - the graph to copy.
 * @param name - its name in messages and records.
 * @returns a copy, which shares nothing with `from`.
 * @throws InputError for an attribute that some nodes have and others lack, or that is of the wrong kind, for
 * undirected edges, and for seed pages that are not pages.
 */
export function fromGraphology(from: PageGraph, name: string): WebGraph {
  if (typeof (from as PageGraph | undefined)?.forEachNode !== 'function')
    throw wrongArgument('from', 'a graph of graphology', from);
  const pages = from.order;
  const idOf = new Map<string, number>();
  from.forEachNode((node) => idOf.set(node, idOf.size));
  const sources = new Uint32Array(from.size);
  const targets = new Uint32Array(from.size);
  let arcs = 0;
  // Not per node: graphology then iterates neighbours as keys of an object, integers first.
  from.forEachDirectedEdge((_edge, _attributes, source, target) => {
    sources[arcs] = idOf.get(source) ?? 0;
    targets[arcs++] = idOf.get(target) ?? 0;
  });
  if (arcs < from.size)
    throw new InputError(`graph ${name}: ${from.size - arcs} of its edges are undirected; links have a direction`);
  const hostNames = attributeOfAll(from, 'host', isText);
  const paths = attributeOfAll(from, 'path', isText);
  return buildGraph({
    name, pages, sources, targets,
    hosts: hostNames && hostsOf(from, hostNames),
    paths: paths && StringTable.from(paths),
    bytes: shared(attributeOfAll(from, 'bytes', isUint32)),
    sourceIds: sourceIdsOf(from),
    seeds: seedsOf(from, name),
  });
}

function hostsOf(from: PageGraph, nameOfPage: readonly string[]): Hosts {
  const hosts = hostsFromNames(nameOfPage);
  const synthetic = from.getAttribute('hostsAreSynthetic') === true;
  const stored = from.getAttribute('hosts');
  const idOf = new Map(stored?.map((name, id) => [name, id]));
  // If the list does not match the nodes (they were edited since), the nodes take precedence.
  if (!stored || idOf.size !== stored.length || !nameOfPage.every((name) => idOf.has(name)))
    return { ...hosts, synthetic };
  const ofPage = sharedUint32(nameOfPage.length);
  nameOfPage.forEach((name, page) => (ofPage[page] = idOf.get(name) ?? 0));
  return { count: stored.length, ofPage, names: StringTable.from(stored), synthetic };
}

function sourceIdsOf(from: PageGraph): Uint32Array | undefined {
  const ids = attributeOfAll(from, 'sourceId', isUint32);
  const earlier = new Set<number>();
  const again = ids?.findIndex((id) => earlier.size === earlier.add(id).size) ?? -1;
  if (again >= 0) throw new InputError(`node ${from.nodes()[again]}: an earlier node has the same sourceId`);
  return shared(ids);
}

function seedsOf(from: PageGraph, name: string): Uint32Array | undefined {
  const seeds = from.getAttribute('seeds');
  const wrong = seeds?.find((seed) => !isUint32(seed) || seed >= from.order);
  if (wrong !== undefined)
    throw new InputError(`graph ${name}: seed page ${wrong} is not one of its ${from.order} pages`);
  return shared(seeds);
}

/** The attribute of every node in order; undefined if no node has it. */
function attributeOfAll<T>(
  from: PageGraph, attribute: string, isRight: (value: unknown) => value is T,
): T[] | undefined {
  const values: T[] = [];
  let without: string | undefined;
  from.forEachNode((node, attributes) => {
    const value = attributes[attribute];
    if (value === undefined) without ??= node;
    else if (isRight(value)) values.push(value);
    else throw new InputError(`node ${node}: its attribute ${attribute} is a ${typeof value} of the wrong kind`);
  });
  if (values.length === 0) return undefined;
  if (without !== undefined)
    throw new InputError(`node ${without} has no attribute ${attribute}, though other nodes have`);
  return values;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isUint32(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32;
}

function shared(values: readonly number[] | undefined): Uint32Array | undefined {
  return values && asSharedUint32(Uint32Array.from(values));
}
