import type { QueueBenchReport } from '../../../questions/bench/index.ts';
import { counted, decimal, paragraph } from '../figures.ts';
import { printable } from '../printable.ts';
import { shownText } from '../shown-text.ts';

/** The report of `orbweaver bench queues` for people: everything but the charts. */
export function benchText(report: QueueBenchReport): string {
  return [
    ...[circumstances(report), overload(report)]
      .filter((text) => text !== null)
      .map((text) => paragraph(printable(text))),
    ...Object.values(report.parts).flatMap(shownText),
    '',
    ...absentParts(report).map((note) => paragraph(note, '- ')),
    ...report.notes.map((note) => paragraph(printable(note), '- ')),
  ].join('\n');
}

export function circumstances(report: QueueBenchReport): string {
  return `${loadText(report)} ${counted(report.rounds, 'measured round')}, seed ${report.seed}.`;
}

type Loaded = Pick<QueueBenchReport, 'machine' | 'load'>;

export function loadText({ machine, load }: Loaded): string {
  const [before, after] = [load.before, load.after].map((busy) => decimal(busy, 1));
  return `${machine}. Load ${before} before, ${after} after, on ${counted(load.cores, 'core')}.`;
}

export function overload({ load }: Pick<Loaded, 'load'>): string | null {
  return Math.max(load.before, load.after) <= load.cores ? null
    : 'The machine was overloaded: times mean little, counts are correct.';
}

export function absentParts({ absent }: QueueBenchReport): string[] {
  return absent.map(({ name, reason }) => `Not measured: ${name}: ${reason}.`);
}
