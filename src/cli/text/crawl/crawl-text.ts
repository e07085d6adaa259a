import type { LiveExperiment } from '../../../machines/crawl/index.ts';
import { findingsInWords, type RunResult } from '../../../core/measure/index.ts';
import { paragraph } from '../figures.ts';
import { printable } from '../printable.ts';
import { figures } from '../run/run-figures.ts';
import { settingsSentence } from '../run/simulate-text.ts';

/** A live crawl, or the part of it that is one node's, as text for people. */
export function crawlText(
  folder: string, { run }: RunResult<LiveExperiment>, { node }: { readonly node?: number | undefined } = {},
): string {
  const ofPart = node === undefined
    ? [] : ['', paragraph(`Figures of the pages of node ${node} alone. "orbweaver cluster merge" makes those of the whole crawl.`)];
  return [
    paragraph(`${settingsSentence(run.experiment)}.`),
    ...ofPart,
    '',
    paragraph(printable(findingsInWords(run.summary, run.experiment))),
    '',
    figures(run, 'time'),
    '',
    `Record, report, graph and archives: ${printable(folder)}`,
  ].join('\n');
}
