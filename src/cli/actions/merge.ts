import { mergeCrawls } from '../../machines/cluster/merge/index.ts';
import { findingsInWords, recordFiles } from '../../core/measure/index.ts';
import { curvesCsv, reportHtml } from '../../views/report/index.ts';
import { commandLine, filled } from '../flags/out-folder.ts';
import type { RawFlags } from '../flags/flags.ts';
import { counted, paragraph } from '../text/figures.ts';
import { print, remark } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { figures } from '../text/run/run-figures.ts';
import { settingsSentence } from '../text/run/simulate-text.ts';

interface Flags extends RawFlags {
  readonly json?: true;
}

export async function runMerge(out: string, paths: readonly string[], flags: Flags): Promise<void> {
  const merged = await filled(out, 'run.json', async (folder) => {
    const crawl = await mergeCrawls(paths, folder!.partial);
    const { result, pagesCsv } = crawl;
    await folder!.write('pages.csv', pagesCsv);
    for (const [name, content] of recordFiles(result)) await folder!.write(name, content);
    const label = `${printable(out)}, ${result.run.experiment.policy}`;
    await folder!.write('report.html', reportHtml([{ label, result }], { title: label, command: commandLine() }));
    await folder!.write('curves.csv', curvesCsv([{ label, result }]));
    return crawl;
  });
  const { result: { run }, nodes, pagesBeyondRecord } = merged;
  print(flags.json, () => run, () => [
    paragraph(`${settingsSentence(run.experiment)}.`), '',
    paragraph(printable(findingsInWords(run.summary, run.experiment))), '',
    figures(run, 'time'), '',
    `Graph, record and report of ${counted(nodes, 'node')}: ${printable(out)}`,
  ].join('\n'));
  if (pagesBeyondRecord === 0) return;
  remark(
    `sessions that were killed stored ${counted(pagesBeyondRecord, 'more page')} than the records show: the graph has ` +
      'their links',
  );
}
