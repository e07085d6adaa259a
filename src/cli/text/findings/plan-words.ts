import {
  goalInWords, type Choice, type Plan, type PlanRequest, type SetUp,
} from '../../../questions/plan/index.ts';
import type { Interval } from '../../../core/measure/index.ts';
import { clock, counted, decimal, grouped, percent } from '../figures.ts';
import { kebabCase } from '../../flags/words.ts';
import { changeNames } from './plan-limits.ts';

/** A plan in sentences: the answer, the runner-up, and what would change it; `plan-limits.ts` says what limits it. */

export function questionInWords({ request: { goals, withinSeconds, machines, robots } }: Plan): string {
  const time = withinSeconds === Infinity ? '' : ` within ${clock(withinSeconds)}`;
  const what = goals.length === 0 ? `the most rank${time}` : `${goals.map(goalInWords).join(' and ')}${time}`;
  return `${what}, with at most ${counted(machines, 'machine')} of ${counted(robots, 'robot')}`;
}

export function setUpInWords(
  { policy, processors, robots, superstepLimit, pending, partition, exchange }: SetUp,
): string {
  const extras = [
    ...(superstepLimit === undefined ? [] : [`R_x ${grouped(superstepLimit)}`]),
    ...(pending === undefined ? [] : [`${grouped(pending)} pending jobs`]),
    ...(processors === 1 || partition === 'host-hash' ? [] : [`partition ${partition}`]),
    ...(processors === 1 || exchange === 'bulk' ? [] : [`exchange ${exchange}`]),
  ];
  return [`${counted(processors, 'machine')} with ${counted(robots, 'robot')}${processors > 1 ? ' each' : ''}`,
    `policy ${policy}`, ...extras].join(', ');
}

export function answerInWords(plan: Plan): string[] {
  const { best, feasible, objective, request: { goals, machines, robots } } = plan;
  const { withinSeconds } = objective;
  const seeds = `over ${counted(best.runs.length, 'fresh seed')}`;
  if (goals.length === 0) {
    return [
      `The most rank within ${clock(withinSeconds)}: ${setUpInWords(best.setUp)}.`,
      `It gathers ${withBounds(best.rank, percent)} of the rank within reach, with ` +
        `${withBounds(best.pages, grouped)} pages, and costs ${costInWords(plan, best)} (95 % intervals ${seeds}).`,
    ];
  }
  const goal = goals.map(goalInWords).join(' and ');
  const time = withinSeconds === Infinity ? '' : ` within ${clock(withinSeconds)}`;
  if (!feasible) {
    return [
      `No set-up that was tried reaches ${goal}${time} with at most ${counted(machines, 'machine')} of ` +
        `${counted(robots, 'robot')}.`,
      `The nearest: ${setUpInWords(best.setUp)}. It reaches ${percent(best.progress)} of the goal in ` +
        `${withBounds(best.seconds, clock)}${oddsInWords(best, objective)}.`,
    ];
  }
  return [
    `The cheapest set-up for ${goal}${time}: ${setUpInWords(best.setUp)}.`,
    `It takes ${withBounds(best.seconds, clock)} and costs ${costInWords(plan, best)} (95 % intervals ${seeds})` +
      `${oddsInWords(best, objective)}.`,
  ];
}

function oddsInWords({ probability, runs }: Choice, { withinSeconds }: Plan['objective']): string {
  if (probability === null) return '';
  // Without a limit of time only failures can keep a crawl from its goal: there is no spread to compute with.
  const doubt = withinSeconds === Infinity ? `, as far as ${counted(runs.length, 'draw')} can show` : '';
  return `; another draw of the network meets the goal with a probability of ${odds(probability)}${doubt}`;
}

function odds(probability: number): string {
  if (probability >= 0.999) return 'more than 99.9 %';
  return probability <= 0.001 ? 'less than 0.1 %' : percent(probability);
}

export function costInWords(
  { request: { prices } }: { readonly request: Pick<PlanRequest, 'prices'> }, { cost }: Pick<Choice, 'cost'>,
): string {
  return `${withBounds(cost, money)} ${prices.areMoney ? 'at the given prices' : 'machine-hours'}`;
}

/** Four significant digits: costs of small crawls are small. */
export function money(value: number): string {
  return value >= 1000 ? grouped(value) : String(Number(value.toPrecision(4)));
}

function withBounds({ mean, low, high }: Interval, text: (value: number) => string): string {
  return low === null || high === null ? text(mean) : `${text(mean)} (${text(Math.max(0, low))} to ${text(high)})`;
}

