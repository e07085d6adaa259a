import type { CrawlGraph, GraphNode } from '../../../service/dashboard/graph/api.ts';
import { csvText } from '../../../report/page/save/index.ts';
import { wordFinder } from '../../run/words.ts';
import { fetchedAt } from './picture/picture.ts';

export type Column = 'name' | 'processor' | 'fetched' | 'failures' | 'pages' | 'linksIn' | 'linksOut';

/** The columns of the table, by where the graph is from. */
export const columns: Readonly<Record<CrawlGraph['from'], readonly Column[]>> = {
  graph: ['name', 'processor', 'fetched', 'pages', 'linksIn', 'linksOut'],
  log: ['name', 'processor', 'fetched', 'failures'],
};

export interface Order {
  readonly by: Column;
  readonly isDown: boolean;
}

export function valueOf(node: GraphNode, column: Column, at: number): string | number | null {
  return column === 'fetched' ? fetchedAt(node, at) : node[column];
}

/** The nodes that are known at a moment and searched for, in order; equal ones as the server sent them. */
export function rowsOf(
  { nodes }: Pick<CrawlGraph, 'nodes'>, at: number, isFound: (node: GraphNode) => boolean, { by, isDown }: Order,
): GraphNode[] {
  const sign = isDown ? -1 : 1;
  return nodes.filter((node) => node.since <= at && isFound(node)).sort((first, other) => {
    const [a, b] = [valueOf(first, by, at), valueOf(other, by, at)];
    if (typeof a === 'string') return sign * a.localeCompare(String(b));
    return sign * ((a ?? -1) - Number(b ?? -1));
  });
}

/** Whether a name has all the words of a text, whatever their capitals. */
export function finder(text: string): (node: Pick<GraphNode, 'name'>) => boolean {
  const hasWords = wordFinder(text);
  return ({ name }) => hasWords(name);
}

/** The nodes of the picture at a moment, as a file. */
export function nodesCsv({ nodes }: Pick<CrawlGraph, 'nodes'>, at: number): string {
  return csvText({
    columns: [
      'node', 'name', 'processor', 'pages within reach', 'known', 'fetched', 'failures', 'links in', 'links out',
    ],
    rows: nodes.filter(({ since }) => since <= at).map((node) => [
      node.id, node.name, node.processor, node.pages, node.known, fetchedAt(node, at), node.failures, node.linksIn,
      node.linksOut,
    ]),
  });
}

/** Its links, likewise. */
export function linksCsv({ nodes, links }: Pick<CrawlGraph, 'nodes' | 'links'>, at: number): string {
  return csvText({
    columns: ['from', 'to', 'links'],
    rows: links.filter(({ since }) => since <= at)
      .map(({ from, to, weight }) => [nodes[from].name, nodes[to].name, weight]),
  });
}
