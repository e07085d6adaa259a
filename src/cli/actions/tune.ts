import { basename, resolve } from 'node:path';
import * as z from 'zod';
import {
  tune, tuneTimed, type SweepRow, type TimedGoal, type TimedRow, type TuneOptions, type TuneResult,
} from '../../core/engine/index.ts';
import type { ExperimentInput } from '../../core/settings/index.ts';
import { prepare, type PreparedGraph } from '../../graphs/graph/index.ts';
import { shownHtml } from '../../views/report/index.ts';
import type { JobWatch } from '../../views/watch/index.ts';
import { InputError } from '../../base/index.ts';
import { counted, decimal, grouped, paragraph } from '../text/figures.ts';
import { configSchemaText, configText } from '../flags/config.ts';
import { fittedExperiment, readConfigFor } from '../flags/crawl-folder.ts';
import { completed, ownFlags, type ConfigFlags, type OutFlags } from '../flags/flags.ts';
import { tableProcessors } from '../help/lists.ts';
import { interruptSignal } from '../interrupt.ts';
import { runJob } from '../jobs/run-job.ts';
import { tuneFlagsSchema } from '../jobs/job-flags.ts';
import { TuneBoard } from '../jobs/boards.ts';
import { namedGraph } from '../flags/named-graph.ts';
import { commandLine } from '../flags/out-folder.ts';
import { print, printText, remark, storedLines, tellInterrupted } from '../text/output.ts';
import { shareAndTimeLeft, shareDone, withProgress, type ProgressLine } from '../text/progress.ts';
import { seedPagesOf } from '../flags/seed-pages.ts';
import { graphLines } from '../text/run/simulate-text.ts';
import { headedTable } from '../text/text-table.ts';
import { answer as timedAnswer, staleAnswer, staleShown, timedShown, timedText } from '../text/findings/tune-shown.ts';
import { plotSvg, plotText } from '../text/tune-plot.ts';

const own = z.object({ ...tuneFlagsSchema.shape, threads: z.int().min(1).max(1024).optional() });

interface Flags extends ConfigFlags, OutFlags {
  readonly seedPage?: readonly string[];
  readonly table?: true;
  readonly watch?: true;
}

export async function runTune(name: string, flags: Flags): Promise<void> {
  const { config, policies: { settings, added: policies }, crawled } = await readConfigFor(name, flags);
  const { experiment, fitted } = await fittedExperiment(flags, config, settings, crawled && name);
  const { for: goal, epsilon, threads } = ownFlags(own, flags);
  if (flags.printSchema === true || flags.printConfig === true) {
    printText(flags.printSchema === true ? configSchemaText(settings) : await configText(experiment, settings));
    return;
  }
  const { processors, maxSeconds } = completed(experiment, settings);
  if (goal === 'rank' && maxSeconds === undefined) throw new InputError('--for rank needs --max-seconds');
  if (goal !== 'stale' && flags['epsilon'] !== undefined) remark(`--epsilon has no effect with --for ${goal}`);
  const title = crawled && basename(resolve(name));
  const job = { kind: 'tune', name: title ?? name, folder: flags.out, signal: interruptSignal() } as const;
  await runJob(flags.watch === true, job, 'tune.json', ({ watch, signal }, folder) => withProgress(async (line) => {
    const graph = await namedGraph(crawled?.graph ?? name, title);
    const prepared = prepare(graph);
    const seedPages = seedPagesOf(graph, flags.seedPage);
    const input: ExperimentInput = { ...experiment, ...(seedPages && { seedPages }) };
    const counts = flags.table === true ? [...new Set([processors, ...tableProcessors])] : [processors];
    line.show(() => `${graph.name}: PageRank, and what all trials share`);
    const board = new TuneBoard(goal, epsilon, processors);
    const onProgress = heardBy(board, line, watch);
    const options = { epsilon, threads, signal, policies, fit: fitted?.fit, onProgress };
    const tuned = { prepared, input, counts, seedPages, flags, options };
    const { document, svg, text, trials, shown } =
      goal === 'stale' ? await tunedStale(tuned) : await tunedTimed(tuned, goal);
    board.finish(document.superstepLimit, document.answer);
    await folder?.write('tune.json', `${JSON.stringify(document, null, 2)}\n`);
    if (svg !== undefined) await folder?.write('tune.svg', svg);
    await folder?.write('report.html', shownHtml({
      title: `R_x for ${graph.name}`, circumstances: graphLines(prepared, seedPages), warning: null,
      command: commandLine(), parts: [{ name: 'answer', title: 'The answer', shown }], notes: [],
    }));
    const printAnswer = (): void => {
      print(flags.json, () => document, text);
      if (signal.aborted) tellInterrupted(`after ${counted(trials, 'trial')}, too few to find R_x`, folder);
    };
    return { isWhole: !signal.aborted, printAnswer };
  }));
}

