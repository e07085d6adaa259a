import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { settle } from '../../core/engine/index.ts';
import type { ExperimentInput } from '../../core/settings/index.ts';
import type { PreparedGraph } from '../../graphs/graph/index.ts';
import { figureOf, runFigures } from '../../core/measure/figures/index.ts';
import { horizonsInWords, interval, type RunOrigin } from '../../core/measure/index.ts';
import { curvesCsv, reportHtml } from '../../views/report/index.ts';
import { InputError } from '../../base/index.ts';
import { readRegular } from '../../base/files/index.ts';
import { clock, counted, decimal, paragraph } from '../text/figures.ts';
import { completed } from '../flags/flags.ts';
import { commandLine, completeRecord, type OutFolder } from '../flags/out-folder.ts';
import { printable, printableShort } from '../text/printable.ts';
import type { FinishedRun, Runner } from './runner.ts';
import { graphLines, settingsSentence } from '../text/run/simulate-text.ts';
import { headedTable } from '../text/text-table.ts';
import { meanDigits, repeatedFigures, repeatedShown, type Intervals } from '../text/findings/repeated-shown.ts';

export interface RepeatedRuns {
  readonly results: readonly FinishedRun[];
  /** They cover the whole runs; null if there are none. A figure that a run lacks has null. */
  readonly intervals: Intervals | null;
  readonly verified: string | undefined;
}

/** Runs `input` with seeds seed ... seed+repeat-1; stops after an interrupted run, which is included. */
export async function runRepeatedly(
  runner: Runner, input: ExperimentInput, repeat: number,
  { folder, origin, verify, withPages }: {
    readonly folder: OutFolder | undefined; readonly origin: RunOrigin; readonly verify: boolean;
    readonly withPages: boolean;
  },
): Promise<RepeatedRuns> {
  const first = completed(input, runner.policies.settings).seed;
  if (!Number.isSafeInteger(first + repeat - 1))
    throw new InputError(`--repeat ${repeat}: the last seed must be at most ${Number.MAX_SAFE_INTEGER}`);
  if (folder) await checkLoss(folder, runner, input, repeat);
  const results: FinishedRun[] = [];
  let verified: string | undefined;
  for (let i = 0; i < repeat && !runner.signal.aborted; i++) {
    const seed = first + i;
    const record = await folder?.record(`seed-${seed}`, origin);
    const result = await runner.run({ ...input, seed }, { label: `run ${i + 1} of ${repeat}, `, record });
    if (verify) verified = runner.verify(result);
    if (folder) {
      const pages = withPages ? await runner.pagesCsv(result) : undefined;
      await completeRecord(folder, `seed-${seed}`, labelOf(result), result, { pages });
    }
    results.push(result);
  }
  const whole = results.filter(isWhole);
  const intervals = whole.length === 0 ? null : intervalsOf(whole);
  const runs = { results, intervals, verified };
  if (folder) {
    await folder.write('runs.json', `${JSON.stringify(repeatDocument(runs), null, 2)}\n`);
    const labelled = results.map((result) => ({ label: labelOf(result), result }));
    await folder.write('curves.csv', curvesCsv(labelled));
    await folder.write('report.html', reportHtml(labelled, {
      title: `${runner.prepared.graph.name}, ${results.length} seeds`, command: commandLine(),
      parts: intervals === null ? []
        : [{ name: 'mean', title: 'Over the seeds', shown: repeatedShown(whole, intervals) }],
    }));
  }
  return runs;
}

