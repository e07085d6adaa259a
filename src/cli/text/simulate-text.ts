import { shippedPolicies } from '../../policy/index.ts';
import {
  policyOptionsUsed, recordedPolicies, type PolicyOption, type SettledCrawl, type SettledExperiment,
} from '../../settings/index.ts';
import { settleSeeds, type CrawledGraph, type SettledSeeds } from '../../engine/index.ts';
import type { GraphPages, PreparedGraph } from '../../graph/index.ts';
import { failuresInWords, findingsInWords, type ForkOf, type GraphStatistics } from '../../measure/index.ts';
import { bar, clock, counted, decimal, grouped, paragraph, percent } from './figures.ts';
import { kebabCase } from '../flags/flags.ts';
import { printable } from './printable.ts';
import type { FinishedRun } from '../answers/runner.ts';
import { seedsSentence, syntheticHostsWarning } from '../flags/seed-pages.ts';
import { textTable } from './text-table.ts';

/** A run, as text for people. @param seedPages as named, undefined for those that the graph has by itself. */
export function simulateText(
  graph: CrawledGraph, { run }: FinishedRun, seedPages: number[] | undefined, out: string | undefined,
): string {
  const { experiment, summary } = run;
  return [
    ...linesOf(graph.pages, graph.seeds({ seedPages })),
    paragraph(`${settingsSentence(experiment)}.`),
    '',
    paragraph(printable(findingsInWords(summary, experiment))),
    '',
    figures(run),
    '',
    'Where the robots\' time went',
    robotTime(summary.robots),
    ...(out === undefined ? [] : ['', `Record and report: ${printable(out)}`]),
  ].join('\n');
}

/** The first lines about a graph: whether its hosts are synthetic, its size, what its seed pages reach. */
export function graphLines(prepared: PreparedGraph, namedSeeds: readonly number[] | undefined): string[] {
  return linesOf(prepared.graph, settleSeeds(prepared, { seedPages: namedSeeds && [...namedSeeds] }));
}

function linesOf(graph: GraphPages, seeds: SettledSeeds): string[] {
  return [`${syntheticHostsWarning(graph)}${graphSentence(graph)}`, seedsLine(graph, seeds)];
}

export function seedsLine(graph: GraphPages, seeds: SettledSeeds): string {
  return `${seedsSentence(graph, seeds)}.`;
}

export function graphSentence({ name, pages, arcs, hosts }: GraphPages): string {
  return `${printable(name)}: ${counted(pages, 'page')}, ${counted(arcs, 'link')}, ${counted(hosts.count, 'host')}.`;
}

/** The settings that people compare runs by; all of them are in run.json. */
export function settingsSentence(
  experiment: SettledCrawl & Partial<Pick<SettledExperiment, 'network' | 'exchange' | 'exchangeBatch'>>,
): string {
  const {
    scores, processors, robots, superstepLimit, superstepMs, partition, queue, politenessMs, network, seed, exchange,
  } = experiment;
  const memoryBytes = 'memoryBytes' in queue ? Number(queue.memoryBytes) : 0;
  const slices = queue.slices === 1 ? '' : ` in ${queue.slices} ${queue.slicing} slices`;
  const memory = memoryBytes === 0 ? '' : ` in files, with ${grouped(memoryBytes)} bytes of memory`;
  const messages =
    exchange === undefined || exchange === 'bulk'
      ? ''
      : `, exchange ${exchange === 'page' ? 'by page' : `in batches of ${grouped(experiment.exchangeBatch ?? 0)}`}`;
  const limits = [
    ...(superstepLimit === undefined ? [] : [`${counted(superstepLimit, 'page')} per processor`]),
    ...(superstepMs === 0 ? [] : [`${decimal(superstepMs / 1000, superstepMs % 1000 === 0 ? 0 : 3)} s`]),
  ];
  return (
    `Policy ${policyText(experiment)}${scores === undefined ? '' : ` of ${printable(scores.file)}`}, ${counted(processors, 'processor')} with ${counted(robots, 'robot')} each, ` +
    `supersteps ${limits.length === 0 ? 'without a limit' : `of at most ${limits.join(' or ')}`}, delay ${grouped(politenessMs)} ms, ` +
    `partition ${partition}${partition === 'lpt' ? ' (an oracle: it knows what the crawl will reach)' : ''}, queue ${queue.kind}${slices}${memory}${messages}, ` +
    `${network?.preset === undefined ? '' : `network ${network.preset}, `}seed ${seed}`
  );
}

