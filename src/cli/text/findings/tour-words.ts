import type { Change, Finding } from '../../../questions/study/index.ts';
import { clock, counted, decimal, grouped, percent } from '../figures.ts';

export interface WordedFinding {
  readonly about: string;
  readonly line: string;
  readonly text: string;
}

export function inWords(finding: Finding): WordedFinding {
  return { about: finding.about === 'robots changed' ? 'robots' : finding.about, ...wordsOf(finding) };
}

type Words = Omit<WordedFinding, 'about'>;

function wordsOf(finding: Finding): Words {
  switch (finding.about) {
    case 'policies': return policies(finding);
    case 'random': return order(finding);
    case 'robots': return robotTime(finding);
    case 'lower bound': return lowerBound(finding);
    case 'partition': return lpt(finding);
    case 'robots changed': return oneRobot(finding);
    case 'processors': return oneProcessor(finding);
    case 'superstep time': return noTimeLimit(finding);
  }
}

type About<Name extends Finding['about']> = Extract<Finding, { about: Name }>;

function policies({ gains }: About<'policies'>): Words {
  if (gains.length === 0) {
    const text = 'All orders of these pages are equally good, or nothing was fetched: no policy gains anything.';
    return { line: text, text };
  }
  const list = gains.map(({ policy, gain }) => `${policy} ${decimal(gain, 3)}`).join(', ');
  return {
    line: `Gain of each order (1 is the best order): ${list}.`,
    text:
      `By gain: ${list}. ` +
      'pagerank knows the true ranks beforehand, as no real crawl can; the others know only what they have fetched. ' +
      'A gain of 1 is the order sorted by rank, which does not have to follow links.',
  };
}

function order({ area, uniformArea, tenth, gathered, drawn }: About<'random'>): Words {
  const isAbove = area > uniformArea;
  const reason = isAbove
    ? 'it draws from the KNOWN pages, and pages become known by the links that also give them rank'
    : 'it draws from the KNOWN pages, and here links do not lead to high ranks first';
  const compared = `${isAbove ? 'above' : 'not above'} the ${decimal(uniformArea, 4)} of a uniform order`;
  return {
    line: `random has area ${decimal(area, 4)}, ${compared}: it draws from known pages.`,
    text:
      `Policy random has area ${decimal(area, 4)}, ${compared}: ${reason}. ` +
      `The first ${counted(tenth, 'page')} it fetched have ${percent(gathered)} of the rank; ` +
      `as many drawn from all pages would have ${percent(drawn)}.`,
  };
}

const waitWords = {
  politeness: 'for politeness (jobs pending, but all their hosts in a delay)',
  'no job': 'without any pending job',
  barriers: 'at barriers for other processors',
} as const;

const shortWaitWords = {
  politeness: 'in politeness delays', 'no job': 'without a job', barriers: 'at barriers',
} as const;

function robotTime({ busy, waits }: About<'robots'>): Words {
  const listed = (words: Readonly<Record<typeof waits[number]['what'], string>>): string =>
    waits.map(({ what, share }) => `${percent(share)} ${words[what]}`).join(', ');
  return {
    line: `Robots of opic spend ${percent(busy)} of their time downloading, ${listed(shortWaitWords)}.`,
    text:
      `With opic, robots spent ${percent(busy)} of their time downloading, and the rest waiting: ${listed(waitWords)}.`,
  };
}

function lowerBound(
  { host, pages, politenessMs, lowerBoundSeconds, virtualSeconds }: About<'lower bound'>,
): Words {
  const times = virtualSeconds / lowerBoundSeconds;
  return {
    line: `Host ${host} alone takes ${clock(lowerBoundSeconds)} of the ${clock(virtualSeconds)}.`,
    text:
      `Host ${host} alone takes ${clock(lowerBoundSeconds)}: ` +
      (pages === 1
        ? 'its 1 page. '
        : `${counted(pages, 'page')} one after another, ${grouped(politenessMs)} ms apart. `) +
      'No order, and no number of processors and robots, can finish sooner. ' +
      `opic took ${clock(virtualSeconds)}, ${decimal(times, 2)} times that` +
      (times < 1.1
        ? ': the largest host determines the duration.'
        : ': the rest is due to order, partition and supersteps.'),
  };
}

