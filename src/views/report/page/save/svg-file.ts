import { lightColours } from '../../colours.ts';

interface Frame {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  /** What the picture shows, for readers who cannot see it. */
  readonly sentence: string;
}

/** Height of the title and of the key below it. */
export const HEAD_HEIGHT = 64;

/** A picture as an SVG file: on white, with a title above what is in it; nothing in it is loaded or run. */
export function svgFile({ width, height, title, sentence }: Frame, lines: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
    ` font-family="system-ui, sans-serif" font-size="12" fill="${lightColours.soft}">`,
    `<title>${escaped(sentence)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="26" font-size="15" font-weight="600" fill="${lightColours.ink}">${escaped(title)}</text>`,
    ...lines, '</svg>', '',
  ].join('\n');
}

export interface KeyMark {
  readonly name: string;
  readonly colour: string;
  /** Dash pattern of its line; a square without one. */
  readonly dash?: string | undefined;
  /** Points are not filled. */
  readonly isHollow?: boolean | undefined;
}

/** Marks with their names, in rows below the title. @returns its lines, and its height. */
export function keyLines(marks: readonly KeyMark[], width: number): { lines: string[]; height: number } {
  let [x, y] = [16, 39];
  const lines = marks.map(({ name, colour, dash, isHollow }) => {
    const itemWidth = 34 + 7 * name.length;
    if (x > 16 && x + itemWidth > width) [x, y] = [16, y + 20];
    const at = x;
    x += itemWidth;
    const mark = isHollow === true
      ? `<circle cx="${at + 6}" cy="${y + 6}" r="5" fill="#ffffff" stroke="${colour}" stroke-width="2"/>`
      : dash === undefined
      ? `<rect x="${at}" y="${y}" width="12" height="12" rx="3" fill="${colour}"/>`
      : `<path d="M${at} ${y + 6}h14" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`;
    return `${mark}<text x="${at + 18}" y="${y + 10}">${escaped(name)}</text>`;
  });
  return { lines, height: marks.length === 0 ? 36 : y + 25 };
}

/** As XML has it: without characters that it does not allow. */
export function escaped(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
