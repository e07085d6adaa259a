import { settleSeeds } from '../../../core/engine/index.ts';
import {
  bowTieParts, hyperBallBytes, leastTail, maxKernelBytes, powerLawAbove, type BowTiePart, type PreparedGraph,
  type WebGraph,
} from '../../../graphs/graph/index.ts';
import type { Chart, Series, Shown, ShownReport, ShownTable } from '../../../views/report/index.ts';
import { counted, decimal, grouped, percent } from '../figures.ts';
import type {
  Centrality, Communities, Distribution, Facts, FactsStep, LeftOut, PartitionFacts,
} from '../../../questions/facts/index.ts';
import { syntheticHostsWarning } from '../../flags/seed-pages.ts';
import { graphSentence, seedsLine } from '../run/simulate-text.ts';

type Part = ShownReport['parts'][number];

/** The facts of a graph in parts: text output and report.html are made from them alone. */
export function infoParts(facts: Facts): Part[] {
  return [
    { name: 'links', title: 'Links', shown: linksShown(facts) },
    { name: 'bow-tie', title: 'What leads where', shown: bowTieShown(facts) },
    { name: 'distances', title: 'Distances', shown: distancesShown(facts) },
    { name: 'hosts', title: 'Hosts', shown: hostsShown(facts) },
  ];
}

export function infoReport(
  prepared: PreparedGraph, facts: Facts, parts: readonly Part[], command: string,
): ShownReport {
  return {
    title: `${facts.graph}: a web graph`,
    circumstances: [graphSentence(prepared.graph), seedsLine(prepared.graph, settleSeeds(prepared, {}))],
    warning: facts.hostsAreSynthetic ? syntheticHostsWarning(prepared.graph).trim() : null,
    command,
    parts,
    notes: [...infoNotes(facts), `sha256 ${facts.sha256}`],
  };
}

export function infoNotes({ leftOut }: Facts): string[] {
  return leftOut.map((what) => `Left out: ${leftOutWords(what)}.`);
}

function linksShown({ pages, degrees, danglingPages, selfLoops }: Facts): Shown {
  const page = ({ page, links, url }: { page: number; links: number; url?: string | undefined }): [number, string] =>
    [links, `page ${page}${url === undefined ? '' : `, ${url}`}`];
  return {
    paragraphs: [`A page has ${decimal(degrees.mean, 2)} links on average.`],
    tables: [
      {
        name: 'links', caption: 'Extremes', columns: [{ name: '' }, { name: 'count' }, { name: '' }],
        rows: [
          ['most links out', ...page(degrees.largestOut)],
          ['most links in', ...page(degrees.largestIn)],
          ['dangling pages', danglingPages, `without links: ${percent(danglingPages / Math.max(1, pages))}`],
          ['self-loops', selfLoops, 'pages that link to themselves'],
        ],
      },
      ...powerLawTable('link-power-laws', [['links in', degrees.in], ['links out', degrees.out]]),
    ],
    charts: [
      distributionChart('Links in: share of pages with at least k', 'links in', degrees.in, pages, 'k, links'),
      distributionChart('Links out: share of pages with at least k', 'links out', degrees.out, pages, 'k, links'),
    ],
    notes: powerLawNotes([degrees.in, degrees.out]),
  };
}

/** One row for each distribution that a law could be fitted to. */
function powerLawTable(name: string, distributions: readonly (readonly [string, Distribution])[]): ShownTable[] {
  const rows = distributions.flatMap(([what, { fit, plausibility }]) =>
    fit === null
      ? []
      : [
          [
            what, fit.alpha, fit.standardError, fit.xMin, fit.tail, (100 * fit.tail) / fit.positive, fit.ksDistance,
            plausibility?.p ?? null,
          ],
        ],
  );
  if (rows.length === 0) return [];
  return [
    {
      name,
      caption:
        'Fitted power laws: for k from x_min on, the share of values equal to k falls as k^-alpha; tail: number of values from x_min on, ' +
        'also as a share of all positive values; KS: the largest gap between the law and the data, as a share',
      columns: [
        { name: 'what' }, { name: 'alpha', digits: 3 }, { name: '±', digits: 3 }, { name: 'x_min' }, { name: 'tail' },
        { name: 'tail %', digits: 1 }, { name: 'KS', digits: 3 }, { name: 'p', digits: 2 },
      ],
      rows,
    },
  ];
}

