/** How the hosts of the stored graph link to one another, and how each run's partition divides them. */
import { onlyRun, type HostLinks, type ReportData, type ReportDataset, type ReportRun } from '../../data.ts';
import { element, outside, scrolling } from '../dom.ts';
import { number, percent } from '../format.ts';
import { runColours } from '../chart/palette.ts';

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
    element(
      'p',
      {},
      isNamed ? outside(`${name}: `) : '',
      `In the graph of ${number(count)} hosts ${number(graph.linkedPairs)} ordered pairs are linked, a density of ` +
        `${graph.density.toPrecision(3)}. ${percent(within)} of the ${number(graph.links)} links stay on their host.`,
    ),
    scrolling('scroll', degrees('most links out of', graph.topOut), degrees('most links into', graph.topIn),
    ),
  ];
}

function degrees(title: string, top: readonly HostLinks[]): HTMLElement {
  return element('table', { class: 'hosts' },
    element('thead', {}, element('tr', {}, element('th', {}, title), element('th', {}, 'links'))),
    element('tbody', {}, ...top.map(({ name, links }) =>
      element('tr', {}, element('td', { class: 'host' }, outside(name)), element('td', {}, number(links))))));
}

function partitions(data: ReportData): HTMLElement {
  const rows = data.runs.map((run, i) => {
    const { modularity, crossingLinks, links, efficiencyBound } = run.summary.partition;
    const colours = runColours(i, data.runs.length);
    return element('tr', {},
      element('td', { class: 'run', style: `--run: ${colours.line}; --run-ink: ${colours.ink}` }, outside(run.label)),
      element('td', {}, modularity.toFixed(3)),
      element('td', {}, percent(links === 0 ? 0 : crossingLinks / links)),
      element('td', {}, number(run.summary.communication.crossLinksPerPage, 2)),
      element('td', {}, number(run.summary.communication.pairsPerPage, 2)),
      element('td', {}, number(run.summary.balance.pagesWholeRun, 3)),
      element('td', {}, number(efficiencyBound, 3)));
  });
  return element(
    'div',
    {},
    scrolling(
      'scroll tight',
      element(
        'table',
        { class: 'partition' },
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            ...[
              'run', 'modularity', 'crossing links', 'crossing links per page', 'pairs per page', 'balance', 'at most',
            ].map((title) => element('th', {}, title)),
          ),
        ),
        element('tbody', {}, ...rows),
      ),
    ),
    element(
      'p',
      { class: 'sentence' },
      'Modularity is the share of links within processors, minus the share expected of random links: ' +
        '0 for chance, near 1 if hosts are on the same processor as those they link to. It and the crossing links are of the whole stored graph; ' +
        'crossing links per page and pairs per page are of the crawl. Balance is the mean number of pages per processor over that of the busiest; ' +
        'for a whole crawl it is at most n/(P n_max), with n pages within reach and n_max of them on the largest host, which is on one processor.',
      ...largestHost(onlyRun(data)),
    ),
  );
}

function largestHost(run: ReportRun | undefined): (string | Node)[] {
  const { largestHost: host, largestHostShare: share } = run?.summary.partition ?? {
    largestHost: '', largestHostShare: 0,
  };
  return host === '' ? [] : [' Here that is ', outside(host), `, with ${percent(share)} of the pages.`];
}
