import type { WebGraph } from '../../graph/index.ts';
import { clock, counted, decimal, grouped, percent } from '../text/figures.ts';
import type { FinishedRun } from './runner.ts';
import type { Stop, TourRuns } from './tour-stops.ts';

/** Something the runs of a tour show. Every figure, and which way it points, is computed from them. */
export interface Finding {
  readonly about: string;
  readonly text: string;
}

/** What the runs show; findings whose runs are missing (the tour was interrupted) are left out. */
export function findingsOf(graph: WebGraph, runs: TourRuns): Finding[] {
  const whole = new Map([...runs].filter(([, { run }]) => run.summary.ended !== 'interrupted'));
  const opic = whole.get('opic');
  const findings: (Finding | undefined)[] = [
    policies(whole),
    order(whole.get('random')),
    opic && robotTime(opic),
    opic && opic.run.summary.lowerBoundSeconds > 0 ? lowerBound(graph, opic) : undefined,
    opic && changed(opic, whole.get('opic, lpt'), 'partition', lpt),
    opic && changed(opic, whole.get('opic, 1 robot each'), 'robots', oneRobot),
    opic && changed(opic, whole.get('opic, 1 processor'), 'processors', oneProcessor),
    opic && changed(opic, whole.get('opic, superstep-ms 0'), 'superstep time', noTimeLimit),
  ];
  return findings.filter((finding) => finding !== undefined);
}

type Summary = FinishedRun['run']['summary'];

function policies(runs: ReadonlyMap<Stop, FinishedRun>): Finding | undefined {
  const names = ['breadth-first', 'random', 'opic', 'pagerank'] as const;
  const gains = names.flatMap((name) => {
    const result = runs.get(name);
    return result === undefined ? [] : [{ name, gain: result.run.summary.quality.normalisedGain }];
  });
  if (gains.length < names.length) return undefined;
  if (gains.every(({ gain }) => gain === null)) {
    const text = 'Every order of these pages is worth the same, or nothing was fetched: no policy gains anything.';
    return { about: 'policies', text };
  }
  const text = gains.sort((a, b) => (b.gain ?? -Infinity) - (a.gain ?? -Infinity))
    .map(({ name, gain }) => `${name} ${decimal(gain, 3)}`).join(', ');
  return {
    about: 'policies',
    text:
      `By gain: ${text}. pagerank knows the true ranks beforehand, which no crawl does; the others know what they have fetched. ` +
      'Gain 1 is the order sorted by rank, which need not follow links.',
  };
}

function order(result: FinishedRun | undefined): Finding | undefined {
  if (result === undefined) return undefined;
  const { quality } = result.run.summary;
  const { cumulativeRank, randomRankPerPage } = result.curves;
  const tenth = Math.max(1, Math.floor(quality.horizonPages / 10));
  const gathered = cumulativeRank.at(tenth - 1);
  if (gathered === undefined) return undefined;
  const above = quality.pagerankArea > quality.random;
  const reason = above
    ? 'it draws among the pages KNOWN, and pages become known by the links that also give them rank'
    : 'it draws among the pages KNOWN, and here links do not lead to high ranks first';
  return {
    about: 'random',
    text:
      `Policy random has area ${decimal(quality.pagerankArea, 4)}, ${above ? 'above' : 'not above'} the ${decimal(quality.random, 4)} of a uniform order: ${reason}. ` +
      `The first ${counted(tenth, 'page')} it fetched hold ${percent(gathered)} of the rank; as many drawn from all would hold ${percent(randomRankPerPage * tenth)}.`,
  };
}

function robotTime({ run }: FinishedRun): Finding {
  const { busy, stalled, noJob, barrier } = run.summary.robots;
  const waits = [
    { share: stalled, text: 'for politeness (jobs pending, but each of their hosts in its delay)' },
    { share: noJob, text: 'for want of any job' },
    { share: barrier, text: 'at barriers, for other processors' },
  ].sort((a, b) => b.share - a.share);
  return {
    about: 'robots',
    text: `Under opic robots downloaded ${percent(busy)} of their time, and waited: ${waits.map(({ share, text }) => `${percent(share)} ${text}`).join(', ')}.`,
  };
}

