import * as z from 'zod';
import { InputError, packageVersion } from '../../../base/index.ts';
import { settle, type GivenScores } from '../../../core/engine/index.ts';
import { scoresChecksum } from '../../../graphs/formats/index.ts';
import { defaultSeeds, type WebGraph } from '../../../graphs/graph/index.ts';
import { summarySchema } from '../../../core/measure/index.ts';
import type { PolicyRegistry } from '../../../core/policy/index.ts';
import type { Experiment } from '../../../core/settings/index.ts';
import { maxPoints, orderFrom, type StudyRun, type StudyTask } from './one-run.ts';
import { canonicalJson } from './run-cache.ts';
import type { ReadRun } from './run-pool.ts';

/** An array of at most so many elements: of a longer one, none is looked at. */
export const shortArray = <S extends z.ZodType>(element: S, maxLength: number) =>
  z.array(z.unknown()).max(maxLength).pipe(z.array(element));

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/, { error: 'must be a SHA-256' });

const points = shortArray(z.number().min(0), maxPoints);

const runSchema = z.strictObject({
  run: z.strictObject({
    version: z.literal(packageVersion()), replayHash: hashSchema, summary: summarySchema,
    experiment: z.looseObject({ superstepLimit: z.int().min(1).optional() }),
  }),
  curve: z.strictObject({ pages: points, seconds: points, rank: points }),
  order: z.base64().optional(),
});

/** A value of this form. @throws InputError naming the first field that is not. */
export function ofForm<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues;
  throw new InputError(`${path.length === 0 ? 'the whole' : path.join('.')}: ${message}`);
}

/**
 * A reader of the runs of a study, from its cache or from workers: each field has the form that this version gives it,
 * the settings are those of the task, and no figure is beyond the graph. Whether a run of this form is true, only its
 * repetition shows.
 *
 * Cost   some tenths of a millisecond per run.
 */
export function studyReader(
  graph: WebGraph, scores: GivenScores | undefined, policies: PolicyRegistry,
): ReadRun<StudyTask, StudyRun> {
  // Both are the same in all runs, and linear in the pages.
  let seeds: number[] | undefined;
  let origin: Experiment['scores'];
  const settledText = ({ experiment }: StudyTask, limit: number | undefined): string => {
    const { superstepLimit } = experiment;
    const needScores = policies.settings.policiesUsed(experiment).some(({ needs }) => needs.includes('scores'));
    if (needScores && scores !== undefined)
      experiment = { ...experiment, scores: origin ??= { file: scores.file, sha256: scoresChecksum(scores.values) } };
    const seedPages = experiment.seedPages ?? (seeds ??= [...defaultSeeds(graph).seeds]);
    return withoutFiles(settle(experiment, superstepLimit === 'auto' ? limit : superstepLimit, seedPages));
  };
  return (task, value) => {
    const { run: { experiment, summary }, curve, order } = ofForm(runSchema, value);
    if (withoutFiles(experiment) !== settledText(task, experiment.superstepLimit))
      throw new InputError('run.experiment: are not the settings of its job');
    checkFigures(summary, curve, graph.pages, task.experiment.processors);
    if (order === undefined === task.withOrder)
      throw new InputError(`order: ${task.withOrder ? 'is missing' : 'was not asked for'}`);
    if (order !== undefined) checkOrder(order, summary.pagesFetched, graph.pages);
    return value as StudyRun;
  };
}

type Read = z.output<typeof runSchema>;

/** Figures that no crawl of so many pages has. */
function checkFigures(
  { ended, pagesFetched, reachablePages, pagesPerProcessor, virtualSeconds, bytes }: Read['run']['summary'],
  { pages, seconds, rank }: Read['curve'], ofGraph: number, processors: number,
): void {
  const check = (isSo: boolean, place: string): void => {
    if (!isSo) throw new InputError(`${place}: no run of this graph has such a value`);
  };
  check(ended !== 'interrupted' && ended !== 'incomplete', 'run.summary.ended');
  check(reachablePages <= ofGraph, 'run.summary.reachablePages');
  check(pagesFetched <= reachablePages, 'run.summary.pagesFetched');
  check(pagesPerProcessor.length === processors, 'run.summary.pagesPerProcessor');
  check(virtualSeconds >= 0, 'run.summary.virtualSeconds');
  check(bytes >= 0, 'run.summary.bytes');
  check(pages.length === Math.min(maxPoints, pagesFetched) && (pages.at(-1) ?? 0) === pagesFetched, 'curve.pages');
  const rises = (values: readonly number[]): boolean => values.every((value, i) => i === 0 || value >= values[i - 1]);
  for (const [name, values] of Object.entries({ pages, seconds, rank }))
    check(values.length === pages.length && rises(values), `curve.${name}`);
  check((rank.at(-1) ?? 0) <= 1.001, 'curve.rank');
}

function checkOrder(order: string, pagesFetched: number, ofGraph: number): void {
  const ids = orderFrom(order);
  const counts = new Uint8Array(ofGraph);
  const isNew = (page: number): boolean => page < ofGraph && counts[page]++ === 0;
  if (ids.length !== pagesFetched || !ids.every(isNew))
    throw new InputError('order: are not the pages that it fetched');
}

/** Settings as text. Who shares a cache may have the files of scores and policies at other paths. */
function withoutFiles(experiment: object): string {
  const text = JSON.stringify(experiment, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && 'sha256' in inner ? { ...inner, file: undefined } : inner);
  return canonicalJson(JSON.parse(text));
}
