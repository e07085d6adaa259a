import { failuresInWords, type ForkOf, type GraphStatistics, type RunSummary } from '../../../core/measure/index.ts';
import type { FinishedRun } from '../../answers/runner.ts';
import { endingInWords, runFigures, type RunFigureName } from '../../../core/measure/figures/index.ts';
import { bar, clock, counted, decimal, figureIn, grouped, percent } from '../figures.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';

type Row = readonly [name: string, figure: string, explanation: string];

type Figures = Omit<FinishedRun['run'], 'experiment'>;

/**
 * The figures of a run: first the ten that answer what people ask of a crawl, then the others below headings.
 * @param timeName of a live crawl "time"
 */
export function figures(run: Figures, timeName = 'virtual time'): string {
  const { summary } = run;
  const sections: readonly (readonly [heading: string, rows: readonly Row[]])[] = [
    ['Pages', pageRows(summary)],
    ['Order', orderRows(summary)],
    ['Time and supersteps', superstepRows(summary)],
    ['Hosts and messages', messageRows(summary)],
    ['The graph fetched', statisticsRows(summary.statistics)],
    ['This run', runRows(run)],
  ];
  return [
    tableOf(answers(summary, timeName)),
    '',
    'Where the robots\' time went',
    robotTime(summary.robots),
    ...sections.filter(([, rows]) => rows.length > 0).flatMap(([heading, rows]) => ['', heading, tableOf(rows)]),
  ].join('\n');
}

function tableOf(rows: readonly Row[]): string {
  return textTable(rows, ['left', 'right', 'left']);
}

/** Rank, time, limit, order, balance and cost, in ten lines. */
function answers(summary: RunSummary, timeName: string): Row[] {
  const { quality, balance, communication, bsp, secondsToRank, virtualSeconds, lowerBoundSeconds } = summary;
  const answer = (name: RunFigureName, note: string = runFigures[name].meaning): Row =>
    [runFigures[name].title, figureIn(summary, name), note];
  return [
    answer('rankGathered'),
    [
      runFigures.secondsToHalf.title, milestone(secondsToRank[50]),
      ([80, 90] as const).map((share) => `${share} % ${milestone(secondsToRank[share], 'after ')}`).join(', '),
    ],
    answer(
      'pagesFetched',
      `of the ${grouped(summary.reachablePages)} within reach` +
        (summary.pagesFailed > 0 ? `; ${grouped(summary.pagesFailed)} failed` : ''),
    ),
    [timeName, clock(virtualSeconds), `ended: ${endingInWords(summary.ended)}`],
    answer(
      'lowerBoundSeconds',
      lowerBoundSeconds === 0
        ? 'nothing was fetched, or it took no time'
        : `set by ${printable(summary.lowerBoundHost)}; this took ${decimal(virtualSeconds / lowerBoundSeconds, 2)} times that`,
    ),
    [
      'superstep limit', range(summary.minSuperstepLimit, summary.superstepLimit),
      `pages per processor, in ${counted(summary.supersteps, 'superstep')}`,
    ],
    answer(
      'normalisedGain',
      quality.normalisedGain !== null
        ? undefined : summary.pagesFetched === 0 ? 'nothing was fetched' : 'all orders are equally good',
    ),
    answer('balancePages', `${runFigures.balancePages.meaning}; of the whole run ${decimal(balance.pagesWholeRun, 3)}`),
    answer('robotsBusy'),
    [
      'messages', `${decimal(communication.bytes / 1e6, 2)} MB`,
      `${decimal(communication.pairsPerPage, 2)} pairs per page; queues made ${counted(bsp.comparisons, 'comparison')}`,
    ],
  ];
}

