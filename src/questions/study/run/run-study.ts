import { availableParallelism } from 'node:os';
import { graphChecksum, prepare, type PreparedGraph, type WebGraph } from '../../../graphs/graph/index.ts';
import { scoresChecksum } from '../../../graphs/formats/index.ts';
import type { DatasetFacts, RunSummary } from '../../../core/measure/index.ts';
import {
  assert, AssertionError, checkFields, decimalText, InputError, WorldError, wrongArgument,
} from '../../../base/index.ts';
import { datasetFacts, trueRanks, type FittedNetwork, type GivenScores } from '../../../core/engine/index.ts';
import type { Experiment } from '../../../core/settings/index.ts';
import { codeVersion } from './code-version.ts';
import { Grid } from '../grid.ts';
import { runsOf, type Shard } from '../shard.ts';
import { orderFrom, studyWork, type RunCurve, type StudyRun, type StudyTask } from './one-run.ts';
import { RunCache, runKey, type RunIdentity } from './run-cache.ts';
import { studyReader } from './read-run.ts';
import { sharedScores, type RunContext } from './run-context.ts';
import { RunPool, type MakeRunner, type ReadRun, type Runner } from './run-pool.ts';
import type { Study } from '../study-file.ts';

/** Curves are stored for the report up to this many runs: more would exhaust the memory. */
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
  /** The script of the worker threads, which tests replace. @internal */
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
  /** The order is the grid's. */
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
 * Cost     its runs; their figures take about 5 KB of memory per run.
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
  checkPolicies(study);
  const grid = new Grid(study);
  if (options.withOrders === true) checkOrders(grid.count, prepared);
  // All are made before any is run, so that an invalid one is reported in a second, not after an hour.
  for (let index = 0; index < grid.count; index++) grid.run(index);
  const runs = new StudyRuns(prepared, study, grid, await RunCache.open<StudyRun>(options.cache), options);
  await runs.lookUp();
  await runs.runMissing();
  return runs.result();
}

/** The runs of a study or of its share: looked up in the cache, run where they are missing, and reported. */
class StudyRuns {
  readonly #prepared: PreparedGraph;
  readonly #study: Study;
  readonly #grid: Grid;
  readonly #cache: RunCache<StudyRun>;
  readonly #options: StudyOptions;
  /** Determines the results of all runs, but for their settings. */
  readonly #identity: Omit<RunIdentity, 'experiment'>;
  readonly #read: ReadRun<StudyTask, StudyRun>;
  /** Places in the grid. */
  readonly #runs: readonly number[];
  readonly #missing: number[] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #outcomes = new Map<number, StudyOutcome>();
  /** Outcomes that do not come from the cache. */
  readonly #fresh = new Set<number>();
  #lookedUp = 0;
  /** Place in `#missing` of the run that the next free lane takes. */
  #next = 0;
  #isStopped = false;