function heardBy(board: TuneBoard, line: ProgressLine, watch: JobWatch | undefined): Tuned['options']['onProgress'] {
  const sinceMs = performance.now();
  if (watch !== undefined) watch.board = board.board;
  return (count, expected, trial) => {
    line.show(() => `trial ${count} of about ${Math.round(expected)}: ${shareAndTimeLeft(count, expected, sinceMs)}`);
    board.hear(trial);
    watch?.progress({
      doing: 'trials', done: count, asked: Math.round(expected), cached: 0, ...shareDone(count, expected, sinceMs),
    });
  };
}

interface Tuned {
  readonly prepared: PreparedGraph;
  readonly input: ExperimentInput;
  readonly counts: readonly number[];
  readonly seedPages: readonly number[] | undefined;
  readonly flags: Flags;
  readonly options: TuneOptions<SweepRow | TimedRow>;
}

/** Results of those numbers of processors that the table has. */
const inTable = <T extends { readonly processors: number }>(results: readonly T[]): T[] =>
  tableProcessors.flatMap((count) => results.filter((result) => result.processors === count));

async function tunedStale({ prepared, input, counts, seedPages, flags, options }: Tuned) {
  const results = await tune(prepared, input, counts, options);
  const table = flags.table === true ? inTable(results) : undefined;
  return {
    document: {
      ...results[0], answer: staleAnswer(results[0]), reason: results[0].reason ?? null, table: table?.map(tableRow),
    },
    svg: plotSvg(results[0]), shown: staleShown(results[0], table),
    text: () => tuneText(prepared, results[0], table, seedPages, flags.out),
    trials: results[0].sweep.length,
  };
}

async function tunedTimed({ prepared, input, counts, seedPages, flags, options }: Tuned, goal: TimedGoal) {
  const results = await tuneTimed(prepared, input, counts, goal, options);
  const table = flags.table === true ? inTable(results) : undefined;
  return {
    document: { ...results[0], answer: timedAnswer(results[0]), table }, svg: undefined,
    shown: timedShown(results[0], table),
    text: () => [
      ...graphLines(prepared, seedPages), '', timedText(results[0], table),
      ...storedLines('Sweep and report', flags.out),
    ].join('\n'),
    trials: results[0].sweep.length,
  };
}

interface TableRow {
  readonly processors: number;
  readonly superstepLimit: number | null;
  readonly stale: number | null;
  readonly supersteps: number | null;
  readonly pairs: number | null;
}

function tableRow({ processors, superstepLimit, sweep }: TuneResult): TableRow {
  const row = sweep.find(({ r }) => r === superstepLimit);
  return {
    processors, superstepLimit, stale: row?.stale ?? null, supersteps: row?.supersteps ?? null,
    pairs: row?.pairs ?? null,
  };
}

function tuneText(
  prepared: PreparedGraph, result: TuneResult, table: readonly TuneResult[] | undefined,
  namedSeeds: readonly number[] | undefined, out: string | undefined,
): string {
  const { sweep, superstepLimit } = result;
  const rows = sweep.map((row) => [
    row.r === superstepLimit ? '>' : '', grouped(row.r), decimal(row.stale, 4), decimal(row.prefix, 4),
    decimal(row.state, 4), decimal(row.area, 4), grouped(row.supersteps), grouped(row.pairs), decimal(row.balance, 3),
    row.r === superstepLimit ? '< R_x' : '',
  ]);
  return [
    ...graphLines(prepared, namedSeeds),
    '',
    paragraph(staleAnswer(result)),
    '',
    headedTable(['', 'r', 'stale', 'prefix', 'state', 'area', 'supersteps', 'pairs', 'balance', ''], rows, [
      'left', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'right', 'left',
    ]),
    '',
    plotText(result),
    ...(table === undefined ? [] : ['', tableText(table)]),
    ...storedLines('Sweep, drawing and report', out),
  ].join('\n');
}

function tableText(results: readonly TuneResult[]): string {
  const figure = (value: number | null, text: (value: number) => string): string =>
    value === null ? '-' : text(value);
  return headedTable(
    ['processors', 'R_x', 'stale', 'supersteps', 'pairs'],
    results.map(tableRow).map(({ processors, superstepLimit, stale, supersteps, pairs }) => [
      grouped(processors), figure(superstepLimit, grouped), figure(stale, (value) => decimal(value, 4)),
      figure(supersteps, grouped), figure(pairs, grouped),
    ]),
    ['right', 'right', 'right', 'right', 'right'],
  );
}