/** The policy with its settings, except choices left at their default, and with the files of user policies. */
function policyText(experiment: Parameters<typeof settingsSentence>[0]): string {
  const { policy, policyOptions, userPolicies = [] } = experiment;
  const policies = [...shippedPolicies.settings.policies, ...recordedPolicies(experiment)];
  const options = policyOptionsUsed(policies, experiment).flatMap((option) => {
    const value = policyOptions[option];
    if (value === undefined) return [];
    if (typeof value === 'object') return Object.entries(value).map(([name, weight]) => `${name} ${weight}`);
    const isUsual = policies.some(({ options }) => isUsualChoice(options[option], value));
    return isUsual ? [] : [`${kebabCase(option)} ${value}`];
  });
  const files = userPolicies.flatMap(({ name, file }) => (file === undefined ? [] : `${name} of ${printable(file)}`));
  const all = [...options, ...files];
  return all.length === 0 ? policy : `${policy} (${all.join(', ')})`;
}

/** @param option undefined for a policy without this setting. */
function isUsualChoice(option: PolicyOption | undefined, value: string | number): boolean {
  return option !== undefined && 'enum' in option && option.default === value;
}

/** The figures of a run as a table. */
export function figures(
  { summary, replayHash, memory, forkOf }: Omit<FinishedRun['run'], 'experiment'>, timeName = 'virtual time',
): string {
  const { quality, balance, communication, bsp, partition, queueIo, hotPages, harvest, subgraphTauB, tail } = summary;
  const slower = summary.virtualSeconds / summary.lowerBoundSeconds;
  const rows: string[][] = [
    [
      'rank gathered',
      percent(summary.rankGathered.ofReachable),
      '',
      `of the PageRank within reach, ${percent(summary.rankGathered.ofAll)} of all; ended: ${endings[summary.ended]}`,
    ],
    [
      'half of the rank after', milestone(summary.secondsToRank[50]), '',
      ([80, 90] as const).map((share) => `${share} % ${milestone(summary.secondsToRank[share], 'after ')}`).join(', '),
    ],
    [
      'pages fetched', grouped(summary.pagesFetched), '',
      `${percent(summary.pagesFetched / Math.max(1, summary.reachablePages))} of the ${grouped(summary.reachablePages)} within reach`,
    ],
    ['hosts', grouped(summary.hosts.fetched), '', `of the ${grouped(summary.hosts.reachable)} within reach`],
    ...failureRows(summary),
    ...(summary.pagesInFlight > 0
      ? [['pages in flight', grouped(summary.pagesInFlight), '', 'started, but not finished when the run ended']]
      : []),
    ['bytes', decimal(summary.bytes / 1e6, 1), 'MB', ''],
    [timeName, clock(summary.virtualSeconds), '', `${decimal(summary.virtualSeconds, 1)} s`],
    [
      'time lower bound',
      clock(summary.lowerBoundSeconds),
      '',
      summary.lowerBoundSeconds === 0
        ? 'nothing was fetched, or it took no time'
        : `set by ${printable(summary.lowerBoundHost)}; this run took ${decimal(slower, 2)} times that`,
    ],
    ...(tail === null
      ? []
      : [
          [
            'tail',
            clock(tail.seconds),
            '',
            `at most ${counted(summary.pagesPerProcessor.length, 'host')} with pages left: ${percent(tail.seconds / (summary.virtualSeconds || 1))} of the time, at least ${clock(tail.lowerBoundSeconds)}`,
          ],
        ]),
    [
      'supersteps',
      grouped(summary.supersteps),
      '',
      `limit ${range(summary.minSuperstepLimit, summary.superstepLimit)} pages per processor (${printable(summary.superstepLimitOrigin)})`,
    ],
    [
      'pending jobs', range(summary.pendingTarget.min, summary.pendingTarget.max), '',
      `target per processor (${printable(summary.pendingTarget.origin)}); ` +
        `${shareOrNone(summary.pendingShare)} of the pages that waited`,
    ],
    [
      'PageRank area',
      decimal(quality.pagerankArea, 4),
      '',
      `over ${counted(quality.horizonPages, 'page')}: random order ${decimal(quality.random, 4)}, best order ${decimal(quality.bound, 4)}`,
    ],
    [
      'normalised gain',
      decimal(quality.normalisedGain, 4),
      '',
      quality.normalisedGain !== null
        ? '0 = random order, 1 = best order'
        : summary.pagesFetched === 0
          ? 'nothing was fetched'
          : 'all orders are equally good',
    ],
    [
      'hottest 1 %',
      shareOrNone(hotPages['1%']['10%']),
      'fetched',
      `after a tenth of the crawl; ${shareOrNone(hotPages['1%']['25%'])} after a quarter, ${shareOrNone(hotPages['1%']['50%'])} after half`,
    ],
    ...(harvest === null
      ? []
      : [
          [
            'harvest',
            decimal(harvest.meanAfter['10%'] ?? 0, 3),
            'per page',
            `of the scores, in the first tenth; of all pages within reach ${decimal(harvest.reachableMean, 3)}`,
          ],
        ]),
    ...(subgraphTauB === null
      ? []
      : [
          [
            'rank of fetched pages', decimal(subgraphTauB, 4), 'tau-b',
            'their PageRank within the pages fetched, compared with the true one',
          ],
        ]),
    [
      'balance of pages',
      decimal(balance.pages, 3),
      '',
      `mean over maximum, by superstep; over the whole run ${decimal(balance.pagesWholeRun, 3)}`,
    ],
    [
      'crossing links', decimal(communication.crossLinksPerPage, 2), 'per page',
      'to pages of other processors, before combining',
    ],
    [
      'pairs',
      decimal(communication.pairsPerPage, 2),
      'per page',
      `after combining; in ${counted(communication.messages, 'message')}, ${decimal(communication.bytes / 1e6, 2)} MB`,
    ],
    [
      'extracted',
      decimal(summary.meanExtracted, 1),
      'entries',
      `per superstep and processor; ${percent(summary.staleRatio)} of them stale`,
    ],
    [
      'BSP totals',
      grouped(bsp.comparisons),
      'comparisons',
      `${counted(bsp.pairs, 'pair')}, ${counted(bsp.supersteps, 'superstep')} (W, H, S)`,
    ],
    ...(queueIo.writes > 0
      ? [['queue files', grouped(queueIo.reads), 'reads', `${counted(queueIo.writes, 'write')}, on all processors`]]
      : []),
    [
      'host graph',
      percent(partition.links === 0 ? 0 : partition.crossingLinks / partition.links),
      'of links',
      `cross between processors: ${grouped(partition.crossingLinks)}; modularity of the partition ${decimal(partition.modularity, 3)}`,
    ],
    [
      'largest host',
      percent(partition.largestHostShare),
      'of pages',
      `within reach: ${printable(partition.largestHost || 'none')}; the balance of a whole crawl is at most ${decimal(partition.efficiencyBound, 3)}`,
    ],
    ...(memory === undefined
      ? []
      : [
          [
            'memory',
            decimal(memory.peakResidentBytes / 1e6, 1),
            'MB',
            `peak; ${decimal(memory.graphBytesPerArc, 2)} bytes per link, ${decimal(memory.stateBytesPerPage, 1)} per known page (${grouped(memory.pagesKnown)}), excluding queues`,
          ],
        ]),
    ...statisticsRows(summary.statistics),
    ['replay hash', replayHash.slice(0, 16), '', 'the first 16 of 64 digits'],
    ...forkRows(forkOf),
  ];
  return textTable(rows, ['left', 'right', 'left', 'left']);
}