function powerLawNotes(distributions: readonly Distribution[]): string[] {
  const fitted = distributions.filter(({ fit }) => fit !== null);
  const tested = fitted.flatMap(({ plausibility }) => plausibility === null ? [] : [plausibility.samples]);
  return [
    ...(fitted.length === distributions.length
      ? []
      : [`No power law is fitted if its tail would have fewer than ${leastTail} values, or only equal ones.`]),
    ...(fitted.length === 0
      ? []
      : [
          'A fit proves nothing: any numbers have one. The larger the KS distance, the worse the fit; ± is one standard error.',
        ]),
    ...(tested.length === 0
      ? []
      : [
          `p: the share of ${tested[0]} samples drawn from the law that lie farther from it than the data. Below 0.1 the law is ruled out; ` +
            'above, it is merely not ruled out.',
        ]),
  ];
}

const partMeanings: Readonly<Record<BowTiePart, string>> = {
  core: 'the largest strong component: each of its pages leads to every other',
  in: 'leads to the core, but is not reached from it',
  out: 'reached from the core, but does not lead back',
  tubes: 'leads from in to out past the core',
  tendrils: 'linked with these, but leads neither to nor from the core',
  disconnected: 'not linked with them at all',
};

function bowTieShown({ pages, components: { strong, weak, bowTie } }: Facts): Shown {
  return {
    paragraphs: [
      `${counted(strong.count, 'strong component')} (within one, every page leads to every other); the largest, the core, has ` +
        `${counted(strong.largest, 'page')}. ${counted(weak.count, 'weak component')} (no link leads from one to another); the largest has ${counted(weak.largest, 'page')}.`,
    ],
    tables: [
      {
        name: 'bow-tie',
        caption: 'The bow-tie around the core (Broder et al. 2000)',
        columns: [{ name: 'part' }, { name: 'pages' }, { name: '%', digits: 1 }, { name: '' }],
        rows: bowTieParts.map((part) => [
          part, bowTie[part], (100 * bowTie[part]) / Math.max(1, pages), partMeanings[part],
        ]),
      },
    ],
    charts: [],
    bars: [
      {
        title: 'Pages of each part of the bow-tie',
        values: bowTieParts.map((part) => ({
          name: part, value: bowTie[part], remark: percent(bowTie[part] / Math.max(1, pages)),
        })),
      },
    ],
  };
}

function distancesShown({ pages, distances }: Facts): Shown {
  if (distances === null) return { paragraphs: ['Not measured: see below.'], tables: [], charts: [] };
  const { method, hyperBall, neighbourhoods, reachablePairs, average, effectiveDiameter, harmonicMean, longest } =
    distances;
  const allPairs = Math.max(1, pages * (pages - 1));
  const error = hyperBall === null ? '' : ` ± ${decimal(100 * reachablePairs.standardError / allPairs, 2)}`;
  const rows = ([
    ['average', average, 'length of the shortest path, over pairs that have one'],
    ['effective diameter', effectiveDiameter, '90 % of these pairs are no farther apart (interpolated)'],
    ['harmonic mean', harmonicMean, 'over all pairs; no path counts as infinitely far'],
  ] as const).flatMap(([what, estimate, meaning]) =>
    estimate === null ? [] : [[what, estimate.value, hyperBall && estimate.standardError, meaning]]);
  const points = Array.from({ length: neighbourhoods.length - 1 }, (_, i) => ({
    x: i + 1, y: (neighbourhoods[i + 1] - neighbourhoods[i]) / Math.max(1, reachablePairs.value),
  }));
  return {
    paragraphs: [
      hyperBall === null
        ? 'Links on the shortest path from page to page, exact: a search from every page.'
        : 'Links on the shortest path from page to page, estimated by HyperBall (Boldi & Vigna 2013).',
      `Of all ordered pairs of different pages, ${decimal((100 * reachablePairs.value) / allPairs, 2)}${error} % have a path from the first ` +
        `to the second; the longest of these shortest paths${hyperBall === null ? '' : ' that was seen'} has ${counted(longest, 'link')}.`,
    ],
    tables: [
      {
        name: 'distances',
        caption: `Distances, ${method === 'exact' ? 'exact' : 'by HyperBall'}`,
        columns: [{ name: '' }, { name: 'links', digits: 2 }, { name: '±', digits: 2 }, { name: '' }],
        rows,
      },
    ],
    charts: [
      {
        title: 'Share of the pairs at each distance', isSynthetic: false,
        x: { label: 'links on the shortest path', scale: 'linear' }, y: { label: 'share of pairs', scale: 'linear' },
        series: [{ name: 'pairs', points }],
      },
    ],
    notes:
      hyperBall === null
        ? []
        : [
            `${hyperBall.runs} runs of ${grouped(2 ** hyperBall.registersLog2)} registers per page, seed ${hyperBall.seed}, in ` +
              `${grouped(hyperBall.memoryBytes / 2 ** 20)} MiB: one count of one run is off by ${percent(hyperBall.counterDeviation)} (relative ` +
              "standard deviation). ± is the jackknife's standard error over the runs; with so few runs, it is itself rough.",
          ],
  };
}

