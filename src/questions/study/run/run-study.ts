import { availableParallelism } from 'node:os';
import { graphChecksum, prepare, type PreparedGraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { scoresChecksum } from '../../../graphs/formats/index.ts';
import type { DatasetFacts, RunSummary } from '../../../core/measure/index.ts';
import { AssertionError, checkFields, decimalText, InputError, WorldError, wrongArgument } from '../../../base/index.ts';
import { datasetFacts, trueRanks, type FittedNetwork, type GivenScores } from '../../../core/engine/index.ts';
import type { Experiment } from '../../../core/settings/index.ts';
import { codeVersion } from './code-version.ts';
import { Grid } from '../grid.ts';
import { runsOf, type Shard } from '../shard.ts';
import { orderFrom, studyWork, type RunCurve, type StudyRun, type StudyTask } from './one-run.ts';
import { RunCache, runKey } from './run-cache.ts';
import { studyReader } from './read-run.ts';
import { sharedScores, type RunContext } from './run-context.ts';
import { RunPool, type MakeRunner, type Runner } from './run-pool.ts';
import type { Study } from '../study-file.ts';

/** Up to this many runs, curves are stored for the report: those of more would exhaust the memory. */
const maxCurves = 5000;
/** Pages of all orders together: 1 GiB. */
const maxOrderedPages = 2 ** 28;

export interface StudyOptions {
  /** Folder of finished runs. */
  readonly cache: string;
  readonly scores?: GivenScores | undefined;
  /** The fit of the crawl that the study's `network` names (`fitNetwork`). */
  readonly fitted?: FittedNetwork | undefined;
  /** Worker threads; results do not depend on them. 1 = in this thread. All cores by default. */
  readonly workers?: number | undefined;
  /** What runs the experiments instead of threads of this process. @internal */
  readonly runner?: MakeRunner | undefined;
  /** Whether each outcome has the order of its pages. False by default. */
  readonly withOrders?: boolean | undefined;
  /** Only this share of the runs; the others belong to other machines that share the cache. */
  readonly shard?: Shard | undefined;
  readonly onProgress?: ((progress: StudyProgress) => void) | undefined;
  /** Called with remarks for the user: an entry of the cache was altered, a worker died. */
  readonly onRemark?: ((text: string) => void) | undefined;
  /** If aborted, the study ends with the runs that are finished. */
  readonly signal?: AbortSignal | undefined;
  readonly workerHeapMegabytes?: number | undefined;
  /** For tests: the script of the worker threads. @internal */
  readonly worker?: URL | undefined;
}

export interface StudyProgress {
  /** Runs of the study, or of the share; those looked up in the cache; those found there; those that have been run. */
  readonly runs: number;
  readonly lookedUp: number;
  readonly cached: number;
  readonly run: number;
  /** The run that has just ended, or was just found; absent at other times. */
  readonly ended?: StudyOutcome | undefined;
}

/** A finished run of a study: its position on the axes, and its result. */
export interface StudyOutcome {
  readonly at: readonly number[];
  readonly key: string;
  readonly seed: number;
  readonly replayHash: string;
  readonly summary: RunSummary;
  /** Absent in studies of very many runs. */
  readonly curve?: RunCurve;
  /** Pages in the order in which they were fetched, where the study was asked for it. */
  readonly order?: Uint32Array;
}

/** The findings of a study. */
export interface StudyResult {
  /** Version of the code that ran it: runs of other versions are not taken from the cache. */
  readonly version: string;
  /** The study as its file describes it. */
  readonly study: Study;
  /** What was crawled. */
  readonly dataset: DatasetFacts;
  /** Runs of the study, or of the share; fewer are finished if it was interrupted. */
  readonly runs: number;
  /** In the order of the grid. */
  readonly outcomes: readonly StudyOutcome[];
  /** Finished runs that came from the cache. Not part of any comparison. */
  readonly cached: number;
}

const optionFields = {
  cache: true, scores: true, fitted: true, workers: true, runner: false, withOrders: true, shard: true,
  onProgress: true, onRemark: true, signal: true, workerHeapMegabytes: true, worker: false,
} as const satisfies Record<keyof StudyOptions, boolean>;

/**
 * Runs a study: cached runs are read, all others run on worker threads over one graph and are stored at once, so that a
 * killed study can continue. The result does not depend on the number of workers or on the cache.
 *
 * Cost     that of its runs; memory for their figures, about 5 KB per run.
 *
 * @param graph - the graph that all runs crawl.
 * @param written - a study read by `readStudy`.
 * @param options - the folder of finished runs, threads, and a listener for progress.
 * @returns the figures of every run that is finished.
 * @throws InputError for a run with invalid settings, before any run starts if the settings show it; WorldError if two
 * workers die in one run or the disk is full: finished runs are in the cache.
 */
export async function runStudy(
  graph: WebGraph | PreparedGraph, written: Study, options: StudyOptions,
): Promise<StudyResult> {
  const prepared = prepare(graph);
  checkFields('options', options, optionFields);
  if ((written as Study | undefined)?.policies === undefined)
    throw wrongArgument('study', 'what readStudy returns', written);
  const study = onNetwork(written, options.fitted);
  const { signal, onRemark, withOrders: withOrder = false } = options;
  checkPolicies(study);
  const grid = new Grid(study);
  if (withOrder) checkOrders(grid.count, prepared);
  // All are made before any is run, so that an invalid one is reported in a second, not after an hour.
  for (let index = 0; index < grid.count; index++) grid.run(index);
  const cache = await RunCache.open<StudyRun>(options.cache);
  const code = codeVersion();
  const scores = options.scores === undefined ? null : scoresChecksum(options.scores.values);
  const checksum = graphChecksum(prepared);
  const keyOf = (experiment: Experiment): string => runKey({ graph: checksum, experiment, scores, code, withOrder });

  const found = new Map<number, StudyOutcome>();
  const storesCurves = grid.count <= maxCurves;
  const take = (index: number, key: string, { run, curve, order }: StudyRun): StudyOutcome => {
    const { experiment: { seed }, replayHash, summary } = run;
    const outcome = {
      at: grid.positions(index), key, seed, replayHash, summary, ...(storesCurves && { curve }),
      ...(order !== undefined && { order: orderFrom(order) }),
    };
    found.set(index, outcome);
    return outcome;
  };
  const runs = runsOf(grid.count, options.shard ?? { index: 1, of: 1 });
  const progress = { runs: runs.length, lookedUp: 0, cached: 0, run: 0 };
  const report = (ended?: StudyOutcome): void => options.onProgress?.({ ...progress, ended });

  const read = studyReader(prepared.graph, options.scores, study.policies);
  const missing: number[] = [];
  const indexOf = new Map<string, number>();
  for (const index of runs) {
    if (signal?.aborted === true) break;
    const { experiment } = grid.run(index);
    const key = keyOf(experiment);
    indexOf.set(key, index);
    const cachedRun = await cache.read(key, (value) => read({ experiment, withOrder }, value));
    if (cachedRun === 'damaged') onRemark?.(`${cache.pathOf(key)}: is damaged; its run is repeated`);
    const isFound = cachedRun !== undefined && cachedRun !== 'damaged';
    if (isFound) progress.cached++;
    else missing.push(index);
    progress.lookedUp++;
    report(isFound ? take(index, key, cachedRun) : undefined);
  }

  if (missing.length > 0) {
    const work = studyWork(sharedContext(prepared, study, options), read);
    const takeBack = async (key: string): Promise<void> => {
      await cache.remove(key);
      const index = indexOf.get(key);
      if (index === undefined || !found.delete(index)) return;
      missing.push(index);
      if (ran.delete(index)) progress.run--;
      else progress.cached--;
    };
    const pool: Runner<StudyTask, StudyRun> = options.runner?.(work, takeBack) ?? new RunPool(work, {
      threads: Math.min(missing.length, options.workers ?? availableParallelism()), signal,
      workerHeapMegabytes: options.workerHeapMegabytes, worker: options.worker,
      onDeath: (run, why) => onRemark?.(`${why}, in the run of ${run}; the run is repeated`),
    });
    const ran = new Set<number>();
    const lanes = { next: 0, areStopped: false };
    const lane = async (): Promise<void> => {
      while (lanes.next < missing.length && !lanes.areStopped) {
        const index = missing[lanes.next++];
        const { experiment } = grid.run(index);
        const name = nameOf(study, experiment);
        const key = keyOf(experiment);
        const run = await pool.run({ experiment, withOrder }, name, key)
          .catch((error: unknown) => { throw inRun(name, error as Error); });
        if (run === undefined) {
          lanes.areStopped = true;
          return;
        }
        await cache.write(key, run);
        const outcome = take(index, key, run);
        ran.add(index);
        progress.run++;
        if (await pool.stored?.(key) === false) await takeBack(key);
        else report(outcome);
      }
    };
    const fail = (error: unknown): never => {
      lanes.areStopped = true;
      throw error;
    };
    try {
      report();
      // Again for runs that were taken back. If one fails, the others finish their runs, which are stored.
      while (lanes.next < missing.length && !lanes.areStopped) {
        const length = Math.min(missing.length - lanes.next, pool.width);
        const ends = await Promise.allSettled(Array.from({ length }, async () => lane().catch(fail)));
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      }
    } finally {
      await pool.close();
    }
  }

  const outcomes = [...found].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
  const dataset = datasetFacts(prepared);
  return { version: code, study, dataset, runs: runs.length, outcomes, cached: progress.cached };
}

/** All orders are in memory when they are judged. */
function checkOrders(runs: number, { graph }: PreparedGraph): void {
  if (runs * graph.pages <= maxOrderedPages) return;
  const [count, pages, most] = [runs, graph.pages, maxOrderedPages].map((number) => decimalText(number, 0));
  throw new InputError(
    `the orders of ${count} runs over ${pages} pages are too many to be judged: at most ${most} pages in all runs together`,
  );
}

/** An object's code is available neither to threads nor to the cache of runs. */
function checkPolicies({ policies: { added } }: Study): void {
  const object = added.find(({ origin }) => origin === undefined);
  if (object === undefined) return;
  throw new InputError(
    `policy ${object.name}: is an object; a study needs its file (loadPolicy), for its threads and its cache`,
  );
}

function sharedContext(
  prepared: PreparedGraph, { base, policies: { added: policies } }: Study, { scores, fitted }: StudyOptions,
): RunContext {
  const fit = { fit: fitted?.fit, fitOrigin: base.network?.fit };
  return { prepared, ranks: trueRanks(prepared), policies, ...fit, scores: sharedScores(scores) };
}

/** The study with the network fitted for it; what its file sets of the network is set over the fit. */
function onNetwork(study: Study, fitted: FittedNetwork | undefined): Study {
  if (study.network === undefined) return study;
  if (fitted === undefined) throw new InputError(`network: needs what was fitted to ${study.network} (fitNetwork)`);
  return { ...study, base: { ...study.base, network: { ...fitted.network, ...study.base.network } } };
}

/** Names a run by its values on the axes. */
function nameOf({ axes }: Study, experiment: Experiment): string {
  const valueOf = (name: string): unknown =>
    name.split('.').reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], experiment);
  return axes.length === 0
    ? 'the base experiment'
    : axes.map(({ name }) => `${name} ${JSON.stringify(valueOf(name))}`).join(', ');
}

/** The error with the name of the run. An internal error includes its stack. */
function inRun(name: string, error: Error): Error {
  const isExpected = error instanceof InputError || error instanceof WorldError;
  const text = `the run of ${name}: ${isExpected ? error.message : (error.stack ?? error.message)}`;
  const Class = error instanceof InputError ? InputError : isExpected ? WorldError : AssertionError;
  return new Class(text, { cause: error });
}
