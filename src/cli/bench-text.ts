import { countingContenders, perEntry, type Figure8Stream, type HoldCase, type QueueBenchReport } from '../bench/index.ts';
import { counted, decimal, grouped, paragraph } from './figures.ts';
import { printable } from './printable.ts';
import { headedTable } from './text-table.ts';

/** The report of `orbweaver bench queues` for people. */
export function benchText(report: QueueBenchReport): string {
  const { load } = report;
  const busiest = Math.max(load.before, load.after);
  return [
    report.machine,
    `Load ${decimal(load.before, 1)} before, ${decimal(load.after, 1)} after, on ${counted(load.cores, 'core')}` +
      (busiest > load.cores ? ': MORE THAN THE CORES. Times are worth little, counts are unharmed.' : '.'),
    report.compiler === null ? 'C++: not measured.' : `C++: ${printable(report.compiler)}.`,
    '',
    `Hold model: ns to take one entry out and put one in; median of ${counted(report.rounds, 'round')}, all sides in turn in each.`,
    ...holdTables(report.cases),
    '',
    `Figure 8: key comparisons for each entry that left, its insertion included, against R${report.figure8.length === 0 ? ': not measured' : ''}.`,
    ...report.figure8.flatMap((stream) => ['', figure8Text(stream)]),
    '',
    ...report.absent.map(({ name, reason }) => paragraph(`Absent: ${name}: ${reason}.`, '- ')),
    ...report.notes.map((note) => paragraph(note, '- ')),
  ].join('\n');
}

function holdTables(cases: readonly HoldCase[]): string[] {
  const keys = [...new Set(cases.map(({ entries, block }) => `N = ${grouped(entries)}, R = ${grouped(block)}`))];
  return keys.flatMap((key) => {
    const rows = cases.filter(({ entries, block }) => `N = ${grouped(entries)}, R = ${grouped(block)}` === key);
    const figure = (value: number | null, digits: number): string => (value === null ? '-' : decimal(value, digits));
    return [
      '',
      `  ${key}`,
      headedTable(
        ['queue', 'ns', 'min', 'max', `x ${rows[0].queue}`, 'comparisons', 'worst batch', 'first batch', 'worst ms', 'bytes'],
        rows.map((row) => [
          row.queue, decimal(row.median, 1), decimal(row.min, 1), decimal(row.max, 1),
          // The ratio is the first queue's time to this one's; people ask the reverse.
          row.ratio === undefined ? '1' : `${decimal(1 / row.ratio.median, 2)} (${decimal(1 / row.ratio.max, 2)}-${decimal(1 / row.ratio.min, 2)})`,
          figure(row.comparisonsPerElement, 1), figure(row.worstBatchComparisons, 0), figure(row.firstBatchComparisons, 0),
          decimal(row.worstBatchMs, 2), decimal(row.bytesPerEntry, 1),
        ]),
        ['left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right'],
      ),
    ];
  });
}

/** Queues of figure 8. */
const queues = countingContenders.map(({ name }) => name);

const marks: Partial<Record<string, string>> = { quickheap: 'q', cbt: 'c', 'binary-heap': 'b', 'bottom-up heap': 'u' };

/** Table, text plot and verdict of one stream. */
export function figure8Text({ stream, isSynthetic, rows }: Figure8Stream): string {
  const title = `  ${printable(stream)}${isSynthetic ? ' (synthetic)' : ''}`;
  if (rows.length === 0) return `${title}: not measured, the stream is too short for R = 16.`;
  return [
    title,
    headedTable(
      ['R', 'entries', 'left', ...queues],
      rows.map((row) => [grouped(row.r), grouped(row.inserted), grouped(row.extracted), ...queues.map((kind) => decimal(perEntry(row, kind), 2))]),
      ['right', 'right', 'right', ...queues.map((): 'right' => 'right')],
    ),
    '',
    plot(rows),
    `  ${verdict(rows)}`,
  ].join('\n');
}

/** Comparisons upwards and R to the right, both on logarithmic axes. */
function plot(rows: Figure8Stream['rows'], height = 16): string {
  const values = rows.flatMap((row) => queues.map((queue) => perEntry(row, queue))).filter((value) => value > 0);
  const top = Math.max(...values);
  const range = Math.max(top / Math.min(...values), 2);
  const column = 7;
  const cells = Array.from({ length: height }, () => new Array<string>(column * rows.length).fill(' '));
  rows.forEach((row, i) => {
    for (const queue of queues) {
      const down = Math.log(top / Math.max(perEntry(row, queue), top / range)) / Math.log(range);
      const line = cells[Math.round((height - 1) * down)];
      const at = column * i + (column >> 1);
      line[at] = line[at] === ' ' ? (marks[queue] ?? queue[0]) : '*';
    }
  });
  const label = (i: number): string => (i % 5 === 0 ? decimal(top / range ** (i / (height - 1)), 1) : '');
  return [
    ...cells.map((line, i) => `  ${label(i).padStart(6)} │${line.join('').trimEnd()}`),
    `  ${' '.repeat(6)} └${'─'.repeat(column * rows.length)}`,
    `  ${' '.repeat(8)}${rows.map(({ r }) => String(r).padStart(Math.ceil((column + String(r).length) / 2)).padEnd(column)).join('')}`.trimEnd(),
    `  ${' '.repeat(8)}${queues.map((queue) => `${marks[queue] ?? queue[0]} ${queue}`).join('   ')}   * several`,
  ].join('\n');
}

/** How QuickHeap stands to both heaps: the paper's claim is about one of them, and does not say which. */
function verdict(rows: Figure8Stream['rows']): string {
  return ['binary-heap', 'bottom-up heap'].map((heap) => {
    const above = rows.filter((row) => perEntry(row, 'quickheap') >= perEntry(row, heap));
    const shares = rows.map((row) => perEntry(row, 'quickheap') / perEntry(row, heap));
    const range = `${decimal(Math.min(...shares), 2)} to ${decimal(Math.max(...shares), 2)} times as many`;
    return above.length === 0
      ? `quickheap makes fewer comparisons than ${heap} at every R: ${range}.`
      : `quickheap makes no fewer comparisons than ${heap} at R = ${above.map(({ r }) => r).join(', ')}: ${range}.`;
  }).join('\n  ');
}