function pageRows(summary: RunSummary): Row[] {
  return [
    ['share of pages', percent(summary.pagesFetched / Math.max(1, summary.reachablePages)), 'of those within reach'],
    ['share of all rank', percent(summary.rankGathered.ofAll), 'of the whole graph, in reach or not'],
    ['hosts', grouped(summary.hosts.fetched), `of the ${grouped(summary.hosts.reachable)} within reach`],
    ['bytes', `${decimal(summary.bytes / 1e6, 1)} MB`, ''],
    ...failureRows(summary),
    ...(summary.pagesInFlight > 0
      ? [row('pages in flight', grouped(summary.pagesInFlight), 'started, but not finished when the run ended')]
      : []),
  ];
}

/** Outcomes without a page, and what was done about them; nothing if there were none. */
function failureRows(summary: RunSummary): Row[] {
  const failures = failuresInWords(summary);
  if (failures.length === 0) return [];
  return [
    [
      'pages failed', grouped(summary.pagesFailed),
      `given up; ${counted(summary.outcomesRetried, 'other outcome')} led to a retry`,
    ],
    ...failures.map(({ words, count }, i) => row(i === 0 ? 'without a page' : '', grouped(count), words)),
    ...(summary.crashes.length > 0
      ? [row('crashes', grouped(summary.crashes.length), 'all processors resumed from their last checkpoint')]
      : []),
  ];
}

function orderRows({ quality, hotPages, harvest, subgraphTauB }: RunSummary): Row[] {
  return [
    [
      runFigures.pagerankArea.title, decimal(quality.pagerankArea, 4),
      `over ${counted(quality.horizonPages, 'page')}: random order ${decimal(quality.random, 4)}, ` +
        `best order ${decimal(quality.bound, 4)}`,
    ],
    [
      'hottest 1 %', shareOrNone(hotPages['1%']['10%']),
      `fetched after a tenth of the crawl; ${shareOrNone(hotPages['1%']['25%'])} after a quarter, ` +
        `${shareOrNone(hotPages['1%']['50%'])} after half`,
    ],
    ...(harvest === null
      ? []
      : [row(
          'harvest', decimal(harvest.meanAfter['10%'] ?? 0, 3),
          `mean score of the pages in the first tenth; of all pages within reach ${decimal(harvest.reachableMean, 3)}`,
        )]),
    ...(subgraphTauB === null
      ? []
      : [row(
          'rank of fetched pages', decimal(subgraphTauB, 4),
          'tau-b of their PageRank within the pages fetched with the true one',
        )]),
  ];
}

function superstepRows(summary: RunSummary): Row[] {
  const { bsp, tail, queueIo, pendingTarget } = summary;
  return [
    ['seconds', decimal(summary.virtualSeconds, 1), ''],
    ...(tail === null
      ? []
      : [row(
          'tail', clock(tail.seconds),
          `at most ${counted(summary.pagesPerProcessor.length, 'host')} with pages left: ` +
            `${percent(tail.seconds / (summary.virtualSeconds || 1))} of the time, at least ${clock(tail.lowerBoundSeconds)}`,
        )]),
    ['superstep limit from', '', printable(summary.superstepLimitOrigin)],
    [
      'pending jobs', range(pendingTarget.min, pendingTarget.max),
      `target per processor (${printable(pendingTarget.origin)}); ` +
        `${shareOrNone(summary.pendingShare)} of the pages that waited`,
    ],
    [
      'extracted', decimal(summary.meanExtracted, 1),
      `entries per superstep and processor; ${percent(summary.staleRatio)} of them stale`,
    ],
    [
      'BSP totals', grouped(bsp.comparisons),
      `comparisons, ${counted(bsp.pairs, 'pair')}, ${counted(bsp.supersteps, 'superstep')} (W, H, S)`,
    ],
    ...(queueIo.writes > 0
      ? [row('queue files', grouped(queueIo.reads), `reads, ${counted(queueIo.writes, 'write')}, on all processors`)]
      : []),
  ];
}