/** @throws InputError if the folder has a finished study that these runs do not repeat, and would replace. */
async function checkLoss(
  { path }: OutFolder, { graph, policies: { settings } }: Runner, input: ExperimentInput, repeat: number,
): Promise<void> {
  const refuse = (what: string): never => {
    throw new InputError(`--out ${printableShort(path)}: has ${what}, which would be lost; name another folder`);
  };
  const names: string[] = await readdir(path).catch(() => []);
  if (!names.includes('runs.json')) return;
  const text = String(await readRegular(join(path, 'runs.json')));
  const { runs: earlier } = JSON.parse(text) as {
    readonly runs: readonly Pick<FinishedRun['run'], 'experiment' | 'dataset'>[];
  };
  const experiment = completed(input, settings);
  const { seedPages } = graph.seeds(experiment);
  const isRepeated = ({ experiment: former, dataset }: typeof earlier[number]): boolean => {
    const { seed } = former;
    const limit = experiment.superstepLimit === 'auto' ? former.superstepLimit : experiment.superstepLimit;
    const settled = settle({ ...experiment, seed }, limit, seedPages);
    return dataset.sha256 === graph.sha256 && seed >= experiment.seed && seed < experiment.seed + repeat &&
      isDeepStrictEqual(JSON.parse(JSON.stringify(settled)), former);
  };
  const losses = earlier.filter((run) => !isRepeated(run));
  if (losses.length > 0) {
    const { policy, seed } = losses[0].experiment;
    refuse(`${counted(losses.length, 'finished run')} with other settings or seeds (${policy}, seed ${seed}, ...)`);
  }
}

function isWhole({ run }: FinishedRun): boolean {
  return run.summary.ended !== 'interrupted';
}

function labelOf({ run }: FinishedRun): string {
  return `seed ${run.experiment.seed}`;
}

function intervalsOf(results: readonly FinishedRun[]): Intervals {
  const entries = repeatedFigures.map((name) => {
    const values = results.map(({ run }) => figureOf(run.summary, name)).filter((value) => value !== null);
    return [name, values.length < results.length ? null : interval(values)] as const;
  });
  return Object.fromEntries(entries) as Intervals;
}

export function repeatDocument({ results, intervals, verified }: RepeatedRuns): unknown {
  return { version: results[0].run.version, runs: results.map(({ run }) => run), intervals, verified };
}

function columnOf(name: keyof Intervals): string {
  const { short, form } = runFigures[name];
  return form === 'seconds' ? `${short}, s` : short;
}

export function repeatText(
  prepared: PreparedGraph, { results, intervals, verified }: RepeatedRuns, namedSeeds: readonly number[] | undefined,
  out: string | undefined,
): string {
  const { experiment } = results[0].run;
  const whole = results.filter(isWhole).length;
  const row = (label: string, valueOf: (name: keyof Intervals) => number | null, none = 'none'): string[] => [
    label, ...repeatedFigures.map((name) => {
      const value = valueOf(name);
      return value === null ? none : decimal(value, meanDigits(name));
    }),
  ];
  const rows = results.map(({ run }) =>
    row(`${run.experiment.seed}${run.summary.ended === 'interrupted' ? ' (interrupted)' : ''}`, (name) =>
      figureOf(run.summary, name)));
  if (intervals !== null) {
    rows.push(
      row('mean', (name) => intervals[name]?.mean ?? null),
      row('95 % from', (name) => intervals[name]?.low ?? null, '-'),
      row('95 % to', (name) => intervals[name]?.high ?? null, '-'),
    );
  }
  const mean = intervals?.virtualSeconds?.mean;
  const horizons = horizonsInWords(results.filter(isWhole).map(({ run }) => run.summary.quality.horizonPages));
  return [
    ...graphLines(prepared, namedSeeds),
    paragraph(`${settingsSentence(experiment)} and following.`),
    '',
    headedTable(
      ['seed', ...repeatedFigures.map(columnOf)], rows, ['left', ...repeatedFigures.map(() => 'right' as const)],
    ),
    '',
    paragraph(
      'Each seed draws another network (and, for policy random, another order). ' +
        `Intervals: Student's t over ${counted(whole, 'whole run')}` +
        (mean === undefined ? '.' : `; mean virtual time ${clock(mean)}.`),
    ),
    ...(horizons === undefined ? [] : [paragraph(horizons)]),
    ...(verified === undefined ? [] : [verified]),
    ...(out === undefined ? [] : [`Records and report: ${printable(out)}`]),
  ].join('\n');
}
