import type { WebGraph } from '../../../graphs/graph/index.ts';
import type { Agreement } from '../../../core/measure/index.ts';
import type { Chart, Point, Shown, ShownTable } from '../../../views/report/index.ts';
import { counted, decimal, grouped, percent } from '../figures.ts';
import { printable, printableShort } from '../printable.ts';

export interface TopPage {
  readonly page: number;
  readonly score: number;
  readonly url: string | undefined;
  readonly sourceId: number | undefined;
}

/** The ranks of a graph, and their sources. */
export interface RankFindings {
  readonly graph: WebGraph;
  readonly ranks: Float64Array;
  /** The ranks, ascending. */
  readonly sorted: Float64Array;
  readonly sentence: string;
  readonly top: readonly TopPage[];
  readonly compared: (Agreement & { readonly with: string }) | undefined;
}

/** Points of a curve over the pages by rank, equally spaced on its logarithmic axis. */
const curvePoints = 200;
const maxHosts = 10;
const maxInWords = 3;

/** The content of a report on ranks: how unequal they are, the best pages, and the hosts that they are on. */
export function rankShown(findings: RankFindings): Shown {
  const { graph, sorted, sentence, compared } = findings;
  return {
    paragraphs: [...bestInWords(findings), concentration(sorted), sentence],
    charts: haveShares(sorted) ? [shareChart(sorted, graph.hosts.synthetic)] : [],
    tables: [
      topPages(findings), ...(graph.hosts.synthetic || !haveShares(sorted) ? [] : [hostTable(findings)]),
      ...(compared === undefined ? [] : [agreementTable(compared)]),
    ],
  };
}

/** Scores are never negative, but all may be 0: then no page has a share of their sum. */
function haveShares(sorted: Float64Array): boolean {
  return sorted.length > 0 && sorted[sorted.length - 1] > 0;
}

function bestInWords({ sorted, top }: RankFindings): string[] {
  const total = sorted.reduce((sum, rank) => sum + rank, 0);
  if (top.length === 0 || !haveShares(sorted)) return [];
  const best = top.slice(0, maxInWords).map(({ page, url, sourceId, score }) =>
    `${printableShort(url ?? `page ${sourceId ?? page}`, 100)} (${percent(score / total)})`);
  return [`The best pages, with their share of the rank: ${best.join(', ')}.`];
}

/** How much of the whole rank few pages have: what a crawl that stops early can gain by its order. */
export function concentration(sorted: Float64Array): string {
  if (!haveShares(sorted)) return 'All ranks are 0.';
  const total = sorted.reduce((sum, rank) => sum + rank, 0);
  const few = Math.max(1, Math.round(sorted.length / 100));
  let [pages, sum, ofFew, ofHalf] = [0, 0, 0, 0];
  while (pages < few || ofHalf === 0) {
    sum += sorted[sorted.length - ++pages];
    if (pages === few) ofFew = sum;
    // The last page at the latest, whatever the sums round to.
    if (ofHalf === 0 && (sum >= total / 2 || pages === sorted.length)) ofHalf = pages;
  }
  return `The best ${grouped(few)} of ${counted(sorted.length, 'page')} ${few === 1 ? 'has' : 'have'} ` +
    `${percent(ofFew / total)} of the rank; half of it is on ${grouped(ofHalf)} (${percent(ofHalf / sorted.length)}).`;
}

/** Share of the rank that the best pages have together, over their number. */
function shareChart(sorted: Float64Array, isSynthetic: boolean): Chart {
  const total = sorted.reduce((sum, rank) => sum + rank, 0);
  const points: Point[] = [];
  let sum = 0;
  let next = 0;
  for (let pages = 1; pages <= sorted.length; pages++) {
    sum += sorted[sorted.length - pages];
    if (pages < sorted.length ** (next / curvePoints) && pages < sorted.length) continue;
    points.push({ x: pages, y: sum / total });
    while (sorted.length ** (next / curvePoints) <= pages && next <= curvePoints) next++;
  }
  const even = points.map(({ x }): Point => ({ x, y: x / sorted.length }));
  return {
    title: 'Share of the rank on the best pages', isSynthetic,
    x: { label: 'pages, best first', scale: 'log' }, y: { label: 'share of the rank', scale: 'linear' },
    series: [{ name: 'ranks', points }, { name: 'if all pages had the same', points: even, isReference: true }],
  };
}

function hostTable({ graph: { hosts }, ranks }: RankFindings): ShownTable {
  const sums = new Float64Array(hosts.count);
  const pages = new Uint32Array(hosts.count);
  let total = 0;
  for (const [page, rank] of ranks.entries()) {
    sums[hosts.ofPage[page]] += rank;
    pages[hosts.ofPage[page]]++;
    total += rank;
  }
  const best = [...sums.keys()].sort((a, b) => sums[b] - sums[a] || a - b).slice(0, maxHosts);
  return {
    name: 'hosts', caption: 'The hosts with the most rank',
    columns: [{ name: 'host' }, { name: 'share of the rank' }, { name: 'pages' }],
    rows: best.map((host) => [hosts.names.at(host), percent(sums[host] / total), pages[host]]),
  };
}

function topPages({ graph, sorted, top }: RankFindings): ShownTable {
  const mean = sorted.reduce((sum, rank) => sum + rank, 0) / graph.pages || 1;
  return {
    name: 'pages', caption: 'The best pages',
    columns: [
      { name: 'page' }, { name: 'score' }, { name: 'x mean', digits: 1 },
      ...(top[0]?.url !== undefined ? [{ name: 'URL' }] : graph.sourceIds ? [{ name: 'id in the source' }] : []),
    ],
    rows: top.map(({ page, score, url, sourceId }) => [
      page, score.toPrecision(6), score / mean,
      ...(url !== undefined ? [url] : graph.sourceIds ? [sourceId ?? null] : []),
    ]),
  };
}

function agreementTable({ with: against, tauB, l1, top }: Agreement & { readonly with: string }): ShownTable {
  return {
    name: 'agreement', caption: `Agreement with ${against === 'pagerank' ? 'PageRank' : printable(against)}`,
    columns: [{ name: '' }, { name: 'value' }],
    rows: [
      ["Kendall's tau-b (1: the same order)", tauB === null ? 'none: all pages tie in one' : decimal(tauB, 4)],
      ['L1 distance, of 2 at most', l1 < 1e-3 ? l1.toExponential(1) : decimal(l1, 4)],
      ...top.map(({ pages, shared }) =>
        [`in both among the best ${grouped(pages)}`, `${grouped(shared)} (${percent(shared / pages)})`]),
    ],
  };
}
