import { transpose, type WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { ArcList, idsFromOne, noteBothWays } from '../arc-list.ts';
import { bytesOf } from '../../../base/files/index.ts';
import type { FileStart } from '../file-start.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';

export const metis = {
  name: 'metis',
  title: 'METIS graph',
  holds: 'nodes and edges, then a line of neighbours for each, from 1',
  several: false,
  hasName: (path) => /\.metis(\.gz)?$/i.test(path),
  begins: beginsLikeMetis,
  read: ([path], options) => readMetis(path, options),
} as const satisfies Format;

/** The contents of the first line. */
interface Header {
  readonly nodes: number;
  readonly edges: number;
  /** Numbers before the neighbours of a node: its size, its weights. */
  readonly leading: number;
  /** Whether a weight follows each neighbour. */
  readonly hasEdgeWeights: boolean;
  readonly line: number;
}

/**
 * Reads a graph as accepted by METIS and KaHIP, plain or gzipped: `n m [fmt [ncon]]`, then a line of neighbours for
 * each of the nodes 1 ... n, separated by blanks. `fmt` has up to three digits, 0 or 1: whether each line begins with a
 * size, whether `ncon` (by default 1) weights follow, whether a weight follows each neighbour; these are not stored.
 * Lines that begin with `%` are comments. Each of the m edges is listed at both its nodes, so each is a link both ways;
 * ids are stored as `sourceIds`. Hosts are drawn.
 * Errors   InputError with file and line, or node; also if there are not m edges, an edge is listed at only one of its
 *          nodes, or a node is its own neighbour. n is believed only line by line: a false count costs no memory.
 * Cost     O(bytes + n + m); memory: the graph, and as much again while both ends of edges are compared.
 */
export async function readMetis(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  const parser = new MetisParser(path);
  for await (const chunk of bytesOf(path, options)) parser.push(chunk);
  const { nodes, edges, leading, hasEdgeWeights } = parser.finish();
  const name = options.name ?? graphName(path);
  if (leading > 0 || hasEdgeWeights) options.onNote?.(`${name}: the sizes and weights of the graph are not stored`);
  noteBothWays(name, edges, options.onNote);
  const { sources, targets } = parser.arcs;
  const graph = buildNoting({ name, pages: nodes, sources, targets, sourceIds: idsFromOne(nodes) }, options.onNote);
  refuseOneSided(graph, path);
  return graph;
}

class MetisParser {
  readonly arcs = new ArcList();
  readonly #file: string;
  #header: Header | undefined;
  /** Numbers of the line until the header is complete. */
  #sizes: number[] = [];
  /** The line's node, from 0. */
  #node = 0;
  #line = 1;
  /** Numbers of the line so far, and the current one; -1 between two. */
  #column = 0;
  #value = -1;
  #inComment = false;
  #lastByte = 10;

  constructor(file: string) {
    this.#file = file;
  }

  push(chunk: Uint8Array): void {
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i];
      if (this.#inComment && byte !== 10) {
        i = chunk.indexOf(10, i);
        if (i < 0) break;
        this.#endLine();
      } else if (byte >= 48 && byte <= 57) {
        this.#value = (this.#value < 0 ? 0 : this.#value * 10) + (byte - 48);
      } else if (byte === 10) this.#endLine();
      else if (byte === 32 || byte === 9 || byte === 13) this.#endNumber();
      else if (byte === 37 && this.#column === 0 && this.#value < 0) this.#inComment = true;
      else this.#fail(`has ${quoted(Uint8Array.of(byte))} where whole numbers from 0 are expected`);
    }
    if (chunk.length > 0) this.#lastByte = chunk[chunk.length - 1];
  }

  finish(): Header {
    if (this.#lastByte !== 10) this.#endLine();
    const header = this.#header;
    if (header === undefined)
      throw new InputError(`${this.#file}: ends before its first line; expected the numbers of nodes and edges`);
    const { nodes, edges, line } = header;
    if (this.#node < nodes) {
      throw new InputError(
        `${this.#file}: ends after the neighbours of ${this.#node} nodes; line ${line} states ${nodes}. Is the file truncated?`,
      );
    }
    if (this.arcs.length !== 2 * edges) {
      throw new InputError(
        `${this.#file}: line ${line}: states ${edges} edges, each listed at both its nodes, which makes ${2 * edges} neighbours; ` +
          `there are ${this.arcs.length}`,
      );
    }
    return header;
  }

  #endNumber(): void {
    if (this.#value < 0) return;
    const value = this.#value;
    this.#value = -1;
    const column = this.#column++;
    const header = this.#header;
    if (header === undefined) {
      this.#sizes.push(value);
      if (column === 4) this.#fail('has more than four numbers; expected nodes, edges and perhaps fmt and ncon');
      return;
    }
    if (this.#node >= header.nodes)
      this.#fail(`continues after the neighbours of ${header.nodes} nodes, as many as line ${header.line} states`);
    const place = column - header.leading;
    if (place < 0 || (header.hasEdgeWeights && place % 2 === 1)) return;
    if (value < 1 || value > header.nodes)
      this.#fail(`node ${value} is not one of 1 to ${header.nodes}, the nodes of line ${header.line}`);
    if (value === this.#node + 1) this.#fail(`node ${value} is its own neighbour, which METIS does not allow`);
    this.arcs.add(this.#node, value - 1);
  }

  #endLine(): void {
    this.#endNumber();
    const header = this.#header;
    if (this.#inComment) this.#inComment = false;
    else if (header === undefined) {
      if (this.#column > 0) this.#header = headerOf(this.#sizes, this.#line) ?? this.#fail(HEADER_EXPECTED);
    } else if (this.#node < header.nodes) {
      const { leading, hasEdgeWeights, line } = header;
      const behind = this.#column - leading;
      if (behind < 0)
        this.#fail(`has ${this.#column} numbers; by line ${line} ${leading} must precede the neighbours of a node`);
      if (hasEdgeWeights && behind % 2 === 1) this.#fail('ends with a neighbour without its weight');
      this.#node++;
    }
    this.#column = 0;
    this.#line++;
  }

  #fail(what: string): never {
    throw new InputError(`${this.#file}: line ${this.#line}: ${what}`);
  }
}

const HEADER_EXPECTED =
  'expected from 1 to 4294967294 nodes, edges, perhaps fmt (three digits, 0 or 1), perhaps ncon (from 1, with weights)';

/** The contents of the first line; undefined if no METIS graph begins so. */
function headerOf(numbers: readonly number[], line: number): Header | undefined {
  const [nodes = 0, edges = -1, format = 0] = numbers;
  const constraints = numbers.at(3);
  const digits = /^([01])([01])([01])$/.exec(String(format).padStart(3, '0'));
  if (nodes < 1 || nodes > 2 ** 32 - 2 || edges < 0 || edges >= 2 ** 31 || digits === null) return undefined;
  const [sizes, weights, edgeWeights] = digits.slice(1).map(Number);
  if (constraints !== undefined && (constraints < 1 || weights === 0)) return undefined;
  return { nodes, edges, leading: sizes + weights * (constraints ?? 1), hasEdgeWeights: edgeWeights === 1, line };
}

/**
 * Whether a text begins like a METIS graph and not like an edge list, whose lines all have as many columns; if it may
 * be both, the user must name the format (edge-list/number-lines.ts).
 */
function beginsLikeMetis({ lines }: FileStart): boolean {
  const rows = lines.slice(0, -1).filter((line) => !/^[ \t]*%/.test(line));
  const isListed = rows.every((row) => /^[0-9 \t]*$/.test(row));
  const numbers = isListed ? rows.map((row) => row.match(/[0-9]+/g)?.map(Number) ?? []) : [];
  const [sizes = [], ...nodes] = numbers;
  const header = sizes.length < 5 ? headerOf(sizes, 1) : undefined;
  if (header === undefined || !nodes.some(({ length }) => length > 0 && length !== sizes.length)) return false;
  return nodes.every((row, node) => {
    const neighbours = row.slice(header.leading).filter((_, i) => !header.hasEdgeWeights || i % 2 === 0);
    if (node >= header.nodes) return row.length === 0;
    if (row.length < header.leading || (header.hasEdgeWeights && (row.length - header.leading) % 2 === 1)) return false;
    return neighbours.every((id) => id >= 1 && id <= header.nodes && id !== node + 1);
  });
}

/** Throws if a node lists a neighbour that does not list it. */
function refuseOneSided(graph: WebGraph, file: string): void {
  const { pages, outOffsets, outTargets } = graph;
  const { inOffsets, inSources } = transpose(graph);
  const namedBy = new Uint32Array(pages); // The last node, from 1, that names each.
  for (let node = 0; node < pages; node++) {
    for (let i = outOffsets[node]; i < outOffsets[node + 1]; i++) namedBy[outTargets[i]] = node + 1;
    for (let i = inOffsets[node]; i < inOffsets[node + 1]; i++) {
      if (namedBy[inSources[i]] === node + 1) continue;
      throw new InputError(
        `${file}: node ${inSources[i] + 1} has the neighbour ${node + 1}, which does not list it; each edge must be listed at both its nodes`,
      );
    }
  }
}
