import { MultiGraph } from 'graphology';
import { parse as parseGexf } from 'graphology-gexf';
import { parse as parseGraphMl } from 'graphology-graphml';
import { hostsFromNames, sharedUint32, StringTable, type GraphParts, type WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../base/index.ts';
import { ArcList, noteBothWays } from '../arc-list.ts';
import { bytesOf } from '../../base/files/index.ts';
import { graphName } from '../graph-name.ts';
import { listedPages } from '../url-lists/listed-pages.ts';
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
 * mutual edges links both ways. What tells a page is, in this order: the attributes `host` and `path` of every node (as
 * writeGexf has them), with `bytes`; a URL that every node has as attribute `url`, as label or as id; a label or id,
 * which becomes the path on drawn hosts. Ascending integer ids are kept as `sourceIds`. All other attributes, weights
 * too, are left behind.
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

type Attributes = Readonly<Record<string, unknown>>;

function partsOf(graph: ParsedGraph, name: string, onNote: ReadOptions['onNote']): Omit<GraphParts, 'name'> {
  const idOf = new Map<string, number>();
  const attributes: Attributes[] = [];
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

/** Hosts, paths, sizes and source ids, as far as the nodes tell them. */
function placesOf(
  keys: readonly string[], attributes: readonly Attributes[], name: string, onNote: ReadOptions['onNote'],
): Pick<GraphParts, 'hosts' | 'paths' | 'bytes' | 'sourceIds'> {
  const textOfAll = (attribute: string): string[] | undefined => {
    const texts = attributes.map((of) => of[attribute]);
    return texts.every((text) => typeof text === 'string' && text !== '') ? (texts as string[]) : undefined;
  };
  const ids = keys.map((key) => (/^(0|[1-9][0-9]{0,9})$/.test(key) ? Number(key) : NaN));
  const areIds = ids.every((id, i) => id < 2 ** 32 && (i === 0 || id > ids[i - 1]));
  const sizes = attributes.map((of) => Number(of['bytes'] ?? NaN));
  const rest = {
    sourceIds: areIds && ids.some((id, i) => id !== i) ? shared(ids) : undefined,
    bytes: sizes.every((size) => Number.isInteger(size) && size >= 0 && size < 2 ** 32) ? shared(sizes) : undefined,
  };
  const hosts = textOfAll('host');
  if (hosts?.every((host) => !/[\s\p{Cc}]/u.test(host)) === true) {
    const paths = textOfAll('path');
    const fromSlash = paths?.map((path) => (path.startsWith('/') ? path : `/${path}`));
    return { ...rest, hosts: hostsFromNames(hosts), paths: fromSlash && StringTable.from(fromSlash) };
  }
  const labels = textOfAll('label');
  const urls = [textOfAll('url'), labels, keys].find((texts) => texts?.every((text) => text.includes('://')));
  if (urls) return { ...rest, ...listedPages(name, urls, onNote) };
  const names =
    labels && (!areIds || labels.some((label, i) => label !== keys[i])) ? labels : areIds ? undefined : keys;
  return { ...rest, ...(names && { paths: StringTable.from(names.map((text) => `/${text}`)) }) };
}

function shared(values: readonly number[]): Uint32Array {
  const array = sharedUint32(values.length);
  array.set(values);
  return array;
}
