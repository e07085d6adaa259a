/** How the hosts of the stored graph link to one another, and how each run's partition divides them. */
import { onlyRun, type HostLinks, type ReportData, type ReportDataset, type ReportRun } from '../../data.ts';
import { element, outside, scrolling, table } from '../dom.ts';
import { number, percent } from '../format.ts';
import { runCell } from './figure.ts';

export function hosts(data: ReportData): HTMLElement {
  // The runs of a report crawl one graph, or graphs with different names.
  const datasets = new Map(data.runs.map(({ dataset }) => [dataset.sha256, dataset]));
  return element('section', {},
    element('h2', {}, 'Hosts and the partition'),
    ...[...datasets.values()].flatMap((dataset) => hostGraph(dataset, datasets.size > 1)),
    partitions(data));
}

function hostGraph({ name, hosts: count, hostGraph: graph }: ReportDataset, isNamed: boolean): HTMLElement[] {
  const within = graph.links === 0 ? 0 : graph.linksWithinHosts / graph.links;
  return [
    element('p', {}, isNamed ? outside(`${name}: `) : '',
      `In the graph of ${number(count)} hosts ${number(graph.linkedPairs)} ordered pairs are linked, a density of ` +
        `${graph.density.toPrecision(3)}. ${percent(within)} of the ${number(graph.links)} links stay on their host.`),
    scrolling('scroll', degrees('most links out of', graph.topOut), degrees('most links into', graph.topIn)),
  ];
}

function degrees(title: string, top: readonly HostLinks[]): HTMLElement {
  return table('hosts', [title, 'links'],
    top.map(({ name, links }) => [element('td', { class: 'host' }, outside(name)), number(links)]));
}

function partitions(data: ReportData): HTMLElement {
  const titles = [
    'run', 'modularity', 'crossing links', 'crossing links per page', 'pairs per page', 'balance', 'at most',
  ];
  const rows = data.runs.map(({ summary: { partition, communication, balance } }, i) => [
    runCell(data, i), partition.modularity.toFixed(3),
    percent(partition.links === 0 ? 0 : partition.crossingLinks / partition.links),
    number(communication.crossLinksPerPage, 2), number(communication.pairsPerPage, 2),
    number(balance.pagesWholeRun, 3), number(partition.efficiencyBound, 3),
  ]);
  return element('div', {},
    scrolling('scroll tight', table('partition', titles, rows)),
    element('p', { class: 'sentence' },
      'Modularity is the share of links within processors, minus the share expected of random links: ' +
        '0 for chance, near 1 if hosts are on the same processor as those they link to. It and the crossing links are of the whole stored graph; ' +
        'crossing links per page and pairs per page are of the crawl. Balance is the mean number of pages per processor over that of the busiest; ' +
        'for a whole crawl it is at most n/(P n_max), with n pages within reach and n_max of them on the largest host, which is on one processor.',
      ...largestHost(onlyRun(data))));
}

function largestHost(run: ReportRun | undefined): (string | Node)[] {
  if (run === undefined || run.summary.partition.largestHost === '') return [];
  const { largestHost: host, largestHostShare: share } = run.summary.partition;
  return [' Here that is ', outside(host), `, with ${percent(share)} of the pages.`];
}