function lowerBound(graph: WebGraph, { run, events }: FinishedRun): Finding {
  const { virtualSeconds, lowerBoundSeconds, lowerBoundHost } = run.summary;
  const { names, ofPage, count } = graph.hosts;
  let host = 0;
  while (host < count - 1 && names.at(host) !== lowerBoundHost) host++;
  const pages = events.order.reduce((sum, page) => sum + (ofPage[page] === host ? 1 : 0), 0);
  const times = virtualSeconds / lowerBoundSeconds;
  return {
    about: 'lower bound',
    text:
      `Host ${lowerBoundHost} alone takes ${clock(lowerBoundSeconds)}: ` +
      (pages === 1
        ? 'its 1 page. '
        : `${counted(pages, 'page')} one after another, ${grouped(run.experiment.politenessMs)} ms apart. `) +
      `No order, and no number of processors and robots, ends that sooner. opic took ${clock(virtualSeconds)}, ${decimal(times, 2)} times that` +
      (times < 1.1
        ? ': the largest host decides how long it takes.'
        : ': the rest is order, partition and supersteps.'),
  };
}

function changed(
  before: FinishedRun, after: FinishedRun | undefined, about: string,
  tell: (before: Summary, after: Summary, run: FinishedRun['run']) => string,
): Finding | undefined {
  return after && { about, text: tell(before.run.summary, after.run.summary, before.run) };
}

/** "1:20:00 instead of 1:30:00 (11.1 % less)". */
function time(before: Summary, after: Summary): string {
  const change = after.virtualSeconds / before.virtualSeconds - 1;
  const size = Math.abs(change) < 0.0005 ? 'the same' : `${percent(Math.abs(change))} ${change < 0 ? 'less' : 'more'}`;
  return `${clock(after.virtualSeconds)} instead of ${clock(before.virtualSeconds)} (${size})`;
}

function lpt(before: Summary, after: Summary, { experiment }: FinishedRun['run']): string {
  const [even, uneven] = [after, before].map(({ balance }) => balance.pagesWholeRun ?? 1);
  return (
    `Partition lpt instead of ${experiment.partition} ${even > uneven ? 'evens out' : 'does not even out'} ` +
    'the pages of the processors (mean over maximum of the whole run ' +
    `${decimal(after.balance.pagesWholeRun, 3)} instead of ${decimal(before.balance.pagesWholeRun, 3)}; by superstep ` +
    `${decimal(after.balance.pages, 3)} instead of ${decimal(before.balance.pages, 3)}). Virtual time: ${time(before, after)}. ` +
    'lpt is an oracle: it knows how many pages of each host the crawl will reach.'
  );
}

function oneRobot(before: Summary, after: Summary, { experiment }: FinishedRun['run']): string {
  const ratio = after.virtualSeconds / before.virtualSeconds;
  return (
    `With 1 robot a processor instead of ${experiment.robots}, robots are busy ${percent(after.robots.busy)} of their time instead of ` +
    `${percent(before.robots.busy)}. Virtual time: ${time(before, after)}, for ${percent(1 / experiment.robots)} of the robots` +
    (ratio < 1.1 ? ': robots are not what this crawl lacks.' : '.')
  );
}

function oneProcessor(before: Summary, after: Summary, { experiment }: FinishedRun['run']): string {
  return (
    `One processor instead of ${experiment.processors} needs no messages (${decimal(before.communication.pairsPerPage, 2)} pairs a page between ` +
    `${experiment.processors}) and sees all cash at once: gain ${decimal(after.quality.normalisedGain, 3)} instead of ` +
    `${decimal(before.quality.normalisedGain, 3)}. Virtual time: ${time(before, after)}, with ${percent(1 / experiment.processors)} of the robots.`
  );
}

function noTimeLimit(before: Summary, after: Summary, { experiment }: FinishedRun['run']): string {
  return (
    `Supersteps ended by count alone (superstep-ms 0 instead of ${grouped(experiment.superstepMs)}) wait for the slowest processor: ` +
    `${grouped(after.supersteps)} supersteps instead of ${grouped(before.supersteps)}, ${percent(after.robots.barrier)} of robot time at barriers instead of ` +
    `${percent(before.robots.barrier)}. Virtual time: ${time(before, after)}.`
  );
}
