import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { experimentAt, figures, type FigureName } from '../study/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { recordedPolicies, Settings, userPoliciesSchema, type SettledExperiment } from '../../core/settings/index.ts';
import {
  hasSuperstep, interval, isIncomplete, partialOf, readIncomplete, readRunEvents, readRunJson, recordPartial,
  type IncompleteRun, type Interval, type RunEvents, type RunJson, type RunResult,
} from '../../core/measure/index.ts';
import { readRegular } from '../../base/files/index.ts';
import type { WebGraph } from '../../graphs/graph/index.ts';
import { InputError } from '../../base/index.ts';

export type RecordedRun = RunJson<SettledExperiment>;

/** The events in a record's files; more are accepted. */
export type RecordedEvents = Pick<RunEvents, 'order' | 'times' | 'rows'>;

/** A run in its folder. */
export interface RunFolder {
  readonly folder: string;
  readonly run: RecordedRun;
  readonly events: () => Promise<RecordedEvents>;
  /** The last superstep in the record of a run that was killed. */
  readonly readUpTo?: number | undefined;
}

/** Measures what a killed run left; needs the graph that it crawled. */
export type Measure = (record: IncompleteRun<SettledExperiment>) => Promise<RunResult<SettledExperiment>>;

/** The result of a run with a single seed. */
export interface SeedRun {
  readonly seed: number;
  /** Pages over which its order was judged; null if the record does not say. */
  readonly horizonPages: number | null;
  readonly figures: Readonly<Partial<Record<FigureName, number | null>>>;
}

/** Something that is compared: a run, runs that differ in their seed, or a combination of a study. */
export interface Compared {
  readonly label: string;
  /** The graph, as named in the record. */
  readonly graph: string;
  readonly sha256: string;
  readonly version: string;
  /** Settings that distinguish it; without seeds if there are several. */
  readonly experiment: object;
  readonly runs: number;
  readonly interrupted: boolean;
  /** The last superstep in the record of a run that was killed. */
  readonly readUpTo: number | undefined;
  readonly means: Readonly<Partial<Record<FigureName, Interval | null>>>;
  /** None for a study of an earlier version, which stored means alone. */
  readonly seeds: readonly SeedRun[];
  /** Folders of its records; none for a study, which stores only figures. */
  readonly records: readonly RunFolder[];
}

/** One of several that are compared, by what distinguishes it from the others. */
export interface Named extends Compared {
  readonly name: string;
}

/**
 * What can be compared in a folder: a run of `simulate --out`, the runs of `--repeat`, those of a tour, the
 * combinations of a study; or what a killed run left there, which is measured now.
 * Errors   InputError if there is nothing of that kind, or it is damaged.
 */
export async function comparedIn(folder: string, measure: Measure): Promise<Compared[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const partial = partialOf(folder);
    if (code === 'ENOENT' && existsSync(partial))
      throw new InputError(`${folder}: there is no such folder; ${partial} contains what an unfinished run left`);
    throw new InputError(
      `${folder}: ${code === 'ENOENT' ? 'there is no such folder' : code === 'ENOTDIR' ? 'is a file, and no log of another crawler; name the folder of a run' : `cannot be read (${code ?? String(error)})`}`,
    );
  });
  const single = await runIn(folder, measure, true);
  if (single !== undefined) return [together(folder, [single])];
  if (names.includes('study.json')) return combinationsIn(folder);
  const inner: RunFolder[] = [];
  for (const name of names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))) {
    const below = await runIn(join(folder, name), measure, false);
    if (below !== undefined) inner.push(below);
  }
  if (inner.length === 0)
    throw new InputError(
      `${folder}: contains no run: there is no run.json, runs.json, tour.json or study.json of Orbweaver in it`,
    );
  return names.includes('runs.json') ? [together(folder, inner)] : inner.map((run) => together(run.folder, [run]));
}

/**
 * The run recorded in `folder`, finished or not; undefined if there is none.
 * @param isNamed the user named this folder: that a run was killed before it recorded anything is an error there.
 */
