import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { studiesFolder } from '../../catalogue/index.ts';
import { fitNetwork } from '../../engine/index.ts';
import {
  analyse, Grid, narrowTable, readStudy, resultColumns, resultsCsv, resultsParquet, runStudy, studyDocument,
  studyJsonSchema, studyParts, studyReport, studySentence, type Analysis, type StudyProgress, type StudyResult,
} from '../../study/index.ts';
import { shownHtml } from '../../report/index.ts';
import { InputError } from '../../base/index.ts';
import { clock, counted, grouped, paragraph, percent } from '../text/figures.ts';
import { ownFlags, type RawFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { loadPolicies } from '../flags/policies.ts';
import { filled, openOutFolder, shellWord, type OutFolder } from '../flags/out-folder.ts';
import { print, remark, tellInterrupted } from '../text/output.ts';
import { printable } from '../text/printable.ts';
import { ProgressLine } from '../text/progress.ts';
import { scoresFrom } from '../answers/rank-algorithms.ts';
import { shownText } from '../text/shown-text.ts';

const own = z.object({ threads: z.int().min(1).max(1024).default(availableParallelism()) });

interface Flags extends RawFlags {
  readonly graph?: string;
  readonly cache?: string;
  readonly out?: string;
  readonly json?: true;
  readonly schema?: true;
}

/** What `orbweaver study` does. */
export async function runStudyCommand(file: string | undefined, flags: Flags): Promise<void> {
  if (flags.schema === true) {
    print(true, studyJsonSchema, () => '');
    return;
  }
  if (file === undefined) throw new InputError('a study file is missing; see orbweaver study --help');
  const { threads } = ownFlags(own, flags);
  const written = await readStudy(file, (files) => loadPolicies(files.map((one) => ({ file: one }))));
  const study = { ...written, graph: flags.graph ?? written.graph };
  // Before the graph is read, so that a study that is too large is rejected at once.
  const { count } = new Grid(study);
  const signal = interruptSignal();
  const folder = flags.out === undefined ? undefined : await openOutFolder(flags.out, 'study.json');
  const finish = await filled(folder, async () => {
    const graph = await namedGraph(study.graph);
    const scores =
      study.scores === undefined
        ? undefined
        : { file: study.scores, values: (await scoresFrom(study.scores, graph)).scores };
    const fitted = study.network === undefined ? undefined : await fitNetwork(study.network);
    const line = new ProgressLine();
    const progressText = estimate();
    let result: StudyResult;
    try {
      result = await runStudy(graph, study, {
        cache: flags.cache ?? studiesFolder(), scores, fitted, workers: threads, signal,
        onProgress: (progress) => {
          const text = progressText(progress, threads);
          line.show(() => text);
        },
        onRemark: (text) => {
          line.clear();
          remark(`warning: ${printable(text)}`);
        },
      });
    } finally {
      line.clear();
    }
    if (result.outcomes.length === 0)
      return () => {
        tellInterrupted(`before the first of ${counted(count, 'run')} was finished`, undefined);
      };
    const analysis = analyse(result);
    if (folder) await writeStudy(folder, file, flags, { result, analysis });
    return () => {
      print(flags.json, () => studyDocument(result, analysis), () => studyText(result, analysis, flags.out));
      if (result.outcomes.length < result.runs)
        tellInterrupted(
          `after ${grouped(result.outcomes.length)} of ${counted(result.runs, 'run')}, which are in the cache`,
          folder,
        );
    };
  });
  finish();
}

async function writeStudy(
  folder: OutFolder, file: string, flags: Flags,
  { result, analysis }: { readonly result: StudyResult; readonly analysis: Analysis },
): Promise<void> {
  const columns = resultColumns(result);
  await folder.write('results.csv', resultsCsv(columns));
  await folder.write('results.parquet', await resultsParquet(columns));
  await folder.write('study.json', `${JSON.stringify(studyDocument(result, analysis), null, 2)}\n`);
  // Without the flags for the output and the threads, which do not matter to reproduce it.
  const graphWords = flags.graph === undefined ? '' : ` --graph ${shellWord(flags.graph)}`;
  const command = `orbweaver study ${shellWord(file)}${graphWords}`;
  await folder.write('report.html', shownHtml(studyReport(result, analysis, command)));
}

/** The progress line: runs found in the cache, runs finished, and the time left at the present rate. */
function estimate(): (progress: StudyProgress, threads: number) => string {
  let startedMs: number | undefined;
  return ({ runs, lookedUp, cached, run }, threads) => {
    if (lookedUp < runs)
      return `looking for finished runs: ${grouped(lookedUp)} of ${grouped(runs)}, ${grouped(cached)} found`;
    startedMs ??= performance.now();
    const left = runs - cached - run;
    const rest = run === 0 ? '' : `, ${clock(((performance.now() - startedMs) / 1000 / run) * left)} left`;
    return (
      `${grouped(run)} of ${counted(runs - cached, 'run')} (${percent(run / Math.max(1, runs - cached))}) on ${counted(threads, 'thread')}, ` +
      `${grouped(cached)} from the cache${rest}`
    );
  };
}

function studyText(result: StudyResult, analysis: Analysis, out: string | undefined): string {
  const parts = studyParts(analysis)
    .filter(({ name }) => name === 'answer' || name === 'effects')
    .map(({ name, title, shown }) => ({
      title,
      shown: name === 'effects' ? shown : { ...shown, tables: [...shown.tables.slice(0, -1), narrowTable(analysis)] },
    }));
  return [
    ...(result.dataset.hostsAreSynthetic ? ['The hosts of this graph are synthetic, and so is everything that depends on them.'] : []),
    paragraph(printable(studySentence(result))),
    ...parts.flatMap(shownText),
    '',
    `${counted(result.cached, 'run')} of ${grouped(result.outcomes.length)} from the cache.`,
    ...(out === undefined ? [] : [`Results and report: ${printable(out)}`]),
  ].join('\n');
}