function forkRows(forkOf: ForkOf | undefined): string[][] {
  if (forkOf === undefined) return [];
  const { superstep, replayHash } = forkOf;
  const run = replayHash === null ? 'of a run under way' : `of the run ${replayHash.slice(0, 16)}`;
  return [['fork', `from ${grouped(superstep)}`, 'superstep', run]];
}

function range(min: number, max: number): string {
  return min === max ? grouped(max) : `${grouped(min)} to ${grouped(max)}`;
}

/** The graph of the pages fetched; nothing without `--statistics`. */
function statisticsRows(statistics: GraphStatistics | null): string[][] {
  if (statistics === null) return [];
  const { method, atSuperstep, pages, arcs, components, corePages, danglingPages, diameter, maxDiameter } = statistics;
  const { averageDistance, averageDistanceLow: low, averageDistanceHigh: high, effectiveDiameter } = statistics;
  return [
    [
      'graph fetched', counted(components ?? 0, 'component'), '',
      `strongly connected, of ${counted(pages, 'page')} and ${counted(arcs, 'link')} after superstep ` +
        `${grouped(atSuperstep)}; largest ${percent((corePages ?? 0) / pages)}, ` +
        `dangling ${percent(danglingPages / pages)}`,
    ],
    ...(diameter === null
      ? []
      : [
          [
            'average distance', decimal(averageDistance, 2), 'links',
            `${method === 'exact' ? 'exact' : `95 %: ${decimal(low, 2)} to ${decimal(high, 2)}`}; ` +
              `90 % within ${decimal(effectiveDiameter, 2)}, diameter ${maxDiameter === null ? `at least ${diameter}` : range(diameter, maxDiameter)}`,
          ],
        ]),
  ];
}

