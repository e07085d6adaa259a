import type { Change, Finding } from '../../../tour/index.ts';
import { clock, counted, decimal, grouped, percent } from '../figures.ts';

/** A finding in words, as printed and as in tour.json. */
export interface WordedFinding {
  readonly about: string;
  readonly text: string;
}

export function inWords(finding: Finding): WordedFinding {
  const { about } = finding;
  switch (about) {
    case 'policies': return { about, text: policies(finding) };
    case 'random': return { about, text: order(finding) };
    case 'robots': return { about, text: robotTime(finding) };
    case 'lower bound': return { about, text: lowerBound(finding) };
    case 'partition': return { about, text: lpt(finding) };
    case 'robots changed': return { about: 'robots', text: oneRobot(finding) };
    case 'processors': return { about, text: oneProcessor(finding) };
    case 'superstep time': return { about, text: noTimeLimit(finding) };
  }
}

type About<Name extends Finding['about']> = Extract<Finding, { about: Name }>;

function policies({ gains }: About<'policies'>): string {
  if (gains.length === 0)
    return 'All orders of these pages are equally good, or nothing was fetched: no policy gains anything.';
  return (
    `By gain: ${gains.map(({ policy, gain }) => `${policy} ${decimal(gain, 3)}`).join(', ')}. ` +
    'pagerank knows the true ranks beforehand, as no real crawl can; the others know only what they have fetched. ' +
    'A gain of 1 is the order sorted by rank, which does not have to follow links.'
  );
}

function order({ area, uniformArea, tenth, gathered, drawn }: About<'random'>): string {
  const isAbove = area > uniformArea;
  const reason = isAbove
    ? 'it draws from the KNOWN pages, and pages become known by the links that also give them rank'
    : 'it draws from the KNOWN pages, and here links do not lead to high ranks first';
  return (
    `Policy random has area ${decimal(area, 4)}, ${isAbove ? 'above' : 'not above'} the ${decimal(uniformArea, 4)} of a uniform order: ${reason}. ` +
    `The first ${counted(tenth, 'page')} it fetched have ${percent(gathered)} of the rank; as many drawn from all pages would have ${percent(drawn)}.`
  );
}

const waitWords = {
  politeness: 'for politeness (jobs pending, but all their hosts in a delay)',
  'no job': 'without any pending job',
  barriers: 'at barriers for other processors',
} as const;

function robotTime({ busy, waits }: About<'robots'>): string {
  const waited = waits.map(({ what, share }) => `${percent(share)} ${waitWords[what]}`).join(', ');
  return `With opic, robots spent ${percent(busy)} of their time downloading, and the rest waiting: ${waited}.`;
}

function lowerBound(
  { host, pages, politenessMs, lowerBoundSeconds, virtualSeconds }: About<'lower bound'>,
): string {
  const times = virtualSeconds / lowerBoundSeconds;
  return (
    `Host ${host} alone takes ${clock(lowerBoundSeconds)}: ` +
    (pages === 1
      ? 'its 1 page. '
      : `${counted(pages, 'page')} one after another, ${grouped(politenessMs)} ms apart. `) +
    `No order, and no number of processors and robots, can finish sooner. opic took ${clock(virtualSeconds)}, ${decimal(times, 2)} times that` +
    (times < 1.1
      ? ': the largest host determines the duration.'
      : ': the rest is due to order, partition and supersteps.')
  );
}

/** "1:20:00 instead of 1:30:00 (11.1 % less)". */
function time({ before, after }: Change): string {
  const more = after.virtualSeconds / before.virtualSeconds - 1;
  const size = Math.abs(more) < 0.0005 ? 'the same' : `${percent(Math.abs(more))} ${more < 0 ? 'less' : 'more'}`;
  return `${clock(after.virtualSeconds)} instead of ${clock(before.virtualSeconds)} (${size})`;
}

function lpt(change: Change): string {
  const { before, after, experiment } = change;
  const [even, uneven] = [after, before].map(({ balance }) => balance.pagesWholeRun ?? 1);
  return (
    `Partition lpt instead of ${experiment.partition} ${even > uneven ? 'evens out' : 'does not even out'} ` +
    'the pages of the processors (mean over maximum of the whole run ' +
    `${decimal(after.balance.pagesWholeRun, 3)} instead of ${decimal(before.balance.pagesWholeRun, 3)}; by superstep ` +
    `${decimal(after.balance.pages, 3)} instead of ${decimal(before.balance.pages, 3)}). Virtual time: ${time(change)}. ` +
    'lpt is an oracle: it knows how many pages of each host the crawl will reach.'
  );
}

function oneRobot(change: Change): string {
  const { before, after, experiment } = change;
  const ratio = after.virtualSeconds / before.virtualSeconds;
  return (
    `With 1 robot per processor instead of ${experiment.robots}, robots are busy ${percent(after.robots.busy)} of their time instead of ` +
    `${percent(before.robots.busy)}. Virtual time: ${time(change)}, for ${percent(1 / experiment.robots)} of the robots` +
    (ratio < 1.1 ? ': more robots do not help this crawl.' : '.')
  );
}

function oneProcessor(change: Change): string {
  const { before, after, experiment } = change;
  return (
    `One processor instead of ${experiment.processors} needs no messages (${decimal(before.communication.pairsPerPage, 2)} pairs per page between ` +
    `${experiment.processors}) and sees all cash at once: gain ${decimal(after.quality.normalisedGain, 3)} instead of ` +
    `${decimal(before.quality.normalisedGain, 3)}. Virtual time: ${time(change)}, with ${percent(1 / experiment.processors)} of the robots.`
  );
}

function noTimeLimit(change: Change): string {
  const { before, after, experiment } = change;
  return (
    `Supersteps that end by count alone (superstep-ms 0 instead of ${grouped(experiment.superstepMs)}) wait for the slowest processor: ` +
    `${grouped(after.supersteps)} supersteps instead of ${grouped(before.supersteps)}, ${percent(after.robots.barrier)} of robot time at barriers instead of ` +
    `${percent(before.robots.barrier)}. Virtual time: ${time(change)}.`
  );
}
