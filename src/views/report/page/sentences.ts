/**
 * The sentence under each figure: what it shows, with the runs' own numbers. No markup: the page adds colours and
 * escaping.
 */
import { onlyRun, type ReportData, type ReportRun, type RobotState } from '../data.ts';
import { counted, duration, number, percent, sentenceList } from './format.ts';

/** Fixed words, a run to be named in its colour, or a name from outside. */
export type Part = string | { readonly run: number } | { readonly outside: string };
export type Sentence = readonly Part[];

export const robotStateNames: Readonly<Record<RobotState, string>> = {
  busy: 'busy', stalled: 'stalled (jobs pending, none ready)', noJob: 'no job', barrier: 'barrier',
};

/**
 * Up to maxListed runs are all listed; up to maxNamed, only the extremes are; more runs have no colours, and none is
 * named.
 */
const maxListed = 5;
const maxNamed = 8;

export function synthetic(data: ReportData): Sentence | null {
  const names = [...new Set(data.runs.filter((run) => run.dataset.hostsAreSynthetic).map((run) => run.dataset.name))];
  if (names.length === 0) return null;
  return ['The hosts of ', { outside: sentenceList(names) }, ' are synthetic: nothing here that depends on hosts ' +
    '(politeness, time, balance, communication, partition) says anything about real sites.'];
}

/** Only crawls of real hosts have live settings in their record. */
export function kindOfCrawl({ settings }: ReportRun): 'live' | 'simulated' {
  return settings.some(([name]) => name.startsWith('live.')) ? 'live' : 'simulated';
}

function kindsOfCrawls({ runs }: ReportData): string {
  const live = runs.filter((run) => kindOfCrawl(run) === 'live').length;
  if (live === 0 || live === runs.length) return `${number(runs.length)} ${kindOfCrawl(runs[0])} crawls`;
  return `${counted(runs.length - live, 'simulated crawl')} and ${number(live)} live`;
}

/** The name of the time: virtual, unless one of the runs was live. */
export function timeName({ runs }: Pick<ReportData, 'runs'>): string {
  return runs.some((run) => kindOfCrawl(run) === 'live') ? 'time' : 'virtual time';
}

export function crawls(data: ReportData): Sentence {
  const run = onlyRun(data);
  const datasets = [...new Map(data.runs.map((run) => [run.dataset.sha256, run.dataset])).values()];
  const graphs = datasets.flatMap((dataset, i): Part[] => [
    i === 0 ? '' : ', ', { outside: dataset.name },
    ` (${counted(dataset.pages, 'page')}, ${counted(dataset.arcs, 'link')}, ${counted(dataset.hosts, 'host')})`,
  ]);
  if (run === undefined) return [kindsOfCrawls(data), ' of ', ...graphs, '.'];
  const settings = new Map(run.settings);
  const processors = run.processors.pages.length;
  const robots = settings.get('robots');
  const policy = settings.get('policy');
  return [
    `One ${kindOfCrawl(run)} crawl of `, ...graphs, ` by ${counted(processors, 'processor')}`,
    robots === undefined ? '' : ` with ${robots} robot${robots === '1' ? '' : 's'}${processors === 1 ? '' : ' each'}`,
    ...(policy === undefined ? [] : [', policy ', { outside: policy }]), '.',
  ];
}

/** What runs knew beforehand that a crawler cannot know; null if nothing. */
export function oracles(data: ReportData): Sentence | null {
  const has = (name: string, value: string) =>
    data.runs.some((run) => run.settings.some(([n, v]) => n === name && v === value));
  const what = {
    ranks: 'knows the true PageRank of every page',
    scores: 'knows the scores in a file, which may contain what only an earlier crawl could know',
    itself: 'declares itself one',
  };
  const used = data.runs.flatMap((run) => run.oracles);
  const policies = used.map(({ policy, given: source }) => `policy ${policy} ${what[source]}`);
  const all = [
    ...new Set(policies),
    ...(has('partition', 'lpt')
      ? ['partition lpt knows the number of pages of every host, as from an earlier crawl']
      : []),
  ];
  return all.length === 0 ? null : [`Oracles, which know what a crawler cannot: ${sentenceList(all)}.`];
}

/** What limits each crawl; of several, by their names. Host names in it come from outside. */
export function whatLimits({ runs }: ReportData): Sentence[] {
  const [{ summary: { limits } }] = runs;
  if (runs.every(({ summary }) => summary.limits === limits)) return [[{ outside: limits }]];
  return runs.map(({ label, summary }) => [{ outside: `${label}: ${summary.limits}` }]);
}

