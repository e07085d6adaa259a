import { escaped, svgFile } from '../../../report/page/save/index.ts';

/** A picture as a list of marks, for the page and for a file alike. */
export type Mark = { readonly look: Look } & (
  | { readonly is: 'line'; readonly points: readonly (readonly [x: number, y: number])[] }
  | { readonly is: 'dot'; readonly x: number; readonly y: number; readonly r: number }
  | {
    readonly is: 'text'; readonly x: number; readonly y: number; readonly text: string;
    readonly anchor: 'start' | 'middle' | 'end';
  }
);

export type Look = 'axis' | 'grid' | 'in' | 'out' | 'best' | 'limit' | 'name' | 'bold' | 'soft' | 'gone';

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}

/** What the style sheet says of each look, for a file on white. */
const looks: Readonly<Record<Look, string>> = {
  axis: 'stroke="#9a9fa4"', grid: 'stroke="#e4e2dc"', in: 'stroke="#0072b2" fill="#0072b2"',
  out: 'stroke="#9a9fa4" fill="#ffffff"', best: 'stroke="#00734f" fill="#00734f"',
  limit: 'stroke="#d55e00" stroke-dasharray="5 4"', name: 'fill="#1d2228"', soft: 'fill="#5d6670"',
  gone: 'fill="#747b83" text-decoration="line-through"',
  bold: 'fill="#1d2228" font-weight="600"',
};

/** The picture as a file; nothing in it is loaded or run. */
export function fileOf({ width, height, marks }: Drawing, title: string, sentence: string): string {
  const top = 44;
  return svgFile({ width: width + 32, height: height + top + 16, title, sentence }, [
    `<g transform="translate(16 ${top})">`, ...marks.map(element), '</g>',
  ]);
}

function element(mark: Mark): string {
  const look = looks[mark.look];
  switch (mark.is) {
    case 'line': {
      const width = mark.look === 'axis' || mark.look === 'grid' ? 1 : 2;
      return `<path d="${pathOf(mark.points)}" stroke-width="${width}" ${look.replace(/ fill="[^"]*"/, '')} fill="none"/>`;
    }
    case 'dot': return `<circle cx="${mark.x}" cy="${mark.y}" r="${mark.r}" stroke-width="2" ${look}/>`;
    case 'text':
      return `<text x="${mark.x}" y="${mark.y}" text-anchor="${mark.anchor}" ${look}>${escaped(mark.text)}</text>`;
  }
}

export function pathOf(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');
}
