import { MultiGraph } from 'graphology';
import { parse as parseGexf } from 'graphology-gexf';
import { parse as parseGraphMl } from 'graphology-graphml';
import type { GraphParts, WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../base/index.ts';
import { ArcList, noteBothWays } from '../arc-list.ts';
import { bytesOf } from '../../base/files/index.ts';
import { graphName } from '../graph-name.ts';
import { placesOf, type NodeAttributes } from '../node-places.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { soundXml } from './xml-check.ts';

/**
 * The parsers build a tree: this much text, unzipped, some 600,000 links, takes 1.5 GB and the better part of a minute.
 */
const XML_LIMIT_BYTES = 1 << 25;
/** A GraphML document whose edges are of both kinds is copied by its parser for each edge. */
const MOST_MIXED_EDGES = 1000;

/**
 * Reads a graph in GEXF, plain or gzipped, of at most 32 MiB. Nodes are pages in the document's order, undirected and
 * mutual edges links both ways. What tells a page is said at placesOf; all other attributes, weights too, are left
 * behind.
 *
 * Errors   InputError with file and line for what is no sound XML (xml-check.ts), with the file for what is no graph.
 * Cost     O(bytes); memory some 50 times the document.
 */
export function readGexf(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  const parse = (text: string): ParsedGraph => parseGexf(MultiGraph, text, { allowUndeclaredAttributes: true });
  return readXml(path, options, { root: 'gexf', keeps: keptOfGexf, parse });
}

/** Reads a graph in GraphML; all else as readGexf. Edges of both kinds in one document are read up to 1000 edges. */
export function readGraphMl(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  return readXml(path, options, {
    root: 'graphml',
    keeps: keptOfGraphMl,
    parse(text, edges) {
      const isMixed =
        /\sedgedefault\s*=\s*["']undirected/.test(text) && /<edge\s[^<>]*\sdirected\s*=\s*["']true/.test(text);
      if (isMixed && edges > MOST_MIXED_EDGES) {
        throw new InputError(
          `${path}: has directed edges among ${edges} undirected ones; such documents are read up to ${MOST_MIXED_EDGES} edges`,
        );
      }
      return parseGraphMl(MultiGraph, text);
    },
  });
}

const gexfElements = new Set(['graph', 'attributes', 'attribute', 'nodes', 'node', 'edges', 'edge', 'attvalue']);

/** Default values, which would be given to every node, drawing and whatever tells of edges are let alone. */
function keptOfGexf(name: string, parent: string): boolean {
  return gexfElements.has(name) || (name === 'attvalues' && parent === 'node');
}

/** Keys of ports and of extensions, which drawing programs write, are none that the parser knows. */
function keptOfGraphMl(name: string, parent: string, tag: string): boolean {
  if (name === 'key') return !/\sfor\s*=\s*["'](?!node["'])/.test(tag);
  return name === 'graph' || name === 'node' || name === 'edge' || (name === 'data' && parent === 'node');
}

interface Dialect {
  readonly root: string;
  readonly keeps: (name: string, parent: string, tag: string) => boolean;
  readonly parse: (text: string, edges: number) => ParsedGraph;
}

/** What is asked of a graph that a parser built. */
interface ParsedGraph {
  readonly size: number;
  forEachNode: (take: (key: string, attributes: Readonly<Record<string, unknown>>) => void) => void;
  forEachEdge: (
    take: (
      key: string, attributes: unknown, source: string, target: string, a: unknown, b: unknown, undirected: boolean,
    ) => void,
  ) => void;
}

async function readXml(path: string, options: ReadOptions, { root, keeps, parse }: Dialect): Promise<WebGraph> {
  const xml = soundXml(await textOf(path, options), path, keeps);
  if (xml.root !== root)
    throw new InputError(`${path}: its root element is ${quoted(xml.root)}; expected ${quoted(root)}`);
  const graphs = xml.elements.get('graph') ?? 0;
  if (graphs !== 1) throw new InputError(`${path}: has ${graphs} elements "graph"; expected one`);
  if (!xml.elements.has('node')) throw new InputError(`${path}: has no nodes`);
  let parsed: ParsedGraph;
  try {
    parsed = parse(xml.text, xml.elements.get('edge') ?? 0);
  } catch (error) {
    if (error instanceof InputError || !(error instanceof Error)) throw error;
    throw new InputError(`${path}: ${whatIsWrong(error.message)}`);
  }
  const name = options.name ?? graphName(path);
  return buildNoting({ name, ...partsOf(parsed, name, options.onNote) }, options.onNote);
}

function whatIsWrong(message: string): string {
  if (message.includes('inexisting')) return 'an edge names a node that the document has not';
  return `is no graph that can be read: ${quoted(message.replace(/^graphology-\w+\/parser: /, ''), 200)}`;
}

async function textOf(path: string, options: ReadOptions): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(path, options)) {
    bytes += chunk.length;
    if (bytes > XML_LIMIT_BYTES) {
      throw new InputError(
        `${path}: is longer than ${XML_LIMIT_BYTES} bytes, the most of such a document that is read; store it as an edge list`,
      );
    }
    chunks.push(chunk.slice());
  }
  const all = Buffer.concat(chunks);
  const isWide = all[0] === 0xfe || all[0] === 0xff || all[1] === 0;
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)/.exec(all.toString('latin1', 0, 200))?.[1] ?? 'utf-8';
  const label = !isWide ? declared : all[0] === 0xfe ? 'utf-16be' : 'utf-16le';
  try {
    return new TextDecoder(label, { fatal: true }).decode(all);
  } catch {
    throw new InputError(`${path}: is not in ${quoted(label)}, the encoding that it declares or should have`);
  }
}

function partsOf(graph: ParsedGraph, name: string, onNote: ReadOptions['onNote']): Omit<GraphParts, 'name'> {
  const idOf = new Map<string, number>();
  const attributes: NodeAttributes[] = [];
  graph.forEachNode((key, of) => {
    idOf.set(key, idOf.size);
    attributes.push(of);
  });
  const arcs = new ArcList();
  let bothWays = 0;
  graph.forEachEdge((_key, _attributes, from, to, _a, _b, undirected) => {
    const [source, target] = [idOf.get(from) ?? 0, idOf.get(to) ?? 0];
    if (undirected) arcs.addBothWays(source, target);
    else arcs.add(source, target);
    if (undirected) bothWays++;
  });
  noteBothWays(name, bothWays, onNote);
  const { sources, targets } = arcs;
  return { pages: idOf.size, sources, targets, ...placesOf([...idOf.keys()], attributes, name, onNote) };
}