function hostsShown(facts: Facts): Shown {
  const { hosts, hostsAreSynthetic, hostSizes, hostGraph, largestHosts, communities, centrality } = facts;
  const within = hostGraph.linksWithinHosts / Math.max(1, hostGraph.links);
  const linked = (
    name: string, caption: string, column: string, top: readonly { name: string; links: number }[],
  ): ShownTable => ({
    name, caption, columns: [{ name: column }, { name: 'host' }], rows: top.map((host) => [host.links, host.name]),
  });
  return {
    paragraphs: [
      `${counted(hosts, 'host')}${hostsAreSynthetic ? ', synthetic' : ''}; the largest has ${percent(hostSizes.largestShare)} of all pages. ` +
        `${percent(hostGraph.links === 0 ? 0 : 1 - within)} of links cross from host to host, ${percent(within)} stay; ` +
        `${counted(hostGraph.linkedPairs, 'pair')} of hosts are linked (density ${decimal(hostGraph.density, 4)}).`,
      ...(communities === null ? [] : [communitiesSentence(communities)]),
    ],
    tables: [
      {
        name: 'largest-hosts', caption: 'Largest hosts', columns: [{ name: 'pages' }, { name: 'host' }],
        rows: largestHosts.map(({ name, pages }) => [pages, name]),
      },
      ...powerLawTable('host-power-law', [['pages of a host', hostSizes]]),
      linked('hosts-out', 'Hosts with the most links out, including those to themselves', 'links out', hostGraph.topOut),
      linked('hosts-in', 'Hosts with the most links in, including those from themselves', 'links in', hostGraph.topIn),
      ...communitiesTable(communities),
      ...centralityTable(centrality),
    ],
    charts: [
      distributionChart(
        'Host sizes: share of hosts with at least k pages', 'hosts', hostSizes, hosts, 'k, pages', hostsAreSynthetic,
      ),
    ],
    notes: hostsAreSynthetic
      ? ['Hosts are synthetic: no power law is fitted to their sizes, and no communities or centrality are computed.']
      : powerLawNotes([hostSizes]),
  };
}

function communitiesSentence({ count, modularity, seed }: Communities): string {
  return (
    `${counted(count, 'community', 'communities')} of hosts, found by the Louvain method (Blondel et al. 2008), seed ${seed}: ` +
    `modularity ${decimal(modularity, 3)} (of directed pairs of hosts, weighted by their links).`
  );
}

function communitiesTable(communities: Communities | null): ShownTable[] {
  if (communities === null || communities.largest.length === 0) return [];
  return [
    {
      name: 'communities',
      caption: 'Communities of hosts with the most pages; within: share of the links that stay in the community',
      columns: [
        { name: 'pages' }, { name: 'hosts' }, { name: 'links' }, { name: 'within %', digits: 1 },
        { name: 'largest host' },
      ],
      rows: communities.largest.map(({ pages, hosts, links, linksWithin, largestHost }) => [
        pages, hosts, links, (100 * linksWithin) / Math.max(1, links), largestHost,
      ]),
    },
  ];
}

function centralityTable(centrality: Centrality | null): ShownTable[] {
  if (centrality === null || centrality.top.length === 0) return [];
  return [
    {
      name: 'central-hosts',
      caption: 'Hosts on the most shortest paths between other hosts; betweenness: their share (Freeman 1977)',
      columns: [{ name: 'betweenness', digits: 4 }, { name: 'host' }],
      rows: centrality.top.map(({ betweenness, name }) => [betweenness, name]),
    },
  ];
}

