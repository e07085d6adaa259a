import { isUtf8 } from 'node:buffer';
import type { WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { ArcParser } from '../edge-list/arc-parser.ts';
import { bytesOf } from '../../../base/files/index.ts';
import { startOf, type FileStart } from '../file-start.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { HostNames, isHostName } from './host-names.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';
import { eachByteLine } from '../text-lines.ts';

export const hostGraph = {
  name: 'host-graph',
  title: 'part of a host graph',
  holds: 'vertices and edges as published by Common Crawl or Web Data Commons',
  several: true,
  partner: 'edges',
  begins: beginsLikeVertices,
  read: readHostGraph,
} as const satisfies Format;

function beginsLikeVertices({ lines }: FileStart): boolean {
  return /^[0-9]+\t[^\t ]*[^\t 0-9][^\t ]*(\t[0-9]+)?$/.test(lines[0]) || beginsLikeIndex(lines[0]);
}

/** Whether it is a line of the index of Web Data Commons: a host, a tab and its id. */
function beginsLikeIndex(line: string): boolean {
  return /^[^\t /]*[^\t 0-9/][^\t /]*\t[0-9]+$/.test(line);
}

/**
 * Reads a graph of hosts or domains as published by Common Crawl: files of vertices and files of edges, distinguished
 * by content, in one part or several, plain or gzipped. Vertices are `id TAB host [TAB number]` per line with ids 0, 1,
 * 2, ... in order and hosts from the top domain down (`org.example.www`), or as Web Data Commons has them, `host TAB
 * id` with hosts as usual (`www.example.org`); edges are `source TAB target`. Each host is a page without a path.
 * Errors   InputError with file and line.
 * Cost     O(bytes + n + m); memory: the graph; a sort of the hosts if they are not in ascending order.
 */
export async function readHostGraph(paths: readonly string[], options: ReadOptions = {}): Promise<WebGraph> {
  const vertices: string[] = [];
  const edges: string[] = [];
  for (const path of paths) (beginsLikeVertices(await startOf(path)) ? vertices : edges).push(path);
  if (vertices.length === 0) throw new InputError(`${paths[0]}: is not a list of hosts, which a host graph needs`);
  if (edges.length === 0)
    throw new InputError(`${paths[0]}: is a list of hosts without their links; name the file of edges too`);
  const hostNames = await readVertices(vertices, options);
  const pages = hostNames.count;
  const parser = new ArcParser({
    file: edges[0],
    idBound: pages,
    boundReason: `is not one of the ${pages} vertices of ${vertices[0]}${vertices.length > 1 ? ` and ${vertices.length - 1} more` : ''}`,
  });
  for (const path of edges) {
    parser.startFile(path);
    for await (const chunk of bytesOf(path, options)) parser.push(chunk);
    parser.finish();
  }
  const name = options.name ?? graphName(vertices[0]);
  options.onNote?.(`${name}: each page is a whole host`);
  return buildNoting(
    { name, pages, hosts: hostNames.hosts(), sources: parser.sources, targets: parser.targets }, options.onNote,
  );
}

async function readVertices(paths: readonly string[], options: ReadOptions): Promise<HostNames> {
  const names = new HostNames();
  const firstOf: number[] = []; // The first vertex of each file.
  let isAscending = true as boolean;
  let last: Uint8Array = new Uint8Array(0);
  for (const path of paths) {
    firstOf.push(names.count);
    const isIndex = beginsLikeIndex((await startOf(path)).lines[0]);
    await eachByteLine(path, options, (line, fail) => {
      const firstTab = line.indexOf(9);
      const secondTab = firstTab < 0 || isIndex ? -1 : line.indexOf(9, firstTab + 1);
      const ofId = isIndex ? line.subarray(firstTab + 1) : line.subarray(0, firstTab);
      const id = firstTab < 1 ? NaN : numberIn(ofId);
      if (Number.isNaN(id)) fail(isIndex ? 'expected a host, a tab and an id' : 'expected an id, a tab and a host');
      if (secondTab >= 0 && Number.isNaN(numberIn(line.subarray(secondTab + 1))))
        fail('the column after the host is not a number');
      const expected = names.count;
      if (id < expected) fail(`vertex ${id} appears where ${expected} is expected: it is repeated or out of order`);
      if (id > expected)
        fail(
          id === expected + 1
            ? `vertex ${expected} is missing before it`
            : `vertices ${expected} to ${id - 1} are missing before it`,
        );
      const host = isIndex ? line.subarray(0, firstTab)
        : line.subarray(firstTab + 1, secondTab < 0 ? line.length : secondTab);
      if (!isHostName(host)) fail('the host is empty or has blanks or control characters');
      if (!isUtf8(host)) fail('the host is not UTF-8');
      isAscending &&= Buffer.compare(last, host) < 0;
      last = host.slice();
      names.add(isIndex ? host : turnedAround(host));
    });
  }
  if (names.count === 0) throw new InputError(`${paths[0]}: contains no hosts; expected an id, a tab and a host per line`);
  if (!isAscending) refuseTwins(names, paths, firstOf);
  return names;
}

/** Throws if two vertices have the same host. */
function refuseTwins(names: HostNames, paths: readonly string[], firstOf: readonly number[]): void {
  const order = Uint32Array.from({ length: names.count }, (_, id) => id);
  order.sort((a, b) => Buffer.compare(names.at(a), names.at(b)) || a - b);
  for (let i = 1; i < order.length; i++) {
    const id = order[i];
    if (Buffer.compare(names.at(order[i - 1]), names.at(id)) !== 0) continue;
    const part = firstOf.findLastIndex((first) => first <= id);
    throw new InputError(
      `${paths[part]}: line ${id - firstOf[part] + 1}: vertex ${id} has the host of vertex ${order[i - 1]}: ${quoted(names.at(id))}`,
    );
  }
}

/** `org.example.www` as `www.example.org`. */
function turnedAround(host: Uint8Array): Uint8Array {
  const turned = new Uint8Array(host.length);
  let at = 0;
  for (let end = host.length; end >= 0; ) {
    const dot = end === 0 ? -1 : host.lastIndexOf(46, end - 1);
    turned.set(host.subarray(dot + 1, end), at);
    at += end - dot - 1;
    if (dot >= 0) turned[at++] = 46;
    end = dot;
  }
  return turned;
}

/** The number that 1 to 15 decimal digits spell; otherwise NaN. */
function numberIn(digits: Uint8Array): number {
  if (digits.length === 0 || digits.length > 15) return NaN;
  let value = 0;
  for (const byte of digits) {
    if (byte < 48 || byte > 57) return NaN;
    value = value * 10 + (byte - 48);
  }
  return value;
}
