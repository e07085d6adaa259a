import type { GraphParts, WebGraph } from '../../graph/index.ts';
import { InputError, quoted } from '../../../base/index.ts';
import { bytesOf } from '../../../base/files/index.ts';
import { ArcList } from '../arc-list.ts';
import type { Format } from '../format.ts';
import { graphName } from '../graph-name.ts';
import { buildNoting, type ReadOptions } from '../read-options.ts';

export const adjacencyList = {
  name: 'adjacency',
  title: 'adjacency list',
  holds: 'the number of pages, then a line of links for each',
  several: false,
  begins: ({ lines }) => /^\s*[0-9]+\s*$/.test(lines[0]),
  read: ([path], options) => readAdjacencyList(path, options),
} as const satisfies Format;

/**
 * Reads successor lists as written by the WebGraph framework's ASCIIGraph, plain or gzipped: line 1 is the number of
 * pages n; the next n lines have the pages that page 0, 1, ... n-1 links to, separated by blanks. Hosts are drawn.
 * Errors   InputError with file and line. n is believed only line by line: a false count costs no memory.
 * Cost     O(bytes + n + m).
 */
export async function readAdjacencyList(path: string, options: ReadOptions = {}): Promise<WebGraph> {
  let pages = -1; // Until line 1 is read.
  let page = -1; // The line's page; -1 on line 1.
  const arcs = new ArcList();
  let value = -1;
  const fail = (what: string): never => {
    throw new InputError(`${path}: line ${page + 2}: ${what}`);
  };
  const endNumber = (): void => {
    if (value < 0) return;
    if (page < 0) {
      if (pages >= 0) fail('has more than one number; expected the number of pages');
      pages = value;
    } else {
      if (page >= pages) fail(`continues after the successors of ${pages} pages, as many as line 1 states`);
      if (value >= pages) fail(`page ${value} is not below ${pages}, the number of pages of line 1`);
      arcs.add(page, value);
    }
    value = -1;
  };
  const endLine = (): void => {
    endNumber();
    if (pages < 0) fail('is empty; expected the number of pages');
    page++;
  };
  let lastByte = 10;
  for await (const chunk of bytesOf(path, options)) {
    for (const byte of chunk) {
      if (byte >= 48 && byte <= 57) {
        value = (value < 0 ? 0 : value * 10) + (byte - 48);
        if (value > 0xffffffff) fail('has a number larger than 4294967295');
      } else if (byte === 10) endLine();
      else if (byte === 32 || byte === 9 || byte === 13) endNumber();
      else fail(`has ${quoted(Uint8Array.of(byte))} where page ids are expected`);
    }
    lastByte = chunk[chunk.length - 1];
  }
  if (lastByte !== 10) endLine();
  if (pages < 1) throw new InputError(`${path}: contains no pages`);
  if (page < pages) {
    throw new InputError(
      `${path}: ends after the successors of ${page} pages; line 1 states ${pages}. Is the file truncated?`,
    );
  }
  const { sources, targets } = arcs;
  const parts = { pages, sources, targets };
  if (options.isGuessed === true && mayBeTree(parts)) {
    throw new InputError(
      `${path}: line 2: ${pages - 1} may be the number of links that follow, or a link of page 0; ` +
        'orbweaver import with --format adjacency reads it as the latter',
    );
  }
  return buildNoting({ name: options.name ?? graphName(path), ...parts }, options.onNote);
}

/**
 * Whether it may be a list of links preceded by the numbers of pages and links: page 0 then has one successor, the
 * number, and every other page two.
 */
function mayBeTree({ pages, sources, targets }: Pick<GraphParts, 'pages' | 'sources' | 'targets'>): boolean {
  return (
    pages > 1 &&
    sources.length === 2 * pages - 1 &&
    targets[0] === pages - 1 &&
    sources.every((page, i) => page === Math.ceil(i / 2))
  );
}
