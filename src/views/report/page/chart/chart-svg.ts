import { keyLines, lightColours, svgFile, type ColourName } from '../save/index.ts';
import type { KeyItem } from './chart.ts';

/** A drawing of the page as a file for print: on white in light colours, with its title and its key. */
export function chartSvg(drawing: Element, title: string, sentence: string, key: readonly KeyItem[]): string {
  const [width, height] = ['width', 'height'].map((side) => Number(drawing.getAttribute(side)));
  const marks = key.map(({ name, colour, quiet, isDashed, isHollow }) => ({
    name, colour: flat(colour), isHollow, dash: isDashed === true ? '6 4' : quiet === true ? '2 5' : undefined,
  }));
  const { lines, height: top } = keyLines(marks, width);
  return svgFile({ width, height: top + height, title, sentence }, [...lines, forPrint(drawing, top)]);
}

/** A copy without what follows the pointer, its colours as numbers. */
function forPrint(drawing: Element, top: number): string {
  const copy = drawing.cloneNode(true) as Element;
  for (const part of copy.querySelectorAll('style, [aria-label="tip"]')) part.remove();
  for (const part of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of ['fill', 'stroke', 'color']) {
      const colour = part.getAttribute(name);
      if (colour !== null) part.setAttribute(name, flat(colour));
    }
  }
  for (const name of ['class', 'aria-label']) copy.removeAttribute(name);
  copy.setAttribute('color', lightColours.soft);
  copy.setAttribute('y', String(top));
  copy.setAttribute('overflow', 'visible');
  return new XMLSerializer().serializeToString(copy);
}

let brush: CanvasRenderingContext2D | null = null;

/** A colour of the style sheet, which may be mixed from others, as #rrggbb. */
function flat(colour: string): string {
  if (colour === 'currentColor') return lightColours.soft;
  if (!colour.includes('(')) return colour;
  const numbers = colour.replace(/var\(--([\w-]+)\)/g, (_, name: ColourName) => lightColours[name]);
  if (!numbers.includes('(')) return numbers;
  brush ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (brush === null) return numbers;
  brush.clearRect(0, 0, 1, 1);
  brush.fillStyle = numbers;
  brush.fillRect(0, 0, 1, 1);
  return `#${[...brush.getImageData(0, 0, 1, 1).data.slice(0, 3)].map((v) => v.toString(16).padStart(2, '0')).join('')}`;
}
