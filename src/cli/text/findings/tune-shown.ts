import type { TimedResult, TimedRow, TuneResult } from '../../../core/engine/index.ts';
import type { Chart, Point, Shown, ShownTable } from '../../../views/report/index.ts';
import { clock, counted, decimal, grouped, paragraph } from '../figures.ts';
import { headedTable } from '../text-table.ts';

/** R_x by the error of its order: the answer, the errors over R_x, and the sweep. */
export function staleShown(result: TuneResult, table: readonly TuneResult[] | undefined): Shown {
  const { sweep, superstepLimit, epsilon } = result;
  const ofAll = (key: 'stale' | 'prefix' | 'state'): Point[] => sweep.map((row): Point =>
    ({ x: row.r, y: row[key], ...(row.r === superstepLimit && { isNotable: true as const }) }));
  return {
    paragraphs: [
      staleAnswer(result),
      'stale: compared with messages delivered at once; prefix: with the sequential crawl; state: with one global ' +
        'best-first crawl.',
    ],
    charts: [{
      title: 'Error of the order', isSynthetic: false, notable: 'R_x',
      x: { label: 'pages that a processor may fetch per superstep', scale: 'log' },
      y: { label: 'error', scale: 'linear' },
      series: [
        ...(['stale', 'prefix', 'state'] as const).map((name) => ({ name, points: ofAll(name) })),
        { name: `epsilon ${epsilon}`, isReference: true, points: sweep.map(({ r }) => ({ x: r, y: epsilon })) },
      ],
    }],
    tables: [
      ...(table === undefined ? [] : [processorsTable(table)]),
      {
        name: 'sweep', caption: 'Trials',
        columns: [
          { name: 'r' }, ...['stale', 'prefix', 'state', 'area'].map((name) => ({ name, digits: 4 })),
          { name: 'supersteps' }, { name: 'pairs' }, { name: 'balance', digits: 3 },
        ],
        rows: sweep.map((row) =>
          [row.r, row.stale, row.prefix, row.state, row.area, row.supersteps, row.pairs, row.balance]),
      },
    ],
  };
}

export function staleAnswer({ superstepLimit, epsilon, processors, reason }: TuneResult): string {
  return superstepLimit === null
    ? `No R_x for ${counted(processors, 'processor')} within epsilon ${epsilon}: ${reason ?? ''}.`
    : `R_x = ${grouped(superstepLimit)} for ${counted(processors, 'processor')}: ` +
      `the error stale is at most ${epsilon} up to there.`;
}

function processorsTable(results: readonly TuneResult[]): ShownTable {
  return {
    name: 'processors', caption: 'R_x by number of processors',
    columns: [
      { name: 'processors' }, { name: 'R_x' }, { name: 'stale', digits: 4 }, { name: 'supersteps' }, { name: 'pairs' },
    ],
    rows: results.map(({ processors, superstepLimit, sweep }) => {
      const row = sweep.find(({ r }) => r === superstepLimit);
      return [processors, superstepLimit, row?.stale ?? null, row?.supersteps ?? null, row?.pairs ?? null];
    }),
  };
}