/** The virtual time: "1.3 % less". */
function difference({ before, after }: Change): string {
  const more = after.virtualSeconds / before.virtualSeconds - 1;
  return Math.abs(more) < 0.0005 ? 'the same' : `${percent(Math.abs(more))} ${more < 0 ? 'less' : 'more'}`;
}

/** "1:20:00 instead of 1:30:00 (11.1 % less)". */
function time(change: Change): string {
  const { before, after } = change;
  return `${clock(after.virtualSeconds)} instead of ${clock(before.virtualSeconds)} (${difference(change)})`;
}

/** "1.3 % less time". */
const shortTime = (change: Change): string => `${difference(change)} time`;

function lpt(change: Change): Words {
  const { before, after, experiment } = change;
  const [even, uneven] = [after, before].map(({ balance }) => balance.pagesWholeRun ?? 1);
  const shares = `${decimal(after.balance.pagesWholeRun, 3)} instead of ${decimal(before.balance.pagesWholeRun, 3)}`;
  return {
    line: `Partition lpt (an oracle): balance of the whole run ${shares}, ${shortTime(change)}.`,
    text:
      `Partition lpt instead of ${experiment.partition} ${even > uneven ? 'evens out' : 'does not even out'} ` +
      `the pages of the processors (mean over maximum of the whole run ${shares}; by superstep ` +
      `${decimal(after.balance.pages, 3)} instead of ${decimal(before.balance.pages, 3)}). ` +
      `Virtual time: ${time(change)}. ` +
      'lpt is an oracle: it knows how many pages of each host the crawl will reach.',
  };
}

function oneRobot(change: Change): Words {
  const { before, after, experiment } = change;
  const ratio = after.virtualSeconds / before.virtualSeconds;
  return {
    line: `1 robot per processor, not ${experiment.robots}: ${shortTime(change)}.`,
    text:
      `With 1 robot per processor instead of ${experiment.robots}, robots are busy ${percent(after.robots.busy)} of ` +
      `their time instead of ${percent(before.robots.busy)}. Virtual time: ${time(change)}, ` +
      `for ${percent(1 / experiment.robots)} of the robots` +
      (ratio < 1.1 ? ': more robots do not help this crawl.' : '.'),
  };
}

function oneProcessor(change: Change): Words {
  const { before, after, experiment } = change;
  const gains = [after, before].map(({ quality }) => decimal(quality.normalisedGain, 3)).join(' instead of ');
  return {
    line: `1 processor, not ${experiment.processors}: no messages, gain ${gains}, ${shortTime(change)}.`,
    text:
      `One processor instead of ${experiment.processors} needs no messages ` +
      `(${decimal(before.communication.pairsPerPage, 2)} pairs per page between ` +
      `${experiment.processors}) and sees all cash at once: gain ${gains}. Virtual time: ${time(change)}, ` +
      `with ${percent(1 / experiment.processors)} of the robots.`,
  };
}

function noTimeLimit(change: Change): Words {
  const { before, after, experiment } = change;
  return {
    line: `Supersteps that end by count alone wait for the slowest processor: ${shortTime(change)}.`,
    text:
      `Supersteps that end by count alone (superstep-ms 0 instead of ${grouped(experiment.superstepMs)}) wait for ` +
      `the slowest processor: ${grouped(after.supersteps)} supersteps instead of ${grouped(before.supersteps)}, ` +
      `${percent(after.robots.barrier)} of robot time at barriers instead of ${percent(before.robots.barrier)}. ` +
      `Virtual time: ${time(change)}.`,
  };
}
