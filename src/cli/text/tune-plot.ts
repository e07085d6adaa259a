import type { TuneResult } from '../../core/engine/index.ts';
import { grouped } from './figures.ts';

/** The errors of a sweep: the mark of each in the plot, its colour in the drawing, and what it means. */
const errors = [
  { key: 'stale', mark: 's', colour: '#c0392b', meaning: 'compared with messages delivered at once' },
  { key: 'prefix', mark: 'p', colour: '#2471a3', meaning: 'compared with the sequential crawl' },
  { key: 'state', mark: 't', colour: '#1e8449', meaning: 'compared with one global best-first crawl' },
] as const;

/**
 * The three errors over R_x as text: R_x runs to the right on a logarithmic axis, a column of dots is the answer, a
 * row of dots is epsilon, and `*` is where marks meet.
 */
export function plotText({ sweep, epsilon, superstepLimit }: TuneResult, width = 64, height = 16): string {
  const { top, x, y } = scales({ sweep, epsilon }, width - 1, height - 1);
  const cells = Array.from({ length: height }, () => new Array<string>(width).fill(' '));
  const epsilonRow = y(epsilon);
  if (epsilonRow >= 0) cells[epsilonRow].fill('·');
  if (superstepLimit !== null) for (const row of cells) row[x(superstepLimit)] = '·';
  const marked = new Set<string>();
  for (const { key, mark } of errors) {
    for (const point of sweep) {
      const column = x(point.r);
      const row = y(point[key]);
      cells[row][column] = marked.has(`${row} ${column}`) && cells[row][column] !== mark ? '*' : mark;
      marked.add(`${row} ${column}`);
    }
  }
  const lines = cells.map((row, i) => {
    const value = top * (1 - i / (height - 1));
    const label = i % 5 === 0 || i === height - 1 ? value.toFixed(3) : '';
    return `  ${label.padStart(6)} │${row.join('').trimEnd()}`;
  });
  return [
    ...lines,
    `  ${' '.repeat(6)} └${'─'.repeat(width)}`,
    `  ${' '.repeat(6)}  ${axisLabels(sweep, x, width)}`,
    `  ${errors.map(({ mark, key }) => `${mark} ${key}`).join('   ')}   * several   ··· epsilon ${epsilon}` +
      (superstepLimit === null ? '' : ` and R_x = ${grouped(superstepLimit)}`),
  ].join('\n');
}

/** Places of the values: x by the logarithm of r from 0 to `right`, y downwards from `top` at 0 to 0 at `bottom`. */
function scales({ sweep, epsilon }: Pick<TuneResult, 'sweep' | 'epsilon'>, right: number, bottom: number) {
  const largest = Math.max(2, ...sweep.map(({ r }) => r));
  const top = Math.max(epsilon, 1e-3, ...sweep.flatMap((row) => errors.map(({ key }) => row[key])));
  return {
    top,
    x: (r: number): number => Math.round((right * Math.log2(r)) / Math.log2(largest)),
    y: (error: number): number => Math.round(bottom * (1 - error / top)),
  };
}

/** Powers of two below the axis, as many as fit. */
function axisLabels(sweep: TuneResult['sweep'], x: (r: number) => number, width: number): string {
  let line = '';
  for (const { r } of sweep) {
    if (!Number.isInteger(Math.log2(r))) continue;
    const label = String(r);
    const start = Math.min(x(r), width - label.length);
    if (start > line.length || line === '') line = line.padEnd(start) + label;
  }
  return line;
}

/** The same as a self-contained drawing. All its texts are constants or numbers, so nothing needs escaping. */
export function plotSvg({ sweep, epsilon, superstepLimit }: TuneResult): string {
  const right = 560;
  const bottom = 260;
  const { top, x, y } = scales({ sweep, epsilon }, right, bottom);
  const line = errors.map(
    ({ key, colour }) =>
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${sweep.map((row) => `${x(row.r)},${y(row[key])}`).join(' ')}"/>` +
      sweep
        .map(
          (row) =>
            `<circle cx="${x(row.r)}" cy="${y(row[key])}" r="3" fill="${colour}"><title>R = ${row.r}: ${key} ${row[key]}</title></circle>`,
        )
        .join(''),
  );
  const legend = errors.map(({ key, colour, meaning }, i) =>
    `<text x="8" y="${16 + 18 * i}" fill="${colour}">${key}: ${meaning}</text>`);
  const ticks = sweep.filter(({ r }) => Number.isInteger(Math.log2(r))).map(({ r }) =>
    `<text x="${x(r)}" y="${bottom + 18}" text-anchor="middle">${r}</text>`);
  const answer =
    superstepLimit === null
      ? ''
      : `<line x1="${x(superstepLimit)}" x2="${x(superstepLimit)}" y1="0" y2="${bottom}" stroke="#888" stroke-dasharray="4 4"/>` +
        `<text x="${x(superstepLimit)}" y="-8" text-anchor="middle">R_x = ${superstepLimit}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-60 -30 660 350" font-family="sans-serif" font-size="12">
<rect x="-60" y="-30" width="660" height="350" fill="#fff"/>
<path d="M0 0V${bottom}H${right}" fill="none" stroke="#333"/>
<text x="-8" y="4" text-anchor="end">${top.toFixed(3)}</text><text x="-8" y="${bottom + 4}" text-anchor="end">0</text>
<line x1="0" x2="${right}" y1="${y(epsilon)}" y2="${y(epsilon)}" stroke="#888" stroke-dasharray="4 4"/>
<text x="${right}" y="${y(epsilon) - 4}" text-anchor="end">epsilon ${epsilon}</text>
${answer}
${line.join('\n')}
${legend.join('\n')}
${ticks.join('\n')}
<text x="${right / 2}" y="${bottom + 40}" text-anchor="middle">pages that a processor may fetch per superstep</text>
</svg>
`;
}
