import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { studiesFolder } from '../../graphs/catalogue/index.ts';
import { fitNetwork } from '../../core/engine/index.ts';
import {
  analyse, answerShown, Grid, narrowTable, readStudy, resultsCsv, resultsParquet, runStudy, shardOf, studyJsonSchema,
  studyCurvesCsv, studyParts, studyReport, studySentence, withPolicies, type Shard, type Study, type StudyOptions,
  type StudyProgress, type StudyResult,
} from '../../questions/study/index.ts';
import { prepare, type PreparedGraph } from '../../graphs/graph/index.ts';
import { shownHtml } from '../../views/report/index.ts';
import type { JobProgress } from '../../views/watch/index.ts';
import { InputError } from '../../base/index.ts';
import { isPolicyFile } from '../../core/policy/index.ts';
import { judgingOf } from '../answers/compared/effectiveness.ts';
import {
  checkJudging, judgedColumns, judgedDocument, judgedParts, judgedStudy, judgedTables, type JudgedStudy,
} from '../answers/compared/judged-study.ts';
import { judgingWords, type JudgingFlags } from '../answers/compared/judging-flags.ts';
import { clock, counted, grouped, paragraph, percent } from '../text/figures.ts';
import { ownFlags, type OutFlags } from '../flags/flags.ts';
import { interruptSignal } from '../interrupt.ts';
import { runJob, withCrew, type JobEnd } from '../jobs/run-job.ts';
import { StudyBoard } from '../jobs/boards.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { loadPolicies } from '../flags/policies.ts';
import { checkWorkersFlags, crewInWords, type WorkersFlags } from '../jobs/workers.ts';
import { shellWord, type OutFolder } from '../flags/out-folder.ts';
import { print, remarkInterrupted, tellInterrupted } from '../text/output.ts';
import { printable, printableShort } from '../text/printable.ts';
import { shareDone } from '../text/progress.ts';
import { scoresFrom } from '../answers/rank-algorithms.ts';
import { shownText } from '../text/shown-text.ts';
import type { WatchingJob } from '../watched.ts';

const own = z.object({ threads: z.int().min(1).max(1024).default(availableParallelism()) });

interface Flags extends OutFlags, JudgingFlags, WorkersFlags {
  readonly graph?: string;
  readonly policy?: readonly string[];
  readonly cache?: string;
  readonly watch?: true;
  readonly schema?: true;
  readonly shard?: string;
}

export async function runStudyCommand(file: string | undefined, flags: Flags): Promise<void> {
  if (flags.schema === true) {
    print(true, studyJsonSchema, () => '');
    return;
  }
  if (file === undefined) throw new InputError('a study file is missing; see orbweaver study --help');
  const { threads } = ownFlags(own, flags);
  const shard = shardFrom(flags);
  checkWorkersFlags(flags);
  const judging = judgingOf(flags);
  const ofFile = await readStudy(file, (files) => loadPolicies(files.map((path) => ({ file: path }))));
  const study = await alsoComparing({ ...ofFile, graph: flags.graph ?? ofFile.graph }, flags.policy);
  // Before the graph is read, so that a study that is too large is rejected at once.
  const { count } = new Grid(study);
  const signal = interruptSignal();
  const job = { kind: 'study', name: study.title ?? study.graph, folder: flags.out, signal } as const;
  await runJob(flags.watch === true, job, 'study.json', async (watching, folder): Promise<JobEnd> => {
    const graph = prepare(await namedGraph(study.graph));
    if (judging !== undefined) await checkJudging(judging, study, graph.graph);
    const scores = study.scores === undefined
      ? undefined : { file: study.scores, values: (await scoresFrom(study.scores, graph.graph)).scores };
    const fitted = study.network === undefined ? undefined : await fitNetwork(study.network);
    const board = new StudyBoard(study);
    const result = await ran(graph, study, board, watching, flags, {
      cache: flags.cache ?? studiesFolder(), scores, fitted, workers: threads, shard,
      withOrders: judging !== undefined,
    });
    const finished = result.outcomes.length;
    const isWhole = finished === result.runs;
    if (shard !== undefined) return { isWhole, printAnswer: () => { tellShare(result, shard, count, flags.json); } };
    if (finished === 0) {
      const text = `interrupted before the first of ${counted(count, 'run')} was finished; nothing is saved`;
      return { isWhole, isEmpty: true, printAnswer: () => { remarkInterrupted(text); } };
    }
    const analysis = analyse(result);
    board.finish(answerShown(analysis).paragraphs[0]);
    const judged = await judgedStudy(judging, graph, result, analysis);
    if (folder) await writeStudy(folder, file, flags, judged);
    const printAnswer = (): void => {
      print(flags.json, () => judgedDocument(judged), () => studyText(judged, flags.out));
      const count = `${grouped(finished)} of ${counted(result.runs, 'run')}`;
      if (!isWhole) tellInterrupted(`after ${count}, which are in the cache`, folder);
    };
    return { isWhole, printAnswer };
  });
}

