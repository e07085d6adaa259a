/** Numbers formatted for people, in the same way whatever the language of the machine. */
import { decimalText } from '../../base/index.ts';
import { figureOf, figureWriter, type RunFigureName } from '../../core/measure/figures/index.ts';

/** 1146020 -> "1,146,020". */
export function grouped(value: number): string {
  return decimalText(value, 0);
}

/** With thousands grouped and exactly `digits` decimals; "none" if there is no such figure. */
export function decimal(value: number | null, digits: number): string {
  return value === null ? 'none' : decimalText(value, digits);
}

/** 0.1234 -> "12.3 %"; "none" if there is no such share. */
export function percent(share: number | null): string {
  return share === null ? 'none' : `${decimal(100 * share, 1)} %`;
}

/** Virtual seconds as h:mm:ss, rounded to whole seconds; below a minute as seconds. */
export function clock(seconds: number): string {
  if (seconds < 60) return `${decimal(seconds, 2)} s`;
  const whole = Math.round(seconds);
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${part(Math.floor(whole / 60) % 60)}:${part(whole % 60)}`;
}

/** A figure of a run, by its value. */
export const figureText = figureWriter({ number: decimal, percent, duration: clock });

/** A figure of a run, from its summary. */
export function figureIn(summary: object, name: RunFigureName): string {
  return figureText(name, figureOf(summary, name));
}

/** "1 page", "2 pages"; pass irregular plurals as `many`. */
export function counted(count: number, singular: string, many = `${singular}s`): string {
  return `${grouped(count)} ${count === 1 ? singular : many}`;
}

/** A bar of `width` cells filled to `share`, which is clamped to 0 ... 1; blanks if there is no such share. */
export function bar(share: number | null, width: number): string {
  if (share === null) return ' '.repeat(width);
  const filled = Math.round(width * Math.min(1, Math.max(0, share)));
  return '█'.repeat(filled) + '·'.repeat(width - filled);
}

/** Everything that is printed ends before this column. */
export const pageWidth = 100;

/** A paragraph broken at blanks before column `width`; `first` starts its first line, and indents the others. */
export function paragraph(text: string, first = '', width = pageWidth): string {
  const lines = [first];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    // A word that is too long stands where it begins.
    if (line.length + 1 + word.length <= width || line.trim() === '' || line === first)
      lines[lines.length - 1] = line === '' || line.endsWith(' ') ? line + word : `${line} ${word}`;
    else lines.push(' '.repeat(first.length) + word);
  }
  return lines.join('\n');
}