/** Outcomes without a page, and what was done about them; nothing if there were none. */
function failureRows(summary: FinishedRun['run']['summary']): string[][] {
  const failures = failuresInWords(summary);
  if (failures.length === 0) return [];
  return [
    [
      'pages failed',
      grouped(summary.pagesFailed),
      '',
      `given up; ${counted(summary.outcomesRetried, 'other outcome')} led to a retry`,
    ],
    ...failures.map(({ words, count }, i) => [i === 0 ? 'without a page' : '', grouped(count), '', words]),
    ...(summary.crashes.length > 0
      ? [['crashes', grouped(summary.crashes.length), '', 'all processors resumed from their last checkpoint']]
      : []),
  ];
}

const endings = {
  'frontier dry': 'nothing left to fetch',
  'page limit': 'page limit',
  'time limit': 'time limit',
  interrupted: 'interrupted',
  incomplete: 'incomplete',
  'no progress': 'no progress: processors crash before the next checkpoint (--checkpoint-supersteps, --crash-seconds)',
} as const;

/** A share of pages; "none" if the run did not get that far. */
function shareOrNone(value: number | null): string {
  return value === null ? 'none' : percent(value);
}

function milestone(seconds: number | null, after = ''): string {
  return seconds === null ? 'not reached' : `${after}${clock(seconds)}`;
}

/** Shares of robot time as bars. */
export function robotTime(robots: FinishedRun['run']['summary']['robots']): string {
  const meaning = {
    busy: 'downloading',
    stalled: 'jobs pending, but all their hosts in a delay or pause',
    noJob: 'no job pending',
    barrier: 'nothing left to do in this superstep: waiting for other processors',
  } as const;
  const keys = ['busy', 'stalled', 'noJob', 'barrier'] as const;
  return textTable(
    keys.map((key) => [key === 'noJob' ? 'no job' : key, percent(robots[key]), bar(robots[key], 30), meaning[key]]),
    ['left', 'right', 'left', 'left'],
  );
}
