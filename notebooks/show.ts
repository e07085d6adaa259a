/** How the notebooks show things: drawings as SVG that needs no style sheet, tables and sentences as plain text. */
import type { Markish, PlotOptions, TextOptions } from '@observablehq/plot';
import { parseHTML } from 'linkedom';
import { display } from 'tslab';
import * as load from './load';

const ink = '#222';

/**
 * Draws a plot without a legend (Plot makes a legend HTML): on white, in fixed colours, coordinates to a tenth of a
 * pixel.
 */
export async function draw(options: PlotOptions): Promise<void> {
  const Plot = await load.plot();
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const { outerHTML } = Plot.plot({ ...options, document: document as unknown as PlotOptions['document'] });
  display.svg(
    outerHTML
      .replace(/<style>.*?<\/style>/gs, '')
      .replace(
        /^<svg [^>]*>/,
        (svg) =>
          `${svg.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')}<rect width="100%" height="100%" fill="#fff"/>`,
      )
      .replace(/currentColor/gi, ink)
      .replace(/var\(--plot-background\)/g, '#fff')
      .replace(/<[^>]+>/g, (tag) =>
        tag.replace(/\d+\.\d{2,}/g, (number) => String(Math.round(10 * Number(number)) / 10)),
      ),
  );
}

/** What a colour stands for. */
export interface Hue {
  readonly name: string;
  readonly colour: string;
}

/**
 * The names of lines in their colours, one under another in a corner of the plot: the legend that `draw` cannot have.
 * `options` may name a facet.
 */
export async function legend(
  hues: readonly Hue[],
  frameAnchor: 'top-right' | 'bottom-right' | 'top-left' | 'bottom-left',
  options: TextOptions = {},
): Promise<Markish[]> {
  const Plot = await load.plot();
  const dx = frameAnchor.endsWith('right') ? -10 : 10;
  return hues.map(({ name, colour }, row) => {
    const dy = frameAnchor.startsWith('top') ? 10 + 17 * row : -10 - 17 * (hues.length - 1 - row);
    return Plot.text([name], { frameAnchor, dx, dy, text: [name], fill: colour, fontWeight: 'bold', ...options });
  });
}

/** A table as plain text, numbers to the right: it reads the same on every code host, and in a diff. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const width = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column].length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, column) => cell.padStart(width[column])).join('   ');
  display.text([line(head), width.map((w) => '─'.repeat(w)).join('───'), ...rows.map(line)].join('\n'));
}

/** Paragraphs broken at blanks before column 90; a number keeps its unit. */
export function say(...paragraphs: readonly string[]): void {
  const broken = paragraphs.map((text) => text.replace(/(.{1,90})(?: +(?!%|s\b)|$)/g, '$1\n').trimEnd());
  display.text(broken.join('\n\n'));
}

/** 20746 -> "20,746"; with as many decimals as asked for. */
export function figure(value: number, decimals = 0): string {
  return value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

/** 0.617 -> "62 %". */
export function percent(share: number): string {
  return `${figure(100 * share)} %`;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** What several seeds gave, the mean and how far they reach: "0.738 (0.736 to 0.741)". */
export function spread(values: readonly number[], decimals = 0): string {
  const [middle, least, most] = [mean(values), Math.min(...values), Math.max(...values)].map((value) =>
    figure(value, decimals),
  );
  return least === most ? middle : `${middle} (${least} to ${most})`;
}

/** How far `value` lies from `base`: "42 % more", "6 % less", "the same" where it rounds to nothing. */
export function compared(value: number, base: number, less = 'less'): string {
  const share = value / base - 1;
  const size = Math.abs(share) < 0.0995 ? figure(100 * Math.abs(share), 1) : figure(100 * Math.abs(share));
  return Number(size) === 0 ? 'the same' : `${size} % ${share > 0 ? 'more' : less}`;
}
