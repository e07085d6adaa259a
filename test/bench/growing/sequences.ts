import { openGraph } from '../../../src/graphs/catalogue/index.ts';
import type { Arc, ArcSequence } from '../../conformance/growing.ts';
import { crawlArcs } from '../../graph/growing/crawl-arcs.ts';

const DEFAULT_PAGES = 500;

/** The arcs that a name stands for: aN, cN, GRAPH or GRAPH:PAGES. */
export async function sequenceOf(name: string): Promise<ArcSequence> {
  const generated = /^([ac])(\d+)$/.exec(name);
  if (generated !== null) return (generated[1] === 'a' ? cubicSequence : completeSequence)(Number(generated[2]));
  const [graph, pages = DEFAULT_PAGES] = name.split(':');
  return crawlArcs(await openGraph(graph), Number(pages));
}

/**
 * SPAWC's appendix C (figure 19): k pages s, k pages x and k pages t. All s link to x_1, x_2 ... x_k are a chain, and
 * x_k links to all t. Then the arcs from x_1 to x_2 ... x_k come in turn: each shortens all paths from s to t by one.
 */
export function cubicSequence(pages: number): ArcSequence {
  const k = Math.floor(pages / 3);
  const numbers = Array.from({ length: k }, (_, i) => i);
  const [s, x, t] = [0, k, 2 * k];
  const arcs: Arc[] = [
    ...numbers.map((i): Arc => [s + i, x]),
    ...numbers.slice(1, -1).map((i): Arc => [x + i, x + i + 1]),
    ...numbers.map((i): Arc => [x + k - 1, t + i]),
    ...numbers.slice(1).map((i): Arc => [x, x + i]),
  ];
  return { pages: 3 * k, arcs };
}

/** All arcs, page by page. */
export function completeSequence(pages: number): ArcSequence {
  const numbers = Array.from({ length: pages }, (_, page) => page);
  return {
    pages,
    arcs: numbers.flatMap((source) => numbers.filter((page) => page !== source).map((target): Arc => [source, target])),
  };
}
