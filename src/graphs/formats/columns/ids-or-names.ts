import { InputError } from '../../../base/index.ts';
import type { WebGraph } from '../../graph/index.ts';
import { ArcList, noteBothWays } from '../arc-list.ts';
import { isUndirected } from '../direction.ts';
import { graphOfIds } from '../edge-list/edge-list.ts';
import { isNumber } from '../edge-list/number-columns.ts';
import { graphNameOfParts } from '../graph-name.ts';
import type { ReadOptions } from '../read-options.ts';
import { NamedLinks } from '../url-lists/named-pairs.ts';

/** Takes a link, as its text names its pages, or an undirected one; returns its fault, if any. */
export type TakeLink = (source: string, target: string, isEdge?: boolean) => string | undefined;

/** Thrown at the first page that is not named by an id: then all pages are named by text. */
class NamedByText extends Error {}

/**
 * The graph of links whose pages a text names: by ids, as in an edge list, if all names are ids; otherwise by URLs or
 * names, as in named pairs. The first name decides, and then the text is read a second time.
 * @param readAll passes each link of the text to its argument.
 * @param none returns the end of the message if there are no links.
 */
export async function graphOfTexts(
  paths: readonly string[], options: ReadOptions, none: () => string, readAll: (take: TakeLink) => Promise<void>,
): Promise<WebGraph> {
  const name = options.name ?? graphNameOfParts(paths);
  const undirected = await isUndirected(paths);
  const arcs = new ArcList();
  let edges = 0;
  try {
    await readAll((source, target, isEdge = undirected) => {
      const [from, to] = [idIn(source), idIn(target)];
      if (from === undefined || to === undefined) return faultOf(from === undefined ? source : target);
      if (isEdge) arcs.addBothWays(from, to);
      else arcs.add(from, to);
      if (isEdge) edges++;
      return undefined;
    });
    if (arcs.length === 0) throw new InputError(`${paths[0]}: contains no links; ${none()}`);
    const { sources, targets, largestId } = arcs;
    noteBothWays(name, edges, options.onNote);
    return graphOfIds({ name, sources, targets, largestId }, options);
  } catch (error) {
    if (!(error instanceof NamedByText)) throw error;
  }
  const links = new NamedLinks();
  await readAll((source, target, isEdge = undirected) =>
    isEdge ? links.edge(source, target) : links.link(source, target));
  if (!links.hasPages) throw new InputError(`${paths[0]}: contains no links between URLs of http or https; ${none()}`);
  return links.graph(name, options);
}

/** The fault of a number that is no page id. @throws NamedByText if it is a name. */
function faultOf(text: string): string {
  if (text === '') return 'a page has no name';
  if (!isNumber(text) || /^[0-9]+$/.test(text)) throw new NamedByText();
  return 'expected page ids, integers from 0, or names';
}

/** The unsigned 32-bit integer in a text. Larger ones are names, as some tables number their pages by 64 bits. */
function idIn(text: string): number | undefined {
  if (!/^[0-9]{1,10}$/.test(text)) return undefined;
  const value = Number(text);
  return value < 2 ** 32 ? value : undefined;
}
