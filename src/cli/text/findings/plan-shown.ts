import { isMet, ordered, trialCost, type Plan, type Trial } from '../../../questions/plan/index.ts';
import type { Chart, Series, Shown, ShownPart, ShownReport, ShownTable } from '../../../views/report/index.ts';
import { clock, counted, grouped, percent } from '../figures.ts';
import {
  answerInWords, consequenceColumns, consequenceRows, gatheredInWords, money, notesInWords,
  questionInWords, runnerUpInWords, setUpInWords,
} from './plan-words.ts';
import { limitsInWords } from './plan-limits.ts';

/** The commands that show the best set-up, and do it. */
export interface PlanCommands {
  readonly simulate: string;
  readonly crawl: string;
}

/** How many of the whole runs are listed and drawn: more could not be distinguished. */
const maxListed = 25;
const maxDrawn = 8;

export function answerPart(plan: Plan, { simulate, crawl }: PlanCommands): ShownPart {
  return {
    name: 'answer', title: 'The answer',
    shown: {
      paragraphs: [
        ...answerInWords(plan), gatheredInWords(plan), limitsInWords(plan), runnerUpInWords(plan),
      ],
      tables: [
        consequenceTable(plan),
        {
          name: 'commands', caption: 'Commands', columns: [{ name: 'to' }, { name: 'type' }],
          rows: [['show it', simulate], ['do it', crawl]],
        },
      ],
      charts: [raceChart(plan)],
    },
  };
}

function consequenceTable(plan: Plan): ShownTable {
  return {
    name: 'what-if', caption: 'What would change it (one change, the first of the fresh seeds)',
    columns: consequenceColumns(plan).map((name) => ({ name })), rows: consequenceRows(plan),
  };
}

export function planReport(plan: Plan, commands: PlanCommands, command: string): ShownReport {
  const { dataset } = plan;
  return {
    title: `A plan for ${dataset.name}: ${questionInWords(plan)}`,
    circumstances: [
      `${dataset.name}: ${grouped(dataset.pages)} pages, ${grouped(dataset.arcs)} links, ` +
        `${grouped(dataset.hosts)} hosts.`,
    ],
    warning: dataset.hostsAreSynthetic
      ? 'The hosts of this graph are synthetic, and so is everything that depends on them.' : null,
    command,
    parts: [
      answerPart(plan, commands),
      { name: 'set-ups', title: 'Set-ups that ran whole', shown: wholeShown(plan) },
      { name: 'runs', title: 'Every run', shown: runsShown(plan) },
    ],
    notes: notesInWords(plan),
  };
}

function isWhole({ phase }: Trial): boolean {
  return !phase.startsWith('race, round') && phase !== 'what if' && phase !== 'finalists';
}

/** How each policy's best set-up came towards the goal. */
function raceChart(plan: Plan): Chart {
  const { objective, runs } = plan;
  const best = new Map<string, Trial>();
  const { processors } = plan.best.setUp;
  const rivals = runs.filter((trial) => isWhole(trial) && trial.setUp.processors === processors);
  for (const trial of ordered(objective, rivals))
    if (!best.has(trial.setUp.policy)) best.set(trial.setUp.policy, trial);
  const leaders = [...best.values()].slice(0, maxDrawn);
  const areHours = leaders.some(({ seconds }) => seconds > 2 * 3600);
  const series = leaders.map(({ setUp, curve, seconds }): Series => ({
    name: setUp.policy,
    points: [{ x: 0, y: 0 }, ...curve.map((y, i) =>
      ({ x: ((i + 1) * seconds) / curve.length / (areHours ? 3600 : 1), y }))],
  }));
  const goal = objective.kind === 'rank' ? 'share of the rank' : 'share of the goal';
  return {
    title: `The race: ${goal}, by time (the best set-up of each policy, ${counted(processors, 'machine')})`,
    isSynthetic: plan.dataset.hostsAreSynthetic,
    x: { label: areHours ? 'virtual hours' : 'virtual seconds', scale: 'linear' },
    y: { label: goal, scale: 'linear' }, series,
  };
}

