import { escaped, svgFile } from '../../../../report/page/save/index.ts';
import { number } from '../../../../report/page/format.ts';
import { COLOURS, printed, processorColour } from './colours.ts';
import type { Mark, Picture } from './picture.ts';

const width = 1000;
const height = 760;
/** Within which the nodes are. */
const frame = { left: 40, right: width - 40, top: 96, bottom: height - 40 };
/** Nodes that are named in the file, those that cover most. */
const NAMED = 24;
/** The height of a name, and the width of a character, about. */
const TEXT = { height: 14, character: 6.2 };

interface Given {
  readonly title: string;
  readonly sentence: string;
  readonly processors: number;
  readonly picture: Picture;
}

/** The picture as an SVG file: on white, with its title and key; nothing in it is loaded or run. */
export function graphSvg({ title, sentence, processors, picture: { marks, lines } }: Given): string {
  const { xOf, yOf } = scales(marks);
  const visible = marks.filter(({ isShown }) => isShown);
  const labels = apart(visible.toSorted((a, b) => b.radius - a.radius).slice(0, NAMED), xOf, yOf);
  return svgFile({ width, height, title, sentence }, [
    ...key(processors),
    ...lines.filter(({ isShown }) => isShown).map(({ from, to, width: thickness, colour }) =>
      `<path d="M${xOf(marks[from])} ${yOf(marks[from])}L${xOf(marks[to])} ${yOf(marks[to])}" stroke="${colour}" ` +
      `stroke-width="${thickness.toFixed(2)}"/>`),
    ...visible.map((mark) => disc(xOf(mark), yOf(mark), mark)),
    ...labels.map((mark) =>
      `<text x="${xOf(mark) + mark.radius + 4}" y="${yOf(mark) + 4}" font-size="11" fill="#1d2228" ` +
      `stroke="#ffffff" stroke-width="3" paint-order="stroke">${escaped(mark.label)}</text>`),
  ]);
}

/** The marks whose names do not cover an earlier name. */
function apart(marks: readonly Mark[], xOf: (mark: Mark) => number, yOf: (mark: Mark) => number): Mark[] {
  const labels: Mark[] = [];
  for (const mark of marks) {
    const isCovered = labels.some((other) => Math.abs(yOf(other) - yOf(mark)) < TEXT.height
      && Math.abs(xOf(other) - xOf(mark)) < TEXT.character * Math.max(other.label.length, mark.label.length));
    if (!isCovered) labels.push(mark);
  }
  return labels;
}

/** A rim, and a disc as large as the share of its pages that is fetched. */
function disc(x: number, y: number, { radius, colour, filled, label }: Mark): string {
  return `<g><title>${escaped(label)}</title><circle cx="${x}" cy="${y}" r="${radius.toFixed(1)}" fill="#ffffff" ` +
    `stroke="${colour}" stroke-width="1.5"/><circle cx="${x}" cy="${y}" ` +
    `r="${(radius * Math.sqrt(filled)).toFixed(1)}" fill="${colour}"/></g>`;
}

function key(processors: number): string[] {
  const count = Math.min(processors, COLOURS);
  const more = processors - count;
  return [
    ...Array.from({ length: count }, (_, processor) =>
      `<circle cx="${22 + 38 * processor}" cy="54" r="6" fill="${processorColour(printed, processor)}"/>` +
      `<text x="${32 + 38 * processor}" y="58">${processor}</text>`),
    more > 0 ? `<text x="${16 + 38 * count}" y="58">and ${number(more)} more</text>` : '',
    '<text x="16" y="80">Colour: processor. Area: pages within reach; filled: fetched. Lines: links.</text>',
  ];
}

/** The same scale both ways, so that the picture is not distorted. */
function scales(marks: readonly Mark[]): { xOf: (mark: Mark) => number; yOf: (mark: Mark) => number } {
  const [xs, ys] = [marks.map(({ x }) => x), marks.map(({ y }) => -y)];
  const middle = (values: readonly number[]): number => (Math.min(...values) + Math.max(...values)) / 2;
  const span = (values: readonly number[]): number => Math.max(1e-6, Math.max(...values) - Math.min(...values));
  const scale = Math.min((frame.right - frame.left) / span(xs), (frame.bottom - frame.top) / span(ys));
  const placed = (value: number, of: readonly number[], low: number, high: number): number =>
    Math.round(10 * ((low + high) / 2 + scale * (value - middle(of)))) / 10;
  return {
    xOf: ({ x }) => placed(x, xs, frame.left, frame.right),
    yOf: ({ y }) => placed(-y, ys, frame.top, frame.bottom),
  };
}
