import type { Change, Finding } from '../../../tour/index.ts';
import { clock, counted, decimal, grouped, percent } from '../figures.ts';

/** A finding told to a person, and as tour.json has it. */
export interface ToldFinding {
  readonly about: string;
  readonly text: string;
}

export function told(finding: Finding): ToldFinding {
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
    return 'Every order of these pages is worth the same, or nothing was fetched: no policy gains anything.';
  return (
    `By gain: ${gains.map(({ policy, gain }) => `${policy} ${decimal(gain, 3)}`).join(', ')}. ` +
    'pagerank knows the true ranks beforehand, which no crawl does; the others know what they have fetched. ' +
    'Gain 1 is the order sorted by rank, which need not follow links.'
  );
}

function order({ area, uniformArea, tenth, gathered, drawn }: About<'random'>): string {
  const isAbove = area > uniformArea;
  const reason = isAbove
    ? 'it draws among the pages KNOWN, and pages become known by the links that also give them rank'
    : 'it draws among the pages KNOWN, and here links do not lead to high ranks first';
  return (
    `Policy random has area ${decimal(area, 4)}, ${isAbove ? 'above' : 'not above'} the ${decimal(uniformArea, 4)} of a uniform order: ${reason}. ` +
    `The first ${counted(tenth, 'page')} it fetched hold ${percent(gathered)} of the rank; as many drawn from all would hold ${percent(drawn)}.`
  );
}

const waitWords = {
  politeness: 'for politeness (jobs pending, but each of their hosts in its delay)',
  'no job': 'for want of any job',
  barriers: 'at barriers, for other processors',
} as const;

function robotTime({ busy, waits }: About<'robots'>): string {
  const waited = waits.map(({ what, share }) => `${percent(share)} ${waitWords[what]}`).join(', ');
  return `Under opic robots downloaded ${percent(busy)} of their time, and waited: ${waited}.`;
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
    `No order, and no number of processors and robots, ends that sooner. opic took ${clock(virtualSeconds)}, ${decimal(times, 2)} times that` +
    (times < 1.1
      ? ': the largest host decides how long it takes.'
      : ': the rest is order, partition and supersteps.')
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
    `With 1 robot a processor instead of ${experiment.robots}, robots are busy ${percent(after.robots.busy)} of their time instead of ` +
    `${percent(before.robots.busy)}. Virtual time: ${time(change)}, for ${percent(1 / experiment.robots)} of the robots` +
    (ratio < 1.1 ? ': robots are not what this crawl lacks.' : '.')
  );
}

function oneProcessor(change: Change): string {
  const { before, after, experiment } = change;
  return (
    `One processor instead of ${experiment.processors} needs no messages (${decimal(before.communication.pairsPerPage, 2)} pairs a page between ` +
    `${experiment.processors}) and sees all cash at once: gain ${decimal(after.quality.normalisedGain, 3)} instead of ` +
    `${decimal(before.quality.normalisedGain, 3)}. Virtual time: ${time(change)}, with ${percent(1 / experiment.processors)} of the robots.`
  );
}

function noTimeLimit(change: Change): string {
  const { before, after, experiment } = change;
  return (
    `Supersteps ended by count alone (superstep-ms 0 instead of ${grouped(experiment.superstepMs)}) wait for the slowest processor: ` +
    `${grouped(after.supersteps)} supersteps instead of ${grouped(before.supersteps)}, ${percent(after.robots.barrier)} of robot time at barriers instead of ` +
    `${percent(before.robots.barrier)}. Virtual time: ${time(change)}.`
  );
}