export function runnerUpInWords(plan: Plan): string {
  const { runnerUp, difference, objective: { kind }, request: { prices } } = plan;
  if (runnerUp === null) return 'There is no runner-up: nothing was to be varied.';
  const name = `The runner-up: ${setUpInWords(runnerUp.setUp)}.`;
  if (difference === null) {
    return `${name} It reaches ${percent(runnerUp.progress)} of the goal within the time, with a probability of ` +
      `${odds(runnerUp.probability ?? 0)}.`;
  }
  const { mean, low, high } = difference;
  const unit = kind === 'rank' ? 'of the rank' : prices.areMoney ? '' : 'machine-hours';
  const text = (value: number): string => (kind === 'rank' ? percent(value) : money(value));
  const bounds = `${text(low!)} to ${text(high!)}`;
  if (low! <= 0 && high! >= 0) {
    return `${name} These seeds show no difference: seed by seed ${text(mean)} ${unit} (${bounds}).`.replace('  ', ' ');
  }
  const worse = kind === 'rank' ? `gathers ${text(-mean)} less ${unit}` : `costs ${text(mean)} ${unit} more`;
  const reversed = `${text(-high!)} to ${text(-low!)}`;
  return `${name} Seed by seed it ${worse.replaceAll(/ +/g, ' ')} (${kind === 'rank' ? reversed : bounds}).` +
    (kind === 'rank' ? leadInWords(plan) : '');
}

/** How long the runner-up is ahead, if for most of the time: better for a crawl that may stop earlier. */
function leadInWords({ best, runnerUp, runs }: Plan): string {
  const [leader, other] = [best, runnerUp!].map((choice) => runs.find(({ id }) => id === choice.runs[0])!);
  const isAhead = leader.curve.map((rank, step) => other.curve[step] > rank);
  // Steps are shares of a run's time: runs of different lengths have them at different times.
  const areOfOneTime = Math.abs(other.seconds / leader.seconds - 1) < 0.01;
  if (!areOfOneTime || 2 * isAhead.filter(Boolean).length <= isAhead.length) return '';
  const until = leader.seconds * (isAhead.lastIndexOf(true) + 1) / isAhead.length;
  return ` Until ${clock(until)} it is ahead, and better for a crawl that may end earlier.`;
}

/** The changes and their consequences, as texts. */
export function consequenceRows(plan: Plan): string[][] {
  const { objective: { kind, withinSeconds }, runs, whatIf } = plan;
  const base = runs.find(({ id }) => id === plan.best.runs[0])!;
  const change = (now: number, then: number): string => {
    const share = now / then - 1;
    return Math.abs(share) < 0.0005 ? '0.0 %' : `${share > 0 ? '+' : '-'}${percent(Math.abs(share))}`;
  };
  return whatIf.map((trial) => {
    const label = changeNames[trial.name];
    if (kind === 'rank') return [label, change(trial.rank, base.rank), clock(trial.seconds), `${trial.runs[1]}`];
    const met = trial.seconds > withinSeconds ? 'too late' : 'yes';
    const areReached = base.isReached && trial.isReached;
    return [
      label, trial.isReached ? met : `no: ${percent(trial.progress)} of it`, clock(trial.seconds),
      areReached ? change(trial.seconds, base.seconds) : '-', trial.isReached ? money(trial.cost) : '-',
      `${trial.runs[1]}`,
    ];
  });
}

export function consequenceColumns({ objective: { kind } }: Plan): string[] {
  return kind === 'rank'
    ? ['change', 'rank gathered', 'time', 'run'] : ['change', 'goal met', 'time', 'difference', 'cost', 'run'];
}

export function notesInWords(plan: Plan): string[] {
  const { dataset, leftOut, runs, simulatedPages, ladders } = plan;
  const fixed = Object.entries(ladders).filter(([, values]) => values.length === 1).map(([name]) => kebabCase(name));
  return [
    'Not modelled: the time that processors need for pages and queues, pages that change and are fetched again, and ' +
      'hosts that answer more slowly under load.',
    `The intervals and the probability cover draws of the simulated network on this graph, not another graph${
      dataset.hostsAreSynthetic ? '; its hosts are synthetic, and so is everything that depends on them' : ''}.`,
    ...(leftOut.length === 0 ? [] : [
      `Not tried, since each of their runs would take too long on so large a graph: ${leftOut.join(', ')}.`,
    ]),
    ...(fixed.length === 0 ? [] : [`Not varied: ${fixed.join(', ')}.`]),
    `Found in ${counted(runs.length, 'run')} with ${grouped(simulatedPages)} simulated pages. A local search over ` +
      'whole runs, after a race over settings that have no order: not every combination was tried.',
  ];
}

export function gatheredInWords({ best }: Plan): string {
  const { rank, pages, bytes } = best;
  return `Rank gathered ${percent(rank.mean)}, ${grouped(pages.mean)} pages, ${decimal(bytes.mean / 1e9, 2)} GB.`;
}
