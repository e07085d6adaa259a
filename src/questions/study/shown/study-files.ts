import { recordOf } from '../../../core/settings/index.ts';
import { figures, flattened, type Cell } from '../figures.ts';
import { meanCurve, type Analysis } from '../analysis.ts';
import type { StudyResult } from '../run/run-study.ts';
import { answerShown } from './answer.ts';

/** Columns of the results, each with a value a run. */
export interface ResultColumn {
  readonly name: string;
  readonly values: readonly Cell[];
}

/**
 * One row a finished run: its axes, seed and replay hash, and every figure of its summary by its dotted name, units
 * included.
 */
export function resultColumns({ study: { axes }, outcomes }: Pick<StudyResult, 'study' | 'outcomes'>): ResultColumn[] {
  const columns = new Map<string, Cell[]>();
  const set = (name: string, row: number, value: Cell): void => {
    let column = columns.get(name);
    if (column === undefined) columns.set(name, (column = new Array<Cell>(outcomes.length).fill(null)));
    column[row] = value;
  };
  outcomes.forEach(({ at, seed, key, replayHash, summary }, row) => {
    axes.forEach(({ name, values }, axis) => {
      const value = values[at[axis]];
      set(name, row, typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value));
    });
    set('seed', row, seed);
    set('replayHash', row, replayHash);
    set('key', row, key);
    for (const [name, value] of flattened(summary)) set(name, row, value);
  });
  return [...columns].map(([name, values]) => ({ name, values }));
}

/**
 * Comma-separated values with all digits. Texts are quoted if necessary, unknown values are
 * empty.
 */
export function resultsCsv(columns: readonly ResultColumn[]): string {
  const cell = (value: Cell): string =>
    typeof value === 'string' && /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : String(value ?? '');
  const rows = columns.at(0)?.values.length ?? 0;
  const lines = [columns.map(({ name }) => cell(name)).join(',')];
  for (let row = 0; row < rows; row++) lines.push(columns.map(({ values }) => cell(values[row])).join(','));
  return `${lines.join('\n')}\n`;
}

/** `curves.csv`: the mean curves of the report as numbers, by pages and by seconds, with their 95 % intervals. */
export function studyCurvesCsv({ combinations }: Pick<Analysis, 'combinations'>): string {
  const rows = combinations.flatMap((combination) => (['pages', 'seconds'] as const).flatMap((by) =>
    (meanCurve(combination, by) ?? []).map(({ at, rank: { mean, low, high } }) =>
      [combination.setting, combination.subject, by, ...[at, mean, low, high].map(short)])));
  const names = ['setting', 'subject', 'by', 'at', 'rank', 'rankLow', 'rankHigh'];
  return resultsCsv(names.map((name, column) => ({ name, values: rows.map((row) => row[column]) })));
}

/** Six digits are enough to draw a line. */
const short = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(6)));

/** The same as Apache Parquet: numbers as doubles, everything else as text; null for unknown values. */
export async function resultsParquet(columns: readonly ResultColumn[]): Promise<Uint8Array> {
  // Loaded only when needed: otherwise every command would pay for it.
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  return new Uint8Array(parquetWriteBuffer({
    columnData: columns.map(({ name, values }) => {
      const isNumeric = values.every((value) => typeof value !== 'string');
      return {
        name, nullable: true, type: isNumeric ? 'DOUBLE' as const : 'STRING' as const,
        data: isNumeric ? [...values] : values.map((value) => (value === null ? null : String(value))),
      };
    }),
  }));
}

/**
 * `study.json`, and what `--json` prints: the resolved study, its runs by key and hash, and the analysis
 * of them.
 */
export function studyDocument({ version, study, dataset, runs, outcomes }: StudyResult, analysis: Analysis): object {
  const { subject, combinations, comparisons, effects } = analysis;
  const { title, graph, scores, base, axes, sample, policies } = study;
  const userPolicies = policies.settings.policies.filter(({ isShipped }) => !isShipped).map(recordOf);
  return {
    version,
    title,
    graph,
    scores,
    ...(userPolicies.length > 0 && { userPolicies }),
    dataset,
    experiment: base,
    axes: Object.fromEntries(axes.map(({ name, values }) => [name, values])),
    sample,
    planned: runs,
    answer: answerShown(analysis).paragraphs[0],
    compared: subject?.name ?? null,
    runs: outcomes.map(({ at, key, seed, replayHash, summary }) => ({
      values: axes.map(({ values }, i) => values[at[i]]), seed, key, replayHash,
      // What a comparison with runs of the same seeds needs.
      horizonPages: summary.quality.horizonPages,
      figures: Object.fromEntries(figures.map(({ name, of }) => [name, of({ summary })])),
    })),
    combinations: combinations.map(({ at, subject: name, setting, outcomes: members, means, isOnFront }) => ({
      label: [name, setting].filter((text) => text !== '').join(', '),
      values: axes.map(({ values }, i) => values[at[i]]), subject: name, setting, runs: members.length, means,
      isOnFront,
    })),
    comparisons,
    effects,
  };
}
