import { InputError, nearest } from '../../../base/index.ts';
import { roadSequence } from './road.ts';
import { sequenceOfArcs, type ArcSequence } from './sequence.ts';

type Arc = readonly [source: number, target: number];

/**
 * SPAWC's twelve graphs, by the names of its files. Its order of the arcs of a complete graph, its sanity graphs and
 * its road graphs are not in its text: ours have the same counts, and say what they are.
 */
const graphs: Readonly<Record<string, () => ArcSequence>> = {
  sc1: () => sanity('sc1', 8, [
    [0, 1], [3, 4], [2, 3], [4, 5], [5, 6], [6, 7], [1, 2], [0, 7], [6, 5], [4, 3], [2, 0],
  ]),
  sc2: () => sanity('sc2', 8, [
    [0, 1], [1, 2], [3, 4], [4, 5], [5, 6], [6, 7], [1, 5], [2, 7], [2, 3], [5, 4], [0, 2], [4, 7], [6, 4], [3, 0],
  ]),
  sc3: () => sanity('sc3', 4, [[0, 1], [1, 2], [2, 3], [2, 0], [1, 0], [0, 2]]),
  c100: () => complete(100),
  c200: () => complete(200),
  c400: () => complete(400),
  c800: () => complete(800),
  a300: () => cubic(300),
  a900: () => cubic(900),
  a1500: () => cubic(1500),
  id: () => roadSequence('id', 256, 672),
  ga: () => roadSequence('ga', 1557, 5016),
};

export const spawcGraphNames: readonly string[] = Object.keys(graphs);

/** The number under which SPAWC's figures 9, 14 and 15 show a graph, by its name. */
export const figureNumbers: Readonly<Record<string, number>> = { a300: 1, a900: 2, c100: 3, c400: 4, ga: 5, id: 6 };

/** @throws InputError for a name that is not among `spawcGraphNames`. */
export function spawcGraph(name: string): ArcSequence {
  if (Object.hasOwn(graphs, name)) return graphs[name]();
  const near = nearest(name, spawcGraphNames);
  throw new InputError(
    `graph ${name}: must be one of ${spawcGraphNames.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
}

function sanity(name: string, pages: number, arcs: readonly Arc[]): ArcSequence {
  return sequenceOfArcs({
    name, pages, arcs, isSynthetic: true, description: 'a graph of several components with the counts of SPAWC\'s, invented by us',
  });
}

/** All arcs, page after page. */
function complete(pages: number): ArcSequence {
  const arcs: Arc[] = [];
  for (let source = 0; source < pages; source++)
    for (let target = 0; target < pages; target++) if (source !== target) arcs.push([source, target]);
  return sequenceOfArcs({
    name: `c${pages}`, pages, arcs, isSynthetic: true, description: 'complete, its arcs page after page',
  });
}

/**
 * A sequence after which any algorithm has changed a number of distances cubic in n: k = n/3 pages s reach k pages t by
 * a path x_1, ..., x_k, which shortcuts from x_1 shorten by one link at a time.
 *
 * Source  SPAWC, appendix C.1 and figure 19, after Ausiello et al. (1991): 4k - 3 arcs, (k - 1) k^2 changes and more.
 */
function cubic(pages: number): ArcSequence {
  const k = pages / 3;
  const [s, x, t] = [-1, k - 1, 2 * k - 1].map((offset) => (i: number) => offset + i);
  const arcs: Arc[] = [];
  for (let i = 1; i <= k; i++) arcs.push([s(i), x(1)]);
  for (let i = 2; i < k; i++) arcs.push([x(i), x(i + 1)]);
  for (let i = 1; i <= k; i++) arcs.push([x(k), t(i)]);
  for (let i = 2; i <= k; i++) arcs.push([x(1), x(i)]);
  return sequenceOfArcs({
    name: `a${pages}`, pages, arcs, isSynthetic: true, description: 'the sequence of cubic change of Ausiello et al.',
  });
}