/** Adds the policies of `--policy`; files are run as code. */
async function alsoComparing(study: Study, policyNames: readonly string[] = []): Promise<Study> {
  if (policyNames.length === 0) return study;
  const policies = [...new Set(policyNames)];
  const files = policies.filter(isPolicyFile).filter((file) => study.policies.factsOf(file) === undefined);
  const loaded = await loadPolicies(files.map((file) => ({ file })));
  try {
    return withPolicies(study, policies, loaded);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--policy: ${printableShort(error.message, 400)}`) : error;
  }
}

function shardFrom({ shard, out, workers }: Flags): Shard | undefined {
  if (shard === undefined) return undefined;
  if (workers !== undefined) throw new InputError('--shard: the workers of --workers share the runs by themselves');
  if (out !== undefined) {
    throw new InputError(
      '--out: a share is not analysed; when all shares are finished, run the study with --out and without --shard',
    );
  }
  try {
    return shardOf(shard);
  } catch (error) {
    throw error instanceof InputError ? new InputError(`--shard ${printable(shard)}: ${error.message}`) : error;
  }
}

function tellShare(
  { runs, outcomes: { length: finished }, cached }: StudyResult, { index, of }: Shard, count: number,
  json: true | undefined,
): void {
  print(json, () => ({ share: index, shares: of, runs, finished, cached }), () =>
    `Share ${index} of ${of}: ${grouped(finished)} of ${counted(runs, 'run')} are in the cache, ` +
      `${grouped(cached)} of them from before. The study has ${counted(count, 'run')}.`);
  if (finished < runs)
    remarkInterrupted('interrupted before the share was finished; its finished runs are in the cache: run the same command to go on');
}

function ran(
  graph: PreparedGraph, study: Study, board: StudyBoard, watching: WatchingJob, flags: Flags, options: StudyOptions,
): Promise<StudyResult> {
  const { watch, signal } = watching;
  const progressOf = estimate();
  if (watch !== undefined) watch.board = board.board;
  return withCrew(flags, watching, ({ line, onRemark, workers }) => runStudy(graph, study, {
    ...options, signal, onRemark, runner: workers?.runner,
    onProgress: (latest) => {
      const progress = progressOf(latest);
      const where = workers === undefined ? counted(options.workers!, 'thread') : crewInWords(workers.crew);
      line.show(() => progressText(progress, latest, where));
      board.hear(latest);
      watch?.progress(progress);
    },
  }));
}

async function writeStudy(folder: OutFolder, file: string, flags: Flags, judged: JudgedStudy): Promise<void> {
  const columns = judgedColumns(judged);
  await folder.write('results.csv', resultsCsv(columns));
  await folder.write('results.parquet', await resultsParquet(columns));
  await folder.write('curves.csv', studyCurvesCsv(judged.analysis));
  await folder.write('study.json', `${JSON.stringify(judgedDocument(judged), null, 2)}\n`);
  for (const [name, text] of judgedTables(judged.effectiveness)) await folder.write(name, text);
  // Without the flags for the output and the threads, which do not matter to reproduce it.
  const words = [
    ...(flags.graph === undefined ? [] : ['--graph', flags.graph]),
    ...(flags.policy ?? []).flatMap((policy) => ['--policy', policy]), ...judgingWords(flags),
  ];
  const command = ['orbweaver study', shellWord(file), ...words.map(shellWord)].join(' ');
  const report = studyReport(judged.result, judged.analysis, command);
  await folder.write('report.html', shownHtml({ ...report, parts: judgedParts(report.parts, judged) }));
}

const lookingUp = 'looking for finished runs';

/** How far a study is: runs found in the cache, runs finished, and the time left at the present rate. */
function estimate(): (done: StudyProgress) => JobProgress {
  let startedMs: number | undefined;
  return ({ runs, lookedUp, cached, run }) => {
    if (lookedUp < runs)
      return { doing: lookingUp, done: lookedUp, asked: runs, cached, share: null, secondsLeft: null };
    startedMs ??= performance.now();
    const missing = runs - cached;
    return { doing: 'runs', done: run, asked: missing, cached, ...shareDone(run, Math.max(1, missing), startedMs) };
  };
}

function progressText(
  { doing, done, asked, cached, share, secondsLeft }: JobProgress, { runs }: StudyProgress, where: string,
): string {
  if (doing === lookingUp) return `${doing}: ${grouped(done)} of ${grouped(runs)}, ${grouped(cached)} found`;
  const rest = secondsLeft === null ? '' : `, ${clock(secondsLeft)} left`;
  return `${grouped(done)} of ${counted(asked, 'run')} (${percent(share)}) on ${where}, ` +
    `${grouped(cached)} from the cache${rest}`;
}

function studyText(judged: JudgedStudy, out: string | undefined): string {
  const { result, analysis } = judged;
  const parts = studyParts(analysis)
    .filter(({ name }) => name === 'answer' || name === 'effects')
    .map((part) => (part.name === 'effects' ? part : {
      ...part, shown: { ...part.shown, tables: [...part.shown.tables.slice(0, -1), narrowTable(analysis)] },
    }));
  return [
    ...(result.dataset.hostsAreSynthetic ? ['The hosts of this graph are synthetic, and so is everything that depends on them.'] : []),
    paragraph(printable(studySentence(result))),
    ...judgedParts(parts, judged).flatMap(shownText),
    '',
    `${counted(result.cached, 'run')} of ${grouped(result.outcomes.length)} from the cache.`,
    ...(out === undefined ? [] : [`Results and report: ${printable(out)}`]),
  ].join('\n');
}
