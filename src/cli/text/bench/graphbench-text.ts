import {
  answerOf, graphbenchShown, type GraphbenchCase, type GraphbenchReport,
} from '../../../questions/bench/index.ts';
import { shownHtml } from '../../../views/report/index.ts';
import { counted, paragraph } from '../figures.ts';
import { printable } from '../printable.ts';
import { shownText } from '../shown-text.ts';
import { loadText, overload, tableCsv } from './bench-text.ts';

/** The report of `orbweaver bench graphs` for people; its first line is the answer. */
export function graphbenchText(report: GraphbenchReport): string {
  return [
    paragraph(printable(answerOf(report))),
    '',
    ...[circumstances(report), overload(report)]
      .filter((text) => text !== null)
      .map((text) => paragraph(printable(text))),
    ...graphbenchShown(report).flatMap(shownText),
    ...report.cases.flatMap(matrixText),
    '',
    ...notesOf(report).map((note) => paragraph(printable(note), '- ')),
  ].join('\n');
}

export function graphbenchTables(report: GraphbenchReport): [name: string, content: string][] {
  return graphbenchShown(report).flatMap(({ shown }) =>
    shown.tables.map((table): [string, string] => [`${table.name}.csv`, tableCsv(table)]));
}

export function graphbenchHtml(report: GraphbenchReport, command: string): string {
  return shownHtml({
    title: 'Graphs that grow, measured',
    circumstances: [answerOf(report), circumstances(report)],
    warning: overload(report),
    command,
    parts: graphbenchShown(report),
    notes: notesOf(report),
  });
}

function circumstances({ machine, load, trials, timeoutSeconds, threshold }: GraphbenchReport): string {
  return `${loadText({ machine, load })} ${counted(trials, 'trial')} after one run that warms up, ${timeoutSeconds} s ` +
    `at most for all of them; batch algorithms compute after ${counted(threshold, 'arc')}.`;
}

function notesOf({ notMeasured, notes, graphs }: GraphbenchReport): string[] {
  return [
    ...(notMeasured.length === 0 ? [] : [`Not measured, because of the interruption: ${notMeasured.join('; ')}.`]),
    ...(graphs.some(({ isSynthetic }) => isSynthetic)
      ? ['Synthetic graphs are drawn or built by us: the sanity and road graphs share nothing with SPAWC\'s but their counts.']
      : []),
    'Memory is the structure in the end, after a garbage collection; of what timed out, the structure before its first arc.',
    'Times travel badly between machines and hours, ratios better.',
    ...notes,
  ];
}

function matrixText({ name, matrix, components }: GraphbenchCase): string[] {
  if (matrix === undefined && components === undefined) return [];
  const rows = matrix ?? [components!];
  const cells = rows.map((row) => row.map((value) => (value === null ? '.' : String(value))));
  const width = Math.max(0, ...cells.flat().map((cell) => cell.length));
  return [
    '', printable(`${name}, ${matrix === undefined ? 'the lowest page of each page\'s component' : 'distances, a row per source, "." without a path'}`),
    ...cells.map((row) => `  ${row.map((cell) => cell.padStart(width)).join(' ')}`),
  ];
}