const maxPoints = 240;

/** P(X >= k) on logarithmic axes, where a power law is a straight line, and the fitted law. */
function distributionChart(
  title: string, name: string, { histogram: { values, counts }, fit }: Distribution, all: number, label: string,
  isSynthetic = false,
): Chart {
  const points: { x: number; y: number }[] = [];
  let above = counts.reduce((sum, count) => sum + count, 0);
  const ratio = Math.max(1, values[values.length - 1] ?? 1) ** (1 / maxPoints);
  let next = 1;
  values.forEach((x, i) => {
    if (x >= next || (x > 0 && i === values.length - 1)) {
      points.push({ x, y: above / all });
      while (next <= x) next *= Math.max(ratio, 1 + 1e-9);
    }
    above -= counts[i];
  });
  const law: Series[] =
    fit === null
      ? []
      : [
          {
            name: `${name}, fitted power law`,
            isReference: true,
            points: points
              .filter(({ x }) => x >= fit.xMin)
              .map(({ x }) => ({ x, y: (fit.tail / all) * powerLawAbove(fit, x) })),
          },
        ];
  return {
    title, isSynthetic, x: { label, scale: 'log' }, y: { label: 'share with at least k', scale: 'log' },
    series: [{ name, points }, ...law],
  };
}

export function stepWords(now: FactsStep): string {
  if (now.at === 'power law')
    return `power law of ${now.of}${now.sample === undefined ? '' : `: sample ${now.sample} of ${now.samples ?? 0}`}`;
  if (now.at !== 'distances') return now.at;
  const { step, pages } = now;
  return 'page' in step
    ? `distances: page ${grouped(step.page)} of ${grouped(pages)}`
    : `distances: run ${step.run + 1} of ${step.runs}, ${step.links} links, ${Math.round(100 * step.share)} %`;
}

export function leftOutWords(omission: LeftOut): string {
  if (omission.what === 'p-values') {
    const { of, values, samples } = omission;
    return `the p-value of ${of.join(' and of ')}, since there are more than ${grouped(values)} values: --bootstrap ${samples} computes it`;
  }
  if (omission.what !== 'distances') return hostsLeftOutWords(omission);
  const { reason } = omission;
  if (reason.why === 'off') return 'distances, because of --distances off';
  return (
    `distances, since there are more than ${grouped(reason.links)} links: ` +
    `--distances approximate computes them, with ${mebibytes(reason.bytes)} for counters`
  );
}

function hostsLeftOutWords({ what, limit }: LeftOut & { what: 'communities' | 'centrality' }): string {
  return what === 'communities'
    ? `communities of hosts, since there are more than ${grouped(limit)} hosts and pairs of linked hosts`
    : `centrality of hosts, since a search from each would follow more than ${grouped(limit)} pairs of linked hosts`;
}

/** Why 2^registersLog2 registers do not fit: at most 2^fitting do. */
export function tooManyRegisters(graph: WebGraph, name: string, registersLog2: number, fitting: number): string {
  return (
    `--registers-log2 ${registersLog2}: needs ${mebibytes(hyperBallBytes(graph, registersLog2))} for ${name}, but only ` +
    `${grouped(maxKernelBytes / 2 ** 20)} are available: must be at most ${fitting}`
  );
}

function mebibytes(bytes: number): string {
  return `${grouped(bytes / 2 ** 20)} MiB`;
}

export function infoDocument(
  { degrees, hostSizes, distances, ...facts }: Facts, partition: PartitionFacts | undefined,
) {
  const plain = ({ histogram: { values, counts }, fit, plausibility: tested }: Distribution) =>
    ({ powerLaw: fit && { ...fit, ...tested }, histogram: { values: [...values], counts: [...counts] } });
  return {
    ...facts,
    degrees: { ...degrees, in: plain(degrees.in), out: plain(degrees.out) },
    hostSizes: { largestShare: hostSizes.largestShare, ...plain(hostSizes) },
    distances: distances && { ...distances, neighbourhoods: [...distances.neighbourhoods] },
    leftOut: facts.leftOut.map(leftOutWords),
    partition,
  };
}
