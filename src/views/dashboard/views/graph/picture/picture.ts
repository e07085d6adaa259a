import { counted, number, percent } from '../../../../report/page/format.ts';
import type { CrawlGraph, GraphNode } from '../../../../service/dashboard/graph/api.ts';
import { mixed, processorColour, type Theme } from './colours.ts';
import type { Places } from './places.ts';

/** Pixels. */
const RADIUS = { least: 3.5, most: 20 };
/** Square pixels that all nodes may cover, so that they leave room for one another. */
const COVERED = 60_000;

/** So many links of pages make a thick line. */
const HEAVY = 100;

/** A picture of the graph as data: the canvas, the SVG file and the sentence are made of it. */
export interface Picture {
  /** One for each node of the graph, in their order. */
  readonly marks: readonly Mark[];
  readonly lines: readonly Line[];
}

export interface Mark {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** Pixels. */
  readonly radius: number;
  readonly colour: string;
  /** Share of its pages that is fetched: the part of the area that is filled. */
  readonly filled: number;
  readonly label: string;
  readonly isShown: boolean;
  /** Shown with its label, whatever its size. */
  readonly isChosen: boolean;
}

export interface Line {
  /** Positions in `marks`. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly colour: string;
  readonly isShown: boolean;
}

/** What is looked at. */
export interface Look {
  /** Position in the graph's supersteps. */
  readonly at: number;
  /** The number of the node that is pointed at, or in the reader's focus. */
  readonly chosen: number | null;
  /** Whether a node is among those searched for; the others are faint. */
  readonly isFound: (node: GraphNode) => boolean;
}

export const fetchedAt = ({ fetched }: GraphNode, at: number): number => fetched[Math.min(at, fetched.length - 1)] ?? 0;

export function pictureOf(graph: CrawlGraph, places: Places, theme: Theme, { at, chosen, isFound }: Look): Picture {
  const { nodes, links } = graph;
  const sizes = nodes.map(({ pages, fetched }) => pages ?? fetched.at(-1) ?? 0);
  const most = Math.max(1, ...sizes);
  const covered = Math.PI * sizes.reduce((sum, size) => sum + size / most, 0);
  const largest = Math.max(1.5 * RADIUS.least, Math.min(RADIUS.most, Math.sqrt(COVERED / covered)));
  const isLinked = nodes.map(({ id }) => id === chosen);
  for (const { from, to } of links) {
    if (nodes[from].id === chosen) isLinked[to] = true;
    if (nodes[to].id === chosen) isLinked[from] = true;
  }
  const marks = nodes.map((node, i): Mark => {
    const { id, name, processor, since } = node;
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    const colour = processorColour(theme, processor);
    const isFaint = !isFound(node) || (chosen !== null && !isLinked[i]);
    return {
      id, x, y, radius: RADIUS.least + (largest - RADIUS.least) * Math.sqrt(sizes[i] / most),
      colour: isFaint ? mixed(colour, theme.paper, 0.7) : colour,
      filled: sizes[i] === 0 ? 0 : Math.min(1, fetchedAt(node, at) / sizes[i]),
      label: name, isShown: since <= at, isChosen: id === chosen,
    };
  });
  // Many lines are paler, so that they do not hide the nodes.
  const paleness = chosen === null ? 0.3 + 0.32 * Math.min(1, links.length / 2000) : 0.88;
  const [quiet, loud] = [mixed(theme.soft, theme.paper, paleness), theme.ink];
  const greatest = Math.log1p(Math.max(HEAVY, links[0]?.weight ?? 1));
  const lines = links.map(({ from, to, weight, since }): Line => {
    const isOwn = nodes[from].id === chosen || nodes[to].id === chosen;
    return {
      from, to, width: (isOwn ? 1.2 : 0.6) + 1.2 * Math.log1p(weight) / greatest, colour: isOwn ? loud : quiet,
      isShown: since <= at && nodes[from].since <= at && nodes[to].since <= at,
    };
  });
  return { marks, lines };
}

/** "1 host", "3 directories". */
export function countedNodes(count: number, nodesAre: CrawlGraph['nodesAre']): string {
  return `${number(count)} ${count === 1 ? { hosts: 'host', directories: 'directory' }[nodesAre] : nodesAre}`;
}

/** What the picture shows, in words. */
export function sentenceOf(graph: CrawlGraph, at: number): string {
  const { nodes, nodesAre, supersteps } = graph;
  const visible = nodes.filter(({ since }) => since <= at);
  const fetched = visible.reduce((sum, node) => sum + fetchedAt(node, at), 0);
  const begun = visible.filter((node) => fetchedAt(node, at) > 0).length;
  const pages = visible.reduce((sum, node) => sum + (node.pages ?? 0), 0);
  const when = supersteps.length === 0 ? '' : `Up to superstep ${number(supersteps[at])}: `;
  const share = pages === 0 ? '' : `, ${percent(fetched / pages)} of their pages within reach`;
  return `${when}${countedNodes(visible.length, nodesAre)} in the picture, ${counted(fetched, 'page')} fetched on ` +
    `${number(begun)} of them${share}.`;
}
