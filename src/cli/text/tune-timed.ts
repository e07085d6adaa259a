import type { TimedResult, TimedRow } from '../../core/engine/index.ts';
import { clock, counted, decimal, grouped, paragraph } from './figures.ts';
import { headedTable } from './text-table.ts';

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