export function rankByPages(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { quality } = run.summary;
    if (run.summary.pagesFetched === 0) return ['No page was fetched.'];
    // Without a limit the area below the curve; with one, each share is of the most rank that as many pages can have.
    const judged = quality.horizonPages < run.summary.reachablePages
      ? `Its PageRank area, among the best ${number(quality.horizonPages)} pages` : 'Its area';
    const scale = quality.normalisedGain === null ? 'All orders of these pages are equally good.'
      : `${judged}, ${number(quality.pagerankArea, 3)}, lies ${percent(quality.normalisedGain)} of the way from a ` +
        `uniform order (${number(quality.random, 3)}) to the sorted order (${number(quality.bound, 3)}).`;
    const tenth = run.afterTenth;
    if (tenth === null) return [scale];
    return [
      `After a tenth of its pages the crawl has ${percent(tenth.rank)} of the PageRank within reach; the sorted order would have ` +
        `${percent(tenth.bound)}, a uniform order ${percent(tenth.pages * run.randomRankPerPage)}. ${scale}`,
    ];
  }
  return [
    'The higher a curve, the sooner its crawl has the important pages. Normalised gain, from a uniform order (0 %) to the sorted order (100 %): ',
    ...perRun(data.runs, (r) => r.summary.quality.normalisedGain, percent, 'falling'), '.',
  ];
}

export function rankBySeconds(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { virtualSeconds, lowerBoundSeconds, lowerBoundHost, tail: end } = run.summary;
    const bound: Part[] = lowerBoundHost === '' ? [] : [
      ' No crawl of these pages can end before ', `${duration(lowerBoundSeconds)}: `, { outside: lowerBoundHost },
      ' alone takes that long, one page after another with a delay between them.',
    ];
    const at = (share: string) => run.milestones.find((milestone) => milestone.share === share)?.seconds;
    const [half, ninety, all] = [at('50 %'), at('90 %'), at('100 %')];
    if (half === undefined)
      return [`The run ended after ${duration(virtualSeconds)}, before half of its pages.`, ...bound];
    const times = [`Half of the pages took ${duration(half)}`];
    if (ninety !== undefined) times.push(`nine tenths ${duration(ninety)}`);
    if (all !== undefined) times.push(`all ${duration(all)}`);
    const tail = ninety !== undefined && all !== undefined && all > 0
      ? `; the last tenth took ${percent((all - ninety) / all)} of the time` : '';
    const few =
      end === null || end.seconds === 0 || end.startSeconds === 0
        ? ''
        : ` For ${percent(end.seconds / virtualSeconds)} of the time at most ${counted(run.processors.pages.length, 'host')} had pages left, ` +
          `which needed at least ${duration(end.lowerBoundSeconds)}.`;
    return [`${sentenceList(times)}${tail}.${few}`, ...bound];
  }
  const floors = data.runs.map((r) => r.summary.lowerBoundSeconds);
  const [least, most] = [duration(Math.min(...floors)), duration(Math.max(...floors))];
  return [
    'Time until the run ended: ',
    ...perRun(data.runs, (r) => r.summary.virtualSeconds, duration, 'rising'),
    `. One host alone, its pages one after another with a delay between them, takes ${least === most ? least : `${least} to ${most}`}.`,
    ' Dots mark 50, 90 and 100\u202f% of the pages.',
  ];
}

export function balance(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (data.runs.every((r) => r.processors.pages.length === 1)) return ['One processor: there is no load to balance.'];
  if (run !== undefined) {
    const { pages, pagesWholeRun } = run.summary.balance;
    if (pages === null || pagesWholeRun === null) return ['No page was fetched.'];
    return [
      `The busiest processor of a superstep fetched ${number(1 / pages, 1)} times the mean (balance ${number(pages, 2)}). ` +
        `Over the whole run the busiest fetched ${number(1 / pagesWholeRun, 1)} times the mean (${number(pagesWholeRun, 2)}): ` +
        'that is the effect of the partition.',
    ];
  }
  return [
    '1 is an even superstep, 1/P one in which only one processor works. Over the run: ',
    ...perRun(data.runs, (r) => r.summary.balance.pages, (value) => number(value, 2), 'falling'), '.',
  ];
}

export function robots(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { busy, stalled, noJob, barrier } = run.summary.robots;
    const [share, reason] = ([
      [stalled, 'jobs were pending, but their hosts were in a delay'],
      [noJob, 'there was no job for them'],
      [barrier, 'they waited at the barrier for other processors'],
    ] as const).reduce((worst, share) => (share[0] > worst[0] ? share : worst));
    return [`Robots spent ${percent(busy)} of their time downloading. For ${percent(share)} of it ${reason}.`];
  }
  return ['Downloading: ', ...perRun(data.runs, (r) => r.summary.robots.busy, percent, 'falling'), ' of robot time.'];
}

