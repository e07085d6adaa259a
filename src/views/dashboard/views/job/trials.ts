import { short } from '../../../report/page/format.ts';
import type { JobBoard } from '../../../watch/contract.ts';
import { evenTicks } from '../../charts/ticks.ts';
import { valueText } from './board-text.ts';
import type { Drawing, Mark } from './marks.ts';

const height = 260;
const frame = { left: 58, top: 26, bottom: height - 44 };

/** The first measure of the trials of a tune against R_x, on a logarithmic axis, with the limit. */
export function trialsDrawing({ measures: [measure], candidates }: JobBoard, width: number): Drawing {
  const trials = candidates.flatMap(({ at, estimates: [first], standing }) =>
    (at === null || first === null ? [] : [{ r: at, value: first.mean, standing }])).sort((a, b) => a.r - b.r);
  const right = width - 24;
  const most = Math.max(2, ...trials.map(({ r }) => r));
  const top = Math.max(measure.limit === null ? 0 : 1.25 * measure.limit, ...trials.map(({ value }) => 1.05 * value)) || 1;
  const xOf = (r: number): number => round(frame.left + (Math.log(r) / Math.log(most)) * (right - frame.left));
  const yOf = (value: number): number => round(frame.bottom - (value / top) * (frame.bottom - frame.top));
  const across = (value: number): readonly (readonly [number, number])[] =>
    [[frame.left, yOf(value)], [right, yOf(value)]];
  return {
    width, height,
    marks: [
      { is: 'text', look: 'soft', x: 0, y: 12, anchor: 'start', text: measure.name },
      ...evenTicks(top, 6).flatMap((tick): Mark[] => [
        { is: 'line', look: tick === 0 ? 'axis' : 'grid', points: across(tick) },
        {
          is: 'text', look: 'soft', x: frame.left - 8, y: yOf(tick) + 4, anchor: 'end',
          text: valueText(measure, tick),
        },
      ]),
      ...powersTo(most).map((r): Mark => ({
        is: 'text', look: 'soft', x: xOf(r), y: frame.bottom + 18, anchor: 'middle', text: short(r),
      })),
      {
        is: 'text', look: 'soft', x: right, y: height - 6, anchor: 'end',
        text: 'R_x: pages that a processor may fetch per superstep',
      },
      ...(measure.limit === null ? [] : limitMarks(measure.limit, right, yOf(measure.limit))),
      { is: 'line', look: 'in', points: trials.map(({ r, value }) => [xOf(r), yOf(value)] as const) },
      ...trials.map(({ r, value, standing }): Mark =>
        ({ is: 'dot', look: standing, x: xOf(r), y: yOf(value), r: standing === 'best' ? 6.5 : 4 })),
    ],
  };
}

function limitMarks(limit: number, right: number, y: number): Mark[] {
  return [
    { is: 'line', look: 'limit', points: [[frame.left, y], [right, y]] },
    { is: 'text', look: 'soft', x: right, y: y - 6, anchor: 'end', text: `allowed: ${limit}` },
  ];
}

/** At most eight of 1, 4, 16, ... */
function powersTo(most: number): number[] {
  const count = Math.floor(Math.log(most) / Math.log(4) + 1e-9) + 1;
  const step = Math.ceil(count / 8);
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => 4 ** (i * step));
}

const round = (value: number): number => Math.round(10 * value) / 10;