function messageRows({ communication, partition }: RunSummary): Row[] {
  return [
    [
      'crossing links', decimal(communication.crossLinksPerPage, 2),
      'per page, to pages of other processors, before combining',
    ],
    ['messages', grouped(communication.messages), 'with the pairs that are left after combining'],
    [
      'host graph', percent(partition.links === 0 ? 0 : partition.crossingLinks / partition.links),
      `of links cross between processors: ${grouped(partition.crossingLinks)}; ` +
        `modularity of the partition ${decimal(partition.modularity, 3)}`,
    ],
    [
      'largest host', percent(partition.largestHostShare),
      `of the pages within reach: ${printable(partition.largestHost || 'none')}; ` +
        `the balance of a whole crawl is at most ${decimal(partition.efficiencyBound, 3)}`,
    ],
  ];
}

/** The graph of the pages fetched; nothing without `--statistics`. */
function statisticsRows(statistics: GraphStatistics | null): Row[] {
  if (statistics === null) return [];
  const { method, atSuperstep, pages, arcs, components, corePages, danglingPages, diameter, maxDiameter } = statistics;
  const { averageDistance, averageDistanceLow: low, averageDistanceHigh: high, effectiveDiameter } = statistics;
  return [
    [
      'components', grouped(components ?? 0),
      `strongly connected, of ${counted(pages, 'page')} and ${counted(arcs, 'link')} after superstep ` +
        `${grouped(atSuperstep)}; largest ${percent((corePages ?? 0) / pages)}, ` +
        `dangling ${percent(danglingPages / pages)}`,
    ],
    ...(diameter === null
      ? []
      : [row(
          'average distance', decimal(averageDistance, 2),
          `links, ${method === 'exact' ? 'exact' : `95 %: ${decimal(low, 2)} to ${decimal(high, 2)}`}; ` +
            `90 % within ${decimal(effectiveDiameter, 2)}, ` +
            `diameter ${maxDiameter === null ? `at least ${diameter}` : range(diameter, maxDiameter)}`,
        )]),
  ];
}

function runRows({ replayHash, memory, forkOf }: Figures): Row[] {
  return [
    ...(memory === undefined
      ? []
      : [row(
          'memory', `${decimal(memory.peakResidentBytes / 1e6, 1)} MB`,
          `peak; ${decimal(memory.graphBytesPerArc, 2)} bytes per link, ${decimal(memory.stateBytesPerPage, 1)} ` +
            `per known page (${grouped(memory.pagesKnown)}), excluding queues`,
        )]),
    ...forkRows(forkOf),
    ['replay hash', replayHash.slice(0, 16), 'the first 16 of 64 digits'],
  ];
}

function forkRows(forkOf: ForkOf | undefined): Row[] {
  if (forkOf === undefined) return [];
  const { superstep, replayHash } = forkOf;
  const run = replayHash === null ? 'of a run under way' : `of the run ${replayHash.slice(0, 16)}`;
  return [['fork', `superstep ${grouped(superstep)}`, run]];
}

/** Shares of robot time as bars. */
function robotTime(robots: RunSummary['robots']): string {
  const meaning = {
    busy: 'downloading',
    stalled: 'all hosts of pending jobs in a delay',
    noJob: 'no job pending',
    barrier: 'waiting for other processors',
  } as const;
  const keys = ['busy', 'stalled', 'noJob', 'barrier'] as const;
  return textTable(
    keys.map((key) => [key === 'noJob' ? 'no job' : key, percent(robots[key]), bar(robots[key], 30), meaning[key]]),
    ['left', 'right', 'left', 'left'],
  );
}

/** Types a row within a list that is spread. */
const row = (...cells: Row): Row => cells;

function range(min: number, max: number): string {
  return min === max ? grouped(max) : `${grouped(min)} to ${grouped(max)}`;
}

/** A share of pages; "none" if the run did not get that far. */
function shareOrNone(value: number | null): string {
  return value === null ? 'none' : percent(value);
}

function milestone(seconds: number | null, after = ''): string {
  return seconds === null ? 'not reached' : `${after}${clock(seconds)}`;
}