function wholeShown(plan: Plan): Shown {
  const { objective, runs } = plan;
  const whole = ordered(objective, runs.filter(isWhole));
  const costs: Series[] = [...new Set(whole.map(({ setUp }) => setUp.policy))].map((policy) => ({
    name: policy,
    points: whole.filter(({ setUp, isReached }) => setUp.policy === policy && (isReached || objective.kind === 'rank'))
      .map((trial) => ({
        x: trial.seconds, y: objective.kind === 'rank' ? trial.rank : trialCost(objective, trial),
        remark: setUpInWords(trial.setUp),
      })),
  }));
  const value = objective.kind === 'rank' ? 'share of the rank' : 'cost';
  return {
    paragraphs: [
      'Under the seed of the search. A run ends where the goal is met, or where it is certain to cost more than the ' +
        'best.',
    ],
    tables: [{
      name: 'set-ups', caption: `The best ${Math.min(maxListed, whole.length)} of ${whole.length}`,
      columns: [
        { name: 'set-up' }, { name: 'goal met' }, { name: 'time' }, { name: 'cost' }, { name: 'rank gathered' },
        { name: 'pages' }, { name: 'run' },
      ],
      rows: whole.slice(0, maxListed).map((trial) => [
        setUpInWords(trial.setUp), isMet(objective, trial) ? 'yes' : `${percent(trial.progress)} of it`,
        clock(trial.seconds), money(trialCost(objective, trial)), percent(trial.rank), trial.pages, trial.id,
      ]),
    }],
    charts: objective.kind === 'rank' ? [] : [{
      title: `${value} and time of set-ups that met the goal`, isSynthetic: plan.dataset.hostsAreSynthetic,
      isScatter: true, x: { label: 'virtual seconds', scale: 'log' }, y: { label: value, scale: 'log' },
      series: costs.filter(({ points }) => points.length > 0),
    }],
  };
}

function runsShown({ runs, objective }: Plan): Shown {
  return {
    paragraphs: [
      'Each can be shown by orbweaver simulate with its settings and seed; plan.json has the replay hash of each.',
    ],
    tables: [{
      name: 'runs', caption: 'In the order in which they were run',
      columns: [
        { name: 'run' }, { name: 'for' }, { name: 'set-up' }, { name: 'changed' }, { name: 'seed' },
        { name: 'share of the goal' }, { name: 'time' }, { name: 'cost' }, { name: 'pages' },
      ],
      rows: runs.map((trial) => [
        trial.id, trial.phase, setUpInWords(trial.setUp), trial.change, trial.seed, percent(trial.progress),
        clock(trial.seconds), money(trialCost(objective, trial)), trial.pages,
      ]),
    }],
    charts: [],
  };
}

export function planDocument(plan: Plan, commands: PlanCommands, version: string): unknown {
  const { request, best, runnerUp, feasible, dataset, difference, whatIf, runs, simulatedPages } = plan;
  const { goals, withinSeconds, machines, robots, prices, base } = request;
  const limits = limitsInWords(plan);
  const choice = ({ setUp, cost, ...rest }: typeof best) =>
    ({ settings: setUp, cost: cost.mean, interval: cost, ...rest });
  return {
    version, goal: questionInWords(plan), answer: answerInWords(plan).join(' '), feasible,
    best: { ...choice(best), limits, ...commands }, runnerUp: runnerUp && choice(runnerUp), difference,
    limits: [limits], whatIf, objective: plan.objective.kind,
    request: {
      goals, withinSeconds: withinSeconds === Infinity ? null : withinSeconds, machines, robots, prices,
      experiment: base, ladders: plan.ladders, leftOut: plan.leftOut,
    },
    dataset, simulatedPages, notModelled: notesInWords(plan), runs,
  };
}
