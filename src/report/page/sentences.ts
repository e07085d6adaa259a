/** The sentence under each figure: what it shows, said with the run's own numbers. Pure text from the report's data. */
import { onlyRun, type ReportData, type ReportRun, type RobotState } from '../data.ts';
import { counted, duration, number, percent, sentenceList } from './format.ts';

export const robotStateNames: Readonly<Record<RobotState, string>> = {
  busy: 'busy', stalled: 'stalled (jobs pending, none ready)', noJob: 'no job', barrier: 'barrier',
};

/** Runs told apart by name up to here; more are told by their spread. */
const namedMost = 6;

export function synthetic(data: ReportData): string | null {
  const names = [...new Set(data.runs.filter((run) => run.dataset.hostsAreSynthetic).map((run) => run.dataset.name))];
  if (names.length === 0) return null;
  return `The hosts of ${sentenceList(names)} are synthetic: nothing here that rests on hosts (politeness, time, balance, ` +
    'communication, host partition) holds for the real sites.';
}

export function simulated(data: ReportData): string {
  const datasets = new Map(data.runs.map((run) => [run.dataset.sha256, run.dataset]));
  const graphs = [...datasets.values()].map((dataset) =>
    `${dataset.name} (${counted(dataset.pages, 'page')}, ${counted(dataset.arcs, 'arc')}, ${counted(dataset.hosts, 'host')})`);
  const runs = data.runs.length === 1 ? 'One simulated crawl' : `${number(data.runs.length)} simulated crawls`;
  return `${runs} of ${sentenceList(graphs)}.`;
}

export function rankByPages(data: ReportData): string {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { quality } = run.summary;
    const scale = `Its area, ${number(quality.pagerankArea, 3)}, lies ${percent(quality.normalisedGain)} of the way from a uniform order ` +
      `(${number(quality.random, 3)}) to the sorted order (${number(quality.bound, 3)}).`;
    const tenth = run.afterTenth;
    if (tenth === null) return scale;
    return `After a tenth of its pages the crawl holds ${percent(tenth.rank)} of the PageRank within reach; the sorted order would hold ` +
      `${percent(tenth.bound)}, a uniform order ${percent(tenth.pages * run.randomRankPerPage)}. ${scale}`;
  }
  const ranked = [...data.runs].sort((a, b) => b.summary.quality.normalisedGain - a.summary.quality.normalisedGain);
  return `The higher a curve, the sooner its crawl has the pages that matter. Of the way from a uniform order to the sorted order ` +
    `${perRun(ranked, (r) => r.summary.quality.normalisedGain, percent, 'goes')}.`;
}

export function rankBySeconds(data: ReportData): string {
  const run = onlyRun(data);
  if (run !== undefined) {
    const at = (share: string) => run.milestones.find((one) => one.share === share);
    const [half, ninety, all] = [at('50 %'), at('90 %'), at('100 %')];
    const bound = `No crawl of these pages can end before ${duration(run.summary.lowerBoundSeconds)}`;
    if (half === undefined) return `The run ended after ${duration(run.summary.virtualSeconds)}, before half of its pages. ${bound}.`;
    const times = [`Half of the pages took ${duration(half.seconds)}`];
    if (ninety !== undefined) times.push(`90 % ${duration(ninety.seconds)}`);
    if (all !== undefined) times.push(`all ${duration(all.seconds)}`);
    const tail = ninety !== undefined && all !== undefined && all.seconds > 0
      ? `; the last tenth took ${percent((all.seconds - ninety.seconds) / all.seconds)} of the time` : '';
    return `${sentenceList(times)}${tail}. ${bound}: the delay of one host alone asks for that.`;
  }
  const ranked = [...data.runs].sort((a, b) => a.summary.virtualSeconds - b.summary.virtualSeconds);
  const least = Math.min(...data.runs.map((r) => r.summary.lowerBoundSeconds));
  return `Virtual time decides what an order is worth in practice: ${perRun(ranked, (r) => r.summary.virtualSeconds, duration, 'ends after')}. ` +
    `Politeness alone asks for ${duration(least)}. Dots: 50, 90 and 100 % of the pages.`;
}

