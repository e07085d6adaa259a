import { DrawStream } from '../../../src/base/index.ts';
import { StringTable, type WebGraph } from '../../../src/graphs/graph/index.ts';

/**
 * A graph larger than the real ones there are: renamed copies of them, in turn, until it has `arcs` links or more; then
 * a share of all links exchange their targets, each with a link of any other copy, so that every page has as many links
 * to and from it as before, and the copies are one web. An exchange that would repeat a link is left out.
 *
 * Composed, not crawled: its name says so. Equal arguments give equal graphs.
 *
 * @param swapped - the share of links that exchange their targets, 0 ... 1.
 */
export function composed(graphs: readonly WebGraph[], arcs: number, swapped: number): WebGraph {
  const copies: WebGraph[] = [];
  const sum = (count: (copy: WebGraph) => number): number => copies.reduce((total, copy) => total + count(copy), 0);
  while (sum((copy) => copy.arcs) < arcs) copies.push(graphs[copies.length % graphs.length]);
  const pages = sum((copy) => copy.pages);
  const outOffsets = new Uint32Array(pages + 1);
  const outTargets = new Uint32Array(sum((copy) => copy.arcs));
  const hostOfPage = new Uint32Array(pages);
  const hostNames: string[] = [];
  let [page, arc] = [0, 0];
  for (const [nth, copy] of copies.entries()) {
    for (let i = 0; i < copy.arcs; i++) outTargets[arc + i] = page + copy.outTargets[i];
    for (let i = 0; i < copy.pages; i++) {
      outOffsets[page + i + 1] = arc + copy.outOffsets[i + 1];
      hostOfPage[page + i] = hostNames.length + copy.hosts.ofPage[i];
    }
    for (let host = 0; host < copy.hosts.count; host++) hostNames.push(`copy-${nth}.${copy.hosts.names.at(host)}`);
    page += copy.pages;
    arc += copy.arcs;
  }
  swapTargets(outOffsets, outTargets, copyEnds(copies), swapped);
  return {
    name: `composed of ${copies.length} copies of ${graphs.map(({ name }) => name).join(' and ')}`,
    pages, arcs: arc, outOffsets, outTargets,
    hosts: { count: hostNames.length, ofPage: hostOfPage, names: StringTable.from(hostNames), synthetic: true },
  };
}

/** The last link of each copy, and one more. */
function copyEnds(copies: readonly WebGraph[]): number[] {
  let end = 0;
  return copies.map(({ arcs }) => (end += arcs));
}

function swapTargets(offsets: Uint32Array, targets: Uint32Array, ends: readonly number[], share: number): void {
  const draws = new DrawStream(1, 'composed');
  const pageOf = (arc: number): number => firstAbove(offsets, arc) - 1;
  for (let nth = 0; nth < (share / 2) * targets.length; nth++) {
    const [one, other] = [0, 1].map((side) => Math.floor(draws.uniform(nth, side) * targets.length));
    if (firstAbove(ends, one) === firstAbove(ends, other)) continue;
    const [page, otherPage] = [pageOf(one), pageOf(other)];
    const linksTo = (from: number, target: number): boolean =>
      targets.subarray(offsets[from], offsets[from + 1]).includes(target);
    if (linksTo(page, targets[other]) || linksTo(otherPage, targets[one])) continue;
    [targets[one], targets[other]] = [targets[other], targets[one]];
  }
}

/** The first index whose number, of ascending ones, is above `limit`. */
function firstAbove(numbers: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}
