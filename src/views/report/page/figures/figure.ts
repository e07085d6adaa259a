import type { ReportData } from '../../data.ts';
import type { Chart, KeyItem } from '../chart/chart.ts';
import { element, outside } from '../dom.ts';
import { runColours } from '../chart/palette.ts';
import { chartSvg } from '../chart/chart-svg.ts';
import { csvText } from '../save/index.ts';
import { saved } from '../saved.ts';
import type { Sentence } from '../sentences.ts';

export interface Panel {
  /** Share of the report's width: all, two thirds, half, a third. Always all on a narrow screen. */
  readonly size: 'full' | 'wide' | 'half' | 'third';
  readonly caption?: Sentence;
  /** Undefined for a panel that is a heading for those after it. */
  readonly draw?: (width: number) => Chart;
}

export interface Figure {
  readonly title: string;
  /** A plain sentence or two: what the figure shows. */
  readonly sentence: Sentence;
  /** The colours of all its panels, if these are too small for a key. */
  readonly key?: readonly KeyItem[];
  readonly panels: readonly Panel[];
}

/** Builds the figure; its drawings follow the width of their panels. */
export function figureElement(data: ReportData, figure: Figure, number: number): HTMLElement {
  return element(
    'figure',
    { id: `figure-${number}` },
    element('h2', {}, `${number}. ${figure.title}`),
    keyElement(figure.key ?? []),
    element(
      'div', { class: 'panels' },
      ...figure.panels.map((panel) =>
        panelElement(panel, { title: figure.title, key: figure.key }, panel.caption && said(data, panel.caption))),
    ),
    element('figcaption', {}, ...said(data, figure.sentence)),
  );
}

/** A sentence as nodes: runs in their colours, names from outside isolated. */
export function said(data: ReportData, sentence: Sentence): Node[] {
  return sentence.map((part) => {
    if (typeof part === 'string') return document.createTextNode(part);
    if ('outside' in part) return outside(part.outside);
    const name = outside(data.runs[part.run].label);
    name.style.cssText = `color: ${runColours(part.run, data.runs.length).ink}; font-weight: 600`;
    return name;
  });
}

/** The first cell of a table's line about a run: its label, with a dot in its colour. */
export function runCell({ runs }: ReportData, i: number): HTMLTableCellElement {
  const { line, ink } = runColours(i, runs.length);
  const style = `--run: ${line}; --run-ink: ${ink}`;
  return element('td', { class: 'run', title: runs[i].label, style }, outside(runs[i].label));
}

interface PanelAbout {
  /** Above the picture in its file, before its caption; also the file's name. */
  readonly title: string;
  /** The key of all panels of its figure. */
  readonly key?: readonly KeyItem[] | undefined;
}

/** A panel that is drawn at its own width, and again when that changes; its picture and its numbers can be saved. */
export function panelElement(
  { size, draw }: Panel, { title, key: figureKey = [] }: PanelAbout, caption?: readonly Node[],
): HTMLElement {
  const box = element('div', { class: `panel ${size}` },
    caption === undefined ? null : element('p', { class: 'caption' }, ...caption));
  if (draw === undefined) return box;
  const key = element('div', {});
  const plot = element('div', { class: 'plot' });
  const text = caption?.map(({ textContent }) => textContent).join('') ?? '';
  const name = text === '' || text === title ? title : `${title}: ${text}`;
  const save = saveButtons(name, () => draw(FILE_WIDTH), figureKey);
  box.append(key, save, plot);
  let [drawnWidth, isPrinting] = [0, false];
  const redraw = (): void => {
    const width = isPrinting ? printWidths[size] : Math.floor(plot.clientWidth);
    if (width === 0 || width === drawnWidth) return;
    drawnWidth = width;
    const chart = draw(width);
    save.hidden = chart.table === undefined;
    plot.replaceChildren(chart.element);
    key.replaceChildren(keyElement(chart.key) ?? '');
  };
  new ResizeObserver(redraw).observe(plot);
  for (const event of ['beforeprint', 'afterprint']) {
    addEventListener(event, () => {
      isPrinting = event === 'beforeprint';
      redraw();
    });
  }
  return box;
}

/** Widths on paper, where a row has about 700 pixels. Drawings are not scaled down there: 12 pixels are 9 points. */
const printWidths: Readonly<Record<Panel['size'], number>> = { full: 680, wide: 680, half: 330, third: 330 };

/**
 * Width of pictures in files, whatever the page's: the same figure gives the same file. In a column of 8.5 cm their
 * text of 12 pixels is as high as 6 points.
 */
const FILE_WIDTH = 520;

function saveButtons(name: string, draw: () => Chart, figureKey: readonly KeyItem[]): HTMLElement {
  const button = (kind: string, onClick: (chart: Chart) => void): HTMLElement => {
    const node = element('button', { type: 'button', 'aria-label': `${kind}: ${name}` }, kind);
    node.addEventListener('click', () => { onClick(draw()); });
    return node;
  };
  const words = `${document.title} ${name}`.toLowerCase();
  const file = words.replace(/[^a-z0-9]+/g, '-').slice(0, 120).replace(/^-|-$/g, '');
  return element('div', { class: 'saves' },
    button('SVG', (chart) => {
      saved(`${file}.svg`, 'image/svg+xml', chartSvg(chart.element, name, name, [...figureKey, ...chart.key]));
    }),
    button('CSV', ({ table }) => {
      if (table !== undefined) saved(`${file}.csv`, 'text/csv', csvText(table));
    }));
}

export function keyElement(items: readonly KeyItem[]): HTMLElement | null {
  if (items.length === 0) return null;
  return element('ul', { class: 'key' }, ...items.map((item) => element('li', {}, mark(item), outside(item.name))));
}

function mark({ colour, quiet, isDashed, isHollow }: KeyItem): HTMLElement {
  if (isHollow === true) return element('i', { class: 'hollow', style: `border-color: ${colour}` });
  if (quiet === true || isDashed === true)
    return element('i', { class: isDashed === true ? 'dashed' : 'quiet', style: `color: ${colour}` });
  return element('i', { style: `background: ${colour}` });
}
