import type { Chart } from './chart.ts';
import { element } from './dom.ts';

export interface Panel {
  /** Of the report's width: all, two thirds, half, a third. On a narrow screen always all. */
  readonly size: 'full' | 'wide' | 'half' | 'third';
  readonly caption?: string;
  readonly captionColour?: string;
  readonly draw: (width: number) => Chart;
}

export interface Figure {
  readonly title: string;
  /** One plain sentence or two: what the figure says. */
  readonly sentence: string;
  readonly panels: readonly Panel[];
}

/** Sets the figure up; its drawings follow the width they are given. */
export function figureElement(figure: Figure, number: number): HTMLElement {
  const panels = element('div', { class: 'panels' });
  const made = element('figure', { id: `figure-${number}` },
    element('h2', {}, `${number}. ${figure.title}`), panels, element('figcaption', {}, figure.sentence));
  for (const panel of figure.panels) panels.append(panelElement(panel));
  return made;
}

function panelElement(panel: Panel): HTMLElement {
  const key = element('div', {});
  const plot = element('div', { class: 'plot' });
  const caption = panel.caption === undefined ? null
    : element('p', { class: 'caption', ...(panel.captionColour === undefined ? {} : { style: `color: ${panel.captionColour}; font-weight: 600` }) },
      panel.caption);
  const made = element('div', { class: `panel ${panel.size}` }, caption, key, plot);
  let drawn = 0;
  new ResizeObserver(() => {
    const width = Math.floor(plot.clientWidth);
    if (width === 0 || width === drawn) return;
    drawn = width;
    const chart = panel.draw(width);
    plot.replaceChildren(chart.element);
    key.replaceChildren(...(chart.key.length === 0 ? [] : [element('ul', { class: 'key' }, ...chart.key.map((item) =>
      element('li', {}, element('i', { style: `background: ${item.colour}` }), item.name)))]));
  }).observe(plot);
  return made;
}
