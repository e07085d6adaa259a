import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { experimentAt, figures, type FigureName } from '../study/index.ts';
import { shippedPolicies } from '../policy/index.ts';
import { recordedPolicies, Settings, userPoliciesSchema, type SettledExperiment } from '../settings/index.ts';
import {
  hasSuperstep, interval, isIncomplete, partialOf, readIncomplete, readRunEvents, readRunJson, recordPartial,
  type IncompleteRun, type Interval, type RunEvents, type RunJson, type RunResult,
} from '../measure/index.ts';
import { InputError } from '../base/index.ts';

export type RecordedRun = RunJson<SettledExperiment>;

/** What a record's files hold of the events, or more. */
export type RecordedEvents = Pick<RunEvents, 'order' | 'times' | 'rows'>;

/** A run in its folder. */
export interface RunFolder {
  readonly folder: string;
  readonly run: RecordedRun;
  readonly events: () => Promise<RecordedEvents>;
  /** Of a run that was killed: the last superstep that its record has. */
  readonly readUpTo?: number | undefined;
}

/** Measures what a run left that was killed, which takes the graph that it crawled. */
export type Measure = (record: IncompleteRun<SettledExperiment>) => Promise<RunResult<SettledExperiment>>;

/** Something that is compared: a run, runs that differ in their seed, or a combination of a study. */
export interface Compared {
  readonly label: string;
  /** Of the graph, as the record names it. */
  readonly graph: string;
  readonly sha256: string;
  readonly version: string;
  /** Settings as they are told apart, seeds left out where there are several. */
  readonly experiment: object;
  readonly runs: number;
  readonly interrupted: boolean;
  /** Of a run that was killed: the last superstep that its record has. */
  readonly readUpTo: number | undefined;
  readonly means: Readonly<Partial<Record<FigureName, Interval | null>>>;
  /** Folders of the records it is made of; none of a study, which keeps figures alone. */
  readonly records: readonly RunFolder[];
}

/**
 * What a folder holds that can be compared: a run of `simulate --out`, the runs of `--repeat`, those of a tour, the
 * combinations of a study; or what a run left there that was killed, which is measured now.
 * Errors   InputError where it holds none of these, or one is damaged.
 */
export async function comparedIn(folder: string, measure: Measure): Promise<Compared[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const partial = partialOf(folder);
    if (code === 'ENOENT' && existsSync(partial))
      throw new InputError(`${folder}: there is no such folder; ${partial} holds what a run left that did not end`);
    throw new InputError(
      `${folder}: ${code === 'ENOENT' ? 'there is no such folder' : code === 'ENOTDIR' ? 'is a file; name the folder of a run' : `cannot be read (${code ?? String(error)})`}`,
    );
  });
  const own = await runIn(folder, measure, true);
  if (own !== undefined) return [together(folder, [own])];
  if (names.includes('study.json')) return combinationsIn(folder);
  const inner: RunFolder[] = [];
  for (const name of names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
    const below = await runIn(join(folder, name), measure, false);
    if (below !== undefined) inner.push(below);
  }
  if (inner.length === 0)
    throw new InputError(
      `${folder}: holds no run: there is no run.json, runs.json, tour.json or study.json of ours in it`,
    );
  return names.includes('runs.json') ? [together(folder, inner)] : inner.map((one) => together(one.folder, [one]));
}

/**
 * The run whose record lies in `folder`, finished or not; undefined where there is none.
 * @param isNamed the user means this folder: that a run was killed before it had anything to record is an error there.
 */
async function runIn(folder: string, measure: Measure, isNamed: boolean): Promise<RunFolder | undefined> {
  // Beside what a live crawl that was killed left there may be what an earlier session of it wrote.
  const partial = [folder, join(folder, recordPartial)].find(isIncomplete);
  if (partial !== undefined && (hasSuperstep(partial) || (isNamed && !existsSync(join(folder, 'run.json'))))) {
    const record = readIncomplete<SettledExperiment>(partial);
    const { run, events } = await measure(record);
    return { folder, run, events: () => Promise.resolve(events), readUpTo: record.superstep };
  }
  const isRun = await stat(join(folder, 'run.json')).then((found) => found.isFile(), () => false);
  if (!isRun) return undefined;
  const run = await readRunJson<SettledExperiment>(folder);
  return { folder, run, events: () => readRunEvents(folder, run) };
}

function together(label: string, records: Compared['records']): Compared {
  const [{ run: first }] = records;
  const whole = records.filter(({ run }) => run.summary.ended !== 'interrupted');
  const judged = whole.length === 0 ? records : whole;
  const means = figures.map(({ name, of }) => {
    const values = judged.map(({ run: { summary } }) => recorded(() => of({ summary })));
    return [name, values.includes(null) ? null : interval(values as number[])] as const;
  });
  const experiment = records.length === 1 ? first.experiment : { ...first.experiment, seed: undefined };
  return {
    label, graph: first.dataset.name, sha256: first.dataset.sha256, version: first.version, experiment,
    runs: judged.length, interrupted: whole.length < records.length, means: Object.fromEntries(means), records,
    readUpTo: records.find(({ readUpTo }) => readUpTo !== undefined)?.readUpTo,
  };
}

/** A figure; null where the record, of another version, lacks it. */
export function recorded(of: () => number | null): number | null {
  try {
    const value = of() as unknown;
    return typeof value === 'number' ? value : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const means = z.partialRecord(
  z.enum([
    'pagerankArea', 'secondsToHalf', 'secondsToMost', 'secondsToShare', 'virtualSeconds', 'pairsPerPage',
    'balancePages',
  ]),
  z.object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable(),
);

/** What of a study.json is read. */
const studyDocument = z.looseObject({
  version: z.string(),
  dataset: z.looseObject({ name: z.string(), sha256: z.string() }),
  experiment: z.looseObject({}),
  /** Those that its user brought. */
  userPolicies: userPoliciesSchema,
  axes: z.record(z.string(), z.array(z.unknown())),
  planned: z.int(),
  runs: z.array(z.unknown()),
  combinations: z.array(z.looseObject({ values: z.array(z.unknown()), label: z.string(), runs: z.int(), means })),
});

async function combinationsIn(folder: string): Promise<Compared[]> {
  const path = join(folder, 'study.json');
  try {
    const { version, dataset, experiment, userPolicies, axes, planned, runs, combinations } = studyDocument.parse(
      JSON.parse(await readFile(path, 'utf8')),
    );
    const settings = new Settings([...shippedPolicies.settings.policies, ...recordedPolicies({ userPolicies })]);
    return combinations.map(({ values, label, runs: count, means }): Compared => {
      const settled = experimentAt(experiment, Object.keys(axes).map((name, i) => [name, values[i]]), settings);
      return {
        label: label === '' ? folder : `${folder}: ${label}`,
        graph: dataset.name,
        sha256: dataset.sha256,
        version,
        runs: count,
        means,
        records: [],
        experiment: { ...settled, ...('seed' in axes && { seed: undefined }) },
        interrupted: runs.length < planned,
        readUpTo: undefined,
      };
    });
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? `${error.issues[0].path.join('.') || 'the whole'}: ${error.issues[0].message}`
        : (error as Error).message;
    throw new InputError(`${path}: is no record of a study: ${why}`);
  }
}