export function communication(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (data.runs.every((r) => r.processors.pages.length === 1)) return ['One processor: no messages are sent.'];
  if (run !== undefined) {
    const { crossLinksPerPage, pairsPerPage, messages, messagesPerPage, bytesPerPage } = run.summary.communication;
    if (crossLinksPerPage === null || pairsPerPage === null) return ['No page was fetched.'];
    const saved = crossLinksPerPage > 0
      ? `; combining pairs for the same page saves ${percent(1 - pairsPerPage / crossLinksPerPage)}` : '';
    return [
      `On average a fetched page has ${number(crossLinksPerPage, 2)} links to pages of other processors and sends ` +
        `${number(pairsPerPage, 2)} pairs${saved}. They travel in ${counted(messages, 'message')}, ${number(messagesPerPage, 3)} per page, ` +
        `with ${number(bytesPerPage, 1)} bytes per page.`,
    ];
  }
  return ['Pairs sent per page fetched: ',
    ...perRun(data.runs, (r) => r.summary.communication.pairsPerPage, (value) => number(value, 2), 'rising'), '.'];
}

export function processors(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { pages } = run.processors;
    const total = pages.reduce((sum, count) => sum + count, 0);
    if (total === 0) return ['No page was fetched.'];
    if (pages.length === 1) return [`One processor fetched all ${counted(total, 'page')}.`];
    const most = Math.max(...pages);
    return [
      `Processor ${pages.indexOf(most)} fetched ${percent(most / total)} of the pages, ` +
        `${number((most * pages.length) / total, 1)} times the mean. The partition of the hosts decides which processor fetches a page.`,
    ];
  }
  return ['Mean over maximum, a property of the partition: ',
    ...perRun(data.runs, (r) => r.summary.balance.pagesWholeRun, (value) => number(value, 2), 'falling'), '.'];
}

export function queue(data: ReportData): Sentence {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { queued, endSeconds } = run.supersteps;
    const most = queued.reduce((best, value, i) => (value > queued[best] ? i : best), 0);
    const peak =
      queued.length === 0
        ? ''
        : ` The queues were longest, with ${counted(queued[most], 'page')}, at ${duration(endSeconds[most])}.`;
    const { reads, writes } = run.summary.queueIo;
    const files =
      writes === 0 ? '' : ` They were stored in files: ${counted(reads, 'read')}, ${counted(writes, 'write')}.`;
    const { staleRatio } = run.summary;
    const stale = staleRatio === null ? 'No entry was extracted.'
      : `${percent(staleRatio)} of the extracted entries were stale: their page had been reinserted with a ` +
        'larger key.';
    return [`${stale}${peak}${files}`];
  }
  return ['Stale entries are the price of reinserting pages whose key has grown. Share of the extracted entries: ',
    ...perRun(data.runs, (r) => r.summary.staleRatio, percent, 'rising'), '.'];
}

/**
 * "a 3, b 2 and c 1", in order of the values; of more runs the first and the last; of very many the range; if all are
 * equal, the value. Leaves out runs without a value.
 */
function perRun(
  runs: readonly ReportRun[], value: (run: ReportRun) => number | null, text: (value: number) => string,
  order: 'rising' | 'falling',
): Part[] {
  const sign = order === 'rising' ? 1 : -1;
  const sorted = runs.flatMap((run, index) => {
    const figure = value(run);
    return figure === null ? [] : [{ run: index, value: figure }];
  }).sort((a, b) => sign * (a.value - b.value));
  if (sorted.length === 0) return ['none in every run'];
  const first = sorted[0];
  const last = sorted[sorted.length - 1];
  if (text(first.value) === text(last.value)) {
    return [`${text(first.value)} in every run${sorted.length < runs.length ? ' that has one' : ''}`];
  }
  if (runs.length > maxNamed)
    return [`from ${text(first.value)} to ${text(last.value)} over the ${number(runs.length)} runs`];
  if (runs.length > maxListed) {
    return ['from ', { run: first.run }, ` ${text(first.value)} to `, { run: last.run }, ` ${text(last.value)}`];
  }
  return sorted.flatMap((item, i): Part[] => [
    i === 0 ? '' : i === sorted.length - 1 ? ' and ' : ', ', { run: item.run }, ` ${text(item.value)}`,
  ]);
}
