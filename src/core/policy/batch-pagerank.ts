import { StringTable } from '../../graphs/graph/index.ts';
import { keyOfScore } from '../queue/entry.ts';
import { pageRank } from '../../graphs/rank/index.ts';
import { Columns } from '../../base/index.ts';
import { definePolicy } from './define-policy.ts';
import { KnownLinks } from './known-links.ts';

export const rankEveryPages = {
  type: 'integer', minimum: 1, maximum: 2 ** 32, default: 1000,
  description: 'pages fetched by the run between rankings',
} as const;

/**
 * Best first by PageRank over the known pages, recomputed every K pages (Cho, Garcia-Molina & Page, WWW 1998, metric
 * IR'(p); under this name in Baeza-Yates, Castillo, Marin & Rodriguez, "Crawling a country: better strategies than
 * breadth-first for web page ordering", WWW 2005). A page discovered since the last ranking has score 0. With P
 * processors each ranks the pages it knows whenever it has fetched ceil(K / P) more pages: links to pages of other
 * processors are left out, and pages known only from others have what teleport gives them. Pages not fetched count as
 * dangling; damping 0.85.
 *
 * A few dozen sweeps of O(known + links known) per ranking, started from the last one: N / K rankings of a crawl of N
 * pages, so quadratic in N for fixed K. 16 bytes per page and 4 per link, and the ranking's own memory while it runs.
 */
export const batchPagerank = definePolicy({
  name: 'batch-pagerank',
  title: 'best in the last ranking of the known pages',
  source: "Cho et al. 1998, IR'(p); Baeza-Yates, Castillo, Marin & Rodriguez, WWW 2005",
  options: { rankEveryPages },
  needs: ['links'],
  make({ processors, options, state }) {
    const every = Math.ceil(options.rankEveryPages / processors);
    const links = new KnownLinks(state);
    /** Ranks of the pages known at the last ranking, in units of their mean. */
    const ranked = state.keep(new Columns({ ranks: Float64Array }));
    const last = state.numbers({ rankedAt: 0 });
    const score = (local: number): number => (local < ranked.length ? ranked.arrays.ranks[local] : 0);
    return {
      key: (local) => keyOfRank(score(local)),
      score,
      fetched: (local, targets) => { links.add(local, targets); },
      settle: (touch) => {
        if (links.pages - last.rankedAt < every) return;
        last.rankedAt = links.pages;
        const ranks = rankedAnew(links, state.known, ranked.arrays.ranks.subarray(0, ranked.length));
        ranked.resize(state.known);
        ranked.arrays.ranks.set(ranks);
        for (let local = 0; local < state.known; local++) touch(local);
      },
    };
  },
});

const damping = 0.85;

function rankedAnew(links: KnownLinks, count: number, last: Float64Array): Float64Array {
  const start = new Float64Array(count).fill(1 - damping);
  start.set(last);
  const graph = { name: 'pages known', pages: count, arcs: links.links, ...links.rows(count), hosts: noHosts };
  return pageRank(graph, { damping, tolerance: 1e-12, start }).ranks.map((rank) => rank * count);
}

/** A ranking needs no hosts. */
const noHosts = { count: 0, ofPage: new Uint32Array(0), names: StringTable.from([]), synthetic: true };

/** Key of a rank: 16 bits of its fraction, so that nearly equal ranks tie, and rounding errors decide nothing. */
export function keyOfRank(rank: number): number {
  return ((keyOfScore(rank) + 0x40) >>> 7) << 7;
}
