import { StringTable } from '../graph/index.ts';
import { keyOfScore } from '../queue/index.ts';
import { pageRank } from '../rank/index.ts';
import { KnownLinks, type KnownLinksState } from './known-links.ts';
import type { Policy, PolicyContext } from './policy.ts';

/**
 * Best first by PageRank over the pages known, made anew every K pages (Cho, Garcia-Molina & Page, WWW 1998, metric
 * IR'(p); under this name in Baeza-Yates, Castillo, Marin & Rodriguez, "Crawling a country: better strategies than
 * breadth-first for web page ordering", WWW 2005). A page that became known since the last ranking has score 0. With P
 * processors each ranks what it knows by itself whenever it has fetched ceil(K / P) more pages: links to pages of other
 * processors are left out, and pages known from others alone have what teleport gives them. Pages not fetched count as
 * dangling; damping 0.85.
 *
 * O(known + links known) sweeps of a few dozen at each ranking, begun from the last one: N / K rankings of a crawl of N
 * pages, so quadratic in N for fixed K. 16 bytes a page and 4 a link, and the ranking's own memory while it runs.
 */
export function batchPagerank({ processors, options, saved }: PolicyContext): Policy {
  const every = Math.ceil(options.rankEveryPages / processors);
  const before = saved as Saved | undefined;
  const links = new KnownLinks(before?.links);
  /** Of the pages known at the last ranking, in units of their mean. */
  let ranks: Float64Array = before?.ranks.slice() ?? new Float64Array(0);
  let rankedAt = before?.rankedAt ?? 0;
  let known = before?.known ?? 0;
  const score = (local: number): number => (local < ranks.length ? ranks[local] : 0);
  return {
    know: (local) => (known = local + 1),
    key: (local) => keyOfRank(score(local)),
    score,
    fetched: (local, own) => links.add(local, own),
    settle: (touch) => {
      if (links.pages - rankedAt < every) return;
      rankedAt = links.pages;
      ranks = ranked(links, known, ranks);
      for (let local = 0; local < known; local++) touch(local);
    },
    stateBytes: () => links.bytes + ranks.byteLength,
    save: (): Saved => ({ links: links.save(), ranks: ranks.slice(), rankedAt, known }),
  };
}

interface Saved {
  readonly links: KnownLinksState;
  readonly ranks: Float64Array;
  readonly rankedAt: number;
  readonly known: number;
}

const damping = 0.85;

function ranked(links: KnownLinks, known: number, last: Float64Array): Float64Array {
  const start = new Float64Array(known).fill(1 - damping);
  start.set(last);
  const graph = { name: 'pages known', pages: known, arcs: links.links, ...links.rows(known), hosts: noHosts };
  return pageRank(graph, { damping, tolerance: 1e-12, start }).ranks.map((rank) => rank * known);
}

/** A ranking asks for no hosts. */
const noHosts = { count: 0, ofPage: new Uint32Array(0), names: StringTable.from([]), synthetic: true };

/**
 * Key of a rank: 16 bits of its fraction, so that pages which rank alike tie, and no last bit of an iteration decides.
 */
export function keyOfRank(rank: number): number {
  return ((keyOfScore(rank) + 0x40) >>> 7) << 7;
}