  constructor(prepared: PreparedGraph, study: Study, grid: Grid, cache: RunCache<StudyRun>, options: StudyOptions) {
    this.#prepared = prepared;
    this.#study = study;
    this.#grid = grid;
    this.#cache = cache;
    this.#options = options;
    const { scores, withOrders: withOrder = false } = options;
    this.#identity = {
      graph: graphChecksum(prepared), scores: scores === undefined ? null : scoresChecksum(scores.values),
      code: codeVersion(), withOrder,
    };
    this.#read = studyReader(prepared.graph, options.scores, study.policies);
    this.#runs = runsOf(grid.count, options.shard ?? { index: 1, of: 1 });
  }

  async lookUp(): Promise<void> {
    const { signal, onRemark } = this.#options;
    for (const index of this.#runs) {
      if (signal?.aborted === true) return;
      const { task, key } = this.#taskAt(index);
      this.#indexOf.set(key, index);
      const run = await this.#cache.read(key, (value) => this.#read(task, value));
      if (run === 'damaged') onRemark?.(`${this.#cache.pathOf(key)}: is damaged; its run is repeated`);
      this.#lookedUp++;
      if (run !== undefined && run !== 'damaged') this.#report(this.#take(index, key, run));
      else {
        this.#missing.push(index);
        this.#report();
      }
    }
  }

  /** Runs are also taken back, so that there may be missing ones after all have been run. */
  async runMissing(): Promise<void> {
    if (this.#missing.length === 0) return;
    const runner = this.#runner();
    try {
      this.#report();
      while (this.#hasNext) {
        const length = Math.min(this.#missing.length - this.#next, runner.width);
        // If one fails, the others finish their runs, which are stored.
        const ends = await Promise.allSettled(Array.from({ length }, () => this.#lane(runner)));
        for (const end of ends) if (end.status === 'rejected') throw end.reason;
      }
    } finally {
      await runner.close();
    }
  }

  /** The finished runs, in the order of the grid. */
  result(): StudyResult {
    const outcomes = [...this.#outcomes].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
    return {
      version: this.#identity.code, study: this.#study, dataset: datasetFacts(this.#prepared), runs: this.#runs.length,
      outcomes, cached: this.#cached,
    };
  }

  #taskAt(index: number): { readonly task: StudyTask; readonly key: string } {
    const { experiment } = this.#grid.run(index);
    const task = { experiment, withOrder: this.#identity.withOrder };
    return { task, key: runKey({ ...this.#identity, experiment }) };
  }

  get #hasNext(): boolean {
    return this.#next < this.#missing.length && !this.#isStopped;
  }

  get #cached(): number {
    return this.#outcomes.size - this.#fresh.size;
  }

  #runner(): Runner<StudyTask, StudyRun> {
    const { runner, workers, signal, workerHeapMegabytes, worker, onRemark } = this.#options;
    const work = studyWork(sharedContext(this.#prepared, this.#study, this.#options), this.#read);
    return runner?.(work, (key) => this.#takeBack(key)) ?? new RunPool(work, {
      threads: Math.min(this.#missing.length, workers ?? availableParallelism()), signal, workerHeapMegabytes, worker,
      onDeath: (run, why) => onRemark?.(`${why}, in the run of ${run}; the run is repeated`),
    });
  }

  async #lane(runner: Runner<StudyTask, StudyRun>): Promise<void> {
    try {
      while (this.#hasNext) await this.#runNext(runner);
    } catch (error) {
      this.#isStopped = true;
      throw error;
    }
  }

  async #runNext(runner: Runner<StudyTask, StudyRun>): Promise<void> {
    const index = this.#missing[this.#next++];
    const { task, key } = this.#taskAt(index);
    const name = nameOf(this.#study, task.experiment);
    const run = await runner.run(task, name, key)
      .catch((error: unknown) => { throw inRun(name, error as Error); });
    if (run === undefined) {
      this.#isStopped = true;
      return;
    }
    await this.#cache.write(key, run);
    const outcome = this.#take(index, key, run);
    this.#fresh.add(index);
    if (await runner.stored?.(key) === false) await this.#takeBack(key);
    else this.#report(outcome);
  }

  #take(index: number, key: string, { run, curve, order }: StudyRun): StudyOutcome {
    assert(!this.#outcomes.has(index), () => `run ${index} of the study is counted twice`);
    const { experiment: { seed }, replayHash, summary } = run;
    const outcome = {
      at: this.#grid.positions(index), key, seed, replayHash, summary,
      ...(this.#grid.count <= maxCurves && { curve }), ...(order !== undefined && { order: orderFrom(order) }),
    };
    this.#outcomes.set(index, outcome);
    return outcome;
  }

  async #takeBack(key: string): Promise<void> {
    await this.#cache.remove(key);
    const index = this.#indexOf.get(key);
    if (index === undefined || !this.#outcomes.delete(index)) return;
    this.#fresh.delete(index);
    this.#missing.push(index);
  }

  #report(ended?: StudyOutcome): void {
    this.#options.onProgress?.({
      runs: this.#runs.length, lookedUp: this.#lookedUp, cached: this.#cached, run: this.#fresh.size, ended,
    });
  }
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