export function balance(data: ReportData): string {
  const run = onlyRun(data);
  if (data.runs.every((r) => r.processors.pages.length === 1)) return 'One processor: there is no load to balance.';
  if (run !== undefined) {
    const { pages, pagesWholeRun } = run.summary.balance;
    return `The busiest processor of a superstep fetched ${number(1 / pages, 1)} times the mean (balance ${number(pages, 2)}); over the whole run ` +
      `the partition alone gives ${number(pagesWholeRun, 2)}.`;
  }
  const ranked = [...data.runs].sort((a, b) => b.summary.balance.pages - a.summary.balance.pages);
  return `1 is a perfectly even superstep, 1/P one in which a single processor works. Over the run: ${perRun(ranked, (r) => r.summary.balance.pages, (v) => number(v, 2), 'has')}.`;
}

export function robots(data: ReportData): string {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { busy, stalled, noJob, barrier } = run.summary.robots;
    const reasons: [number, string][] = [
      [stalled, 'jobs were pending but their hosts had to rest'],
      [noJob, 'their processor had no job for them'],
      [barrier, 'they waited at the barrier'],
    ];
    const worst = reasons.sort((a, b) => b[0] - a[0])[0];
    return `Robots were downloading ${percent(busy)} of their time. What held them back most: for ${percent(worst[0])} of it ${worst[1]}.`;
  }
  const ranked = [...data.runs].sort((a, b) => b.summary.robots.busy - a.summary.robots.busy);
  return `Of their time robots were downloading: ${perRun(ranked, (r) => r.summary.robots.busy, percent, '')}.`;
}

export function communication(data: ReportData): string {
  const run = onlyRun(data);
  if (data.runs.every((r) => r.processors.pages.length === 1)) return 'One processor: nothing is sent.';
  if (run !== undefined) {
    const { crossLinksPerPage, pairsPerPage } = run.summary.communication;
    const saved = crossLinksPerPage > 0 ? `; combining what goes to the same page saves ${percent(1 - pairsPerPage / crossLinksPerPage)}` : '';
    return `A page fetched has ${number(crossLinksPerPage, 2)} links to pages of other processors and sends ${number(pairsPerPage, 2)} pairs${saved}.`;
  }
  const ranked = [...data.runs].sort((a, b) => a.summary.communication.pairsPerPage - b.summary.communication.pairsPerPage);
  return `Pairs a page: ${perRun(ranked, (r) => r.summary.communication.pairsPerPage, (v) => number(v, 2), '')}.`;
}

export function processors(data: ReportData): string {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { pages } = run.processors;
    const total = pages.reduce((sum, count) => sum + count, 0);
    if (pages.length === 1) return `One processor fetched all ${counted(total, 'page')}.`;
    const most = Math.max(...pages);
    return `Processor ${pages.indexOf(most)} fetched ${percent(total > 0 ? most / total : 0)} of the pages, ` +
      `${number(total > 0 ? most * pages.length / total : 0, 1)} times the mean; only another partition of the hosts would change that.`;
  }
  const ranked = [...data.runs].sort((a, b) => b.summary.balance.pagesWholeRun - a.summary.balance.pagesWholeRun);
  return `Mean over maximum, a property of the partition: ${perRun(ranked, (r) => r.summary.balance.pagesWholeRun, (v) => number(v, 2), '')}.`;
}

export function queue(data: ReportData): string {
  const run = onlyRun(data);
  if (run !== undefined) {
    const { queued, endSeconds } = run.supersteps;
    const most = queued.reduce((best, value, i) => (value > queued[best] ? i : best), 0);
    const peak = queued.length === 0 ? '' : ` The queues held most, ${counted(queued[most], 'page')}, at ${duration(endSeconds[most])}.`;
    return `${percent(run.summary.staleRatio)} of the entries extracted were stale, their page having been inserted again with a larger key.${peak}`;
  }
  const ranked = [...data.runs].sort((a, b) => a.summary.staleRatio - b.summary.staleRatio);
  return `Stale entries are the price of pages inserted again with a larger key: ${perRun(ranked, (r) => r.summary.staleRatio, percent, '')} of those extracted.`;
}

/** "a has 3, b 2 and c 1", or, for many runs, the range of the values. */
function perRun(
  runs: readonly ReportRun[], value: (run: ReportRun) => number, text: (value: number) => string, verb: string,
): string {
  if (runs.length > namedMost) {
    const values = runs.map(value);
    return `the ${number(runs.length)} runs range from ${text(Math.min(...values))} to ${text(Math.max(...values))}`;
  }
  return sentenceList(runs.map((run, i) => [run.label, ...(i === 0 && verb !== '' ? [verb] : []), text(value(run))].join(' ')));
}
