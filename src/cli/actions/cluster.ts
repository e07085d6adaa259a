import { clusterStatus } from '../../machines/cluster/index.ts';
import { shownRedis } from '../../machines/cluster/redis-url.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { clusterText } from '../text/cluster-text.ts';
import { print, remark } from '../text/output.ts';
import { mergeCrawls } from '../../machines/cluster/merge/index.ts';
import { findingsInWords, recordFiles } from '../../core/measure/index.ts';
import { curvesCsv, reportHtml } from '../../views/report/index.ts';
import { commandLine, filled } from '../flags/out-folder.ts';
import { counted, paragraph } from '../text/figures.ts';
import { printable } from '../text/printable.ts';
import { figures } from '../text/run/run-figures.ts';
import { settingsSentence } from '../text/run/simulate-text.ts';
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { runWorker } from '../../machines/cluster/studies/index.ts';
import { graphStoreOf } from '../jobs/workers.ts';
import { interruptSignal } from '../interrupt.ts';

interface Flags extends RawFlags {
  readonly graphs?: string;
  readonly json?: true;
}

export async function runClusterStatus(url: string, flags: Flags): Promise<void> {
  const crawls = await clusterStatus(url);
  const redis = shownRedis(url);
  print(flags.json, () => ({ redis, crawls }), () => crawls.map((crawl) => clusterText(crawl, redis)).join('\n\n'));
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

const own = z.object({
  threads: z.int().min(1).max(1024).default(availableParallelism()),
  lostAfterSeconds: z.number().min(1).max(3600).default(30),
});

export async function runWorkerCommand(url: string, flags: Flags): Promise<void> {
  const { threads, lostAfterSeconds } = ownFlags(own, flags);
  const address = shownRedis(url);
  const graphs = graphStoreOf(flags.graphs);
  const finished = await runWorker(url, {
    threads, lostAfterMs: 1000 * lostAfterSeconds, graphs, signal: interruptSignal(),
    onRemark: (text) => remark(`worker: ${printable(text)}`),
    onReady: (version) => remark(
      `worker: takes runs of version ${version} from ${printable(address)}, ${threads} at once; ` +
      `graphs from ${printable(graphs.url ?? graphs.folder)}`,
    ),
  });
  remark(`worker: ended after ${counted(finished, 'run')}`);
}
