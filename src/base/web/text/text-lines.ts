import { textFields, type Anchor, type TextField, type TextRun } from '../page-text.ts';

// Texts and links as lines, as crawls and indexes store them. White space of texts is collapsed: they have no line
// feeds.

/** The runs as one text: a line each, which begins with the position of its field in textFields. */
export function runLines(runs: readonly TextRun[]): string {
  return runs.map(({ field, text }) => `${textFields.indexOf(field)}${text}\n`).join('');
}

/** The runs of such lines; undefined if the text has another form. */
export function runsOf(lines: string): TextRun[] | undefined {
  const runs: TextRun[] = [];
  const all = lines.split('\n');
  if (all.pop() !== '') return undefined;
  for (const line of all) {
    const field = textFields[Number(line[0])] as TextField | undefined;
    if (field === undefined) return undefined;
    runs.push({ field, text: line.slice(1) });
  }
  return runs;
}

/** A line for the URL of each anchor, and one for its text. */
export function anchorLines(anchors: readonly Anchor[]): string {
  const lines: string[] = [];
  for (const { url, text } of anchors) lines.push(url, text);
  return lines.join('\n');
}

/** Whether a text is such lines. */
export function isAnchorLines(lines: string): boolean {
  let isEven = lines === '';
  for (let at = lines.indexOf('\n'); at >= 0; at = lines.indexOf('\n', at + 1)) isEven = !isEven;
  return isEven;
}

/** The anchors of such lines; undefined if the text has another form. */
export function anchorsOf(lines: string): Anchor[] | undefined {
  if (!isAnchorLines(lines)) return undefined;
  const all = lines === '' ? [] : lines.split('\n');
  return Array.from({ length: all.length / 2 }, (_, i) => ({ url: all[2 * i], text: all[2 * i + 1] }));
}