async function runIn(folder: string, measure: Measure, isNamed: boolean): Promise<RunFolder | undefined> {
  // A live crawl that was killed may have left files of an earlier session there too.
  const partial = [folder, join(folder, recordPartial)].find(isIncomplete);
  if (partial !== undefined && (hasSuperstep(partial) || (isNamed && !existsSync(join(folder, 'run.json'))))) {
    const record = readIncomplete<SettledExperiment>(partial);
    const { run, events } = await measure(record);
    return { folder, run, events: () => Promise.resolve(events), readUpTo: record.superstep };
  }
  const isRun = await stat(join(folder, 'run.json')).then((stats) => stats.isFile(), () => false);
  if (!isRun) return undefined;
  const run = await readRunJson<SettledExperiment>(folder);
  return { folder, run, events: () => readRunEvents(folder, run) };
}

function together(label: string, records: Compared['records']): Compared {
  const [{ run: first }] = records;
  const whole = records.filter(({ run }) => run.summary.ended !== 'interrupted');
  const judged = whole.length === 0 ? records : whole;
  const seeds = judged.map(({ run: { experiment: { seed }, summary } }): SeedRun => ({
    seed, horizonPages: recorded(() => summary.quality.horizonPages),
    figures: Object.fromEntries(figures.map(({ name, of }) => [name, recorded(() => of({ summary }))])),
  }));
  const means = figures.map(({ name }) => {
    const values = seeds.map((run) => run.figures[name] ?? null);
    return [name, values.includes(null) ? null : interval(values as number[])] as const;
  });
  const experiment = records.length === 1 ? first.experiment : { ...first.experiment, seed: undefined };
  return {
    label, graph: first.dataset.name, sha256: first.dataset.sha256, version: first.version, experiment,
    runs: judged.length, interrupted: whole.length < records.length, means: Object.fromEntries(means), seeds, records,
    readUpTo: records.find(({ readUpTo }) => readUpTo !== undefined)?.readUpTo,
  };
}

/** A figure; null if the record, of another version, lacks it. */
export function recorded(of: () => number | null): number | null {
  try {
    const value = of() as unknown;
    return typeof value === 'number' ? value : null;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

const figureNames = z.enum([
  'rankGathered', 'pagerankArea', 'secondsToHalf', 'secondsToMost', 'secondsToShare', 'virtualSeconds',
  'pairsPerPage', 'balancePages',
]);

const means = z.partialRecord(
  figureNames,
  z.object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable() }).nullable(),
);

const studyRun = z.looseObject({
  values: z.array(z.unknown()), seed: z.int(), horizonPages: z.number().nullable().default(null),
  figures: z.partialRecord(figureNames, z.number().nullable()).optional(),
});

/** The parts of study.json that are read. */
const studyDocument = z.looseObject({
  version: z.string(),
  dataset: z.looseObject({ name: z.string(), sha256: z.string() }),
  experiment: z.looseObject({}),
  /** Those that its user added. */
  userPolicies: userPoliciesSchema,
  axes: z.record(z.string(), z.array(z.unknown())),
  planned: z.int(),
  runs: z.array(studyRun),
  combinations: z.array(z.looseObject({ values: z.array(z.unknown()), label: z.string(), runs: z.int(), means })),
});

async function combinationsIn(folder: string): Promise<Compared[]> {
  const path = join(folder, 'study.json');
  try {
    const { version, dataset, experiment, userPolicies, axes, planned, runs, combinations } = studyDocument.parse(
      JSON.parse((await readRegular(path)).toString()),
    );
    const settings = new Settings([...shippedPolicies.settings.policies, ...recordedPolicies({ userPolicies })]);
    const seedAxis = Object.keys(axes).indexOf('seed');
    const place = (values: readonly unknown[]): string => JSON.stringify(values.filter((_, i) => i !== seedAxis));
    return combinations.map(({ values, label, runs: count, means }): Compared => {
      const settled = experimentAt(experiment, Object.keys(axes).map((name, i) => [name, values[i]]), settings);
      return {
        label: label === '' ? folder : `${folder}: ${label}`,
        graph: dataset.name,
        sha256: dataset.sha256,
        version,
        runs: count,
        means,
        seeds: runs.flatMap(({ figures: figuresOfRun, ...run }): SeedRun[] =>
          (figuresOfRun === undefined || place(run.values) !== place(values) ? [] : [{ ...run, figures: figuresOfRun }])),
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
    throw new InputError(`${path}: is not a record of a study: ${why}`);
  }
}

/** @throws InputError if an order has pages that the graph lacks. */
export function checkPages(order: Uint32Array, { pages }: WebGraph, folder: string): void {
  if (order.some((page) => page >= pages))
    throw new InputError(`${folder}/order.u32: contains pages that the graph does not have`);
}