/** R_x by whole simulations: the answer, what each limit gives, and the rule that holds without one as a yardstick. */
export function timedShown(result: TimedResult, table: readonly TimedResult[] | undefined): Shown {
  const { sweep, goal, superstepLimit } = result;
  const value = (row: TimedResult['sweep'][number]): number =>
    (goal === 'rank' ? row.rankGathered : row.virtualSeconds);
  const label = goal === 'rank' ? 'share of the PageRank within reach' : 'virtual seconds';
  const rule = sweep.find(({ r }) => r === null);
  const tried = sweep.flatMap((row) => (row.r === null ? [] : [{ ...row, r: row.r }]));
  const chart: Chart = {
    title: `By R_x: ${label}`, isSynthetic: false, notable: 'R_x',
    x: { label: 'pages that a processor may fetch per superstep', scale: 'log' }, y: { label, scale: 'linear' },
    series: [
      { name: 'simulations', points: tried.map((row) =>
        ({ x: row.r, y: value(row), ...(row.r === superstepLimit && { isNotable: true as const }) })) },
      ...(rule === undefined ? [] : [{
        name: 'the rule without a limit', isReference: true, points: tried.map(({ r }) => ({ x: r, y: value(rule) })),
      }]),
    ],
  };
  const columns = [
    { name: 'rank gathered', digits: 4 }, { name: 'pages' }, { name: 'virtual seconds', digits: 1 },
    { name: 'supersteps' }, { name: 'pairs per page', digits: 2 },
  ];
  const figuresOf = (row: TimedResult['sweep'][number] | undefined): (number | null)[] => (row === undefined
    ? columns.map(() => null)
    : [row.rankGathered, row.pagesFetched, row.virtualSeconds, row.supersteps, row.pairsPerPage]);
  return {
    paragraphs: [answer(result)], charts: tried.length < 2 ? [] : [chart],
    tables: [
      ...(table === undefined ? [] : [{
        name: 'processors', caption: 'R_x by number of processors',
        columns: [{ name: 'processors' }, { name: 'R_x' }, ...columns],
        rows: table.map((result) => [result.processors, result.superstepLimit,
          ...figuresOf(result.sweep.find(({ r }) => r !== null && r === result.superstepLimit))]),
      }]),
      {
        name: 'sweep', caption: 'Simulations', columns: [{ name: 'r' }, ...columns, { name: 'ended by' }],
        rows: sweep.map((row) => [row.r === null ? 'the rule' : grouped(row.r), ...figuresOf(row),
          row.isWhole ? '' : 'time limit']),
      },
    ],
  };
}

/** R_x found by whole simulations, as text for people. @param table results for other numbers of processors. */
export function timedText(result: TimedResult, table: readonly TimedResult[] | undefined): string {
  const { sweep, superstepLimit } = result;
  const rows = sweep.map((row) => [
    row.r === superstepLimit && row.r !== null ? '>' : '', row.r === null ? 'the rule' : grouped(row.r),
    ...figuresOf(row), row.isWhole ? '' : 'time limit',
  ]);
  return [
    paragraph(answer(result)),
    '',
    headedTable(['', 'r', ...heads, 'ended by'], rows, ['left', ...rightAligned, 'right', 'left']),
    ...(table === undefined ? [] : ['', tableText(table)]),
  ].join('\n');
}

const heads = ['rank gathered', 'pages', 'time', 'supersteps', 'pairs per page'];
const rightAligned = heads.map((): 'right' => 'right');

function figuresOf({ rankGathered, pagesFetched, virtualSeconds, supersteps, pairsPerPage }: TimedRow): string[] {
  return [
    decimal(rankGathered, 4), grouped(pagesFetched), clock(virtualSeconds), grouped(supersteps),
    decimal(pairsPerPage, 2),
  ];
}

export function answer({ sweep, superstepLimit, goal, processors }: TimedResult): string {
  const best = superstepLimit === null ? undefined : sweep.find(({ r }) => r === superstepLimit);
  const rule = sweep.find(({ r }) => r === null);
  if (best === undefined || rule === undefined)
    return `No R_x for ${counted(processors, 'processor')}: interrupted.`;
  const figure = ({ rankGathered, virtualSeconds }: TimedRow): string =>
    goal === 'rank' ? `${decimal(rankGathered, 4)} of the PageRank within reach` : clock(virtualSeconds);
  const isEnough = sweep.some(({ r, ...row }) => (r ?? 0) > best.r! &&
    row.supersteps === best.supersteps && row.virtualSeconds === best.virtualSeconds);
  const gives = goal === 'rank' ? 'gathers' : 'takes';
  return `R_x = ${grouped(best.r ?? 0)} for ${counted(processors, 'processor')} ${gives} ${figure(best)}; the rule that ` +
    `holds without --superstep-limit ${gives} ${figure(rule)}.` +
    (isEnough ? ' A greater limit changes nothing.' : '');
}

function tableText(results: readonly TimedResult[]): string {
  const rows = results.flatMap(({ processors, superstepLimit, sweep }) => {
    const best = superstepLimit === null ? undefined : sweep.find(({ r }) => r === superstepLimit);
    const figures = best === undefined ? heads.map(() => '-') : figuresOf(best);
    return [[grouped(processors), superstepLimit === null ? '-' : grouped(superstepLimit), ...figures]];
  });
  return headedTable(['processors', 'R_x', ...heads], rows, ['right', 'right', ...rightAligned]);
}
