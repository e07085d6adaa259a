import { availableParallelism } from 'node:os';
import { threadModule } from '../../../base/threads/index.ts';
import { trueRanks, type GivenScores, type SimulateOptions } from '../../../core/engine/index.ts';
import { scoresChecksum } from '../../../graphs/formats/index.ts';
import { graphChecksum, type PreparedGraph } from '../../../graphs/graph/index.ts';
import type { PolicyRegistry } from '../../../core/policy/index.ts';
import {
  clonedContext, codeVersion, contentKey, RunCache, RunPool, sharedScores, type MakeRunner, type ReadRun,
  type RunContext, type Runner, type RunScript, type RunWork,
} from '../../study/index.ts';
import type { ExperimentInput } from '../../../core/settings/index.ts';
import { trialReader } from './read-trial.ts';
import { reachableOf, runTrial, type TrialFigures, type TrialTask } from './trial.ts';
import type { Reachable, Target } from '../goal.ts';

/** A set-up: the settings that a plan may vary; those left out are by their rules. */
export interface SetUp {
  readonly policy: string;
  readonly processors: number;
  readonly robots: number;
  readonly superstepLimit?: number | undefined;
  readonly pending?: number | undefined;
  readonly partition: NonNullable<ExperimentInput['partition']>;
  readonly exchange: NonNullable<ExperimentInput['exchange']>;
}

/** A trial that has ended. */
export interface Trial extends TrialFigures {
  /** Numbered from 1 in the order in which they were asked for. */
  readonly id: number;
  readonly setUp: SetUp;
  readonly seed: number;
  /** What else was changed of the settings that all trials share. */
  readonly change: string;
  /** Virtual seconds that it had at most. */
  readonly maxSeconds: number;
  /** What it was for. */
  readonly phase: string;
}

export interface TrialRequest {
  readonly setUp: SetUp;
  readonly seed: number;
  /** Virtual seconds at most; Infinity for no limit. */
  readonly maxSeconds: number;
  readonly change?: { readonly name: string; readonly apply: (input: ExperimentInput) => ExperimentInput } | undefined;
}

export interface TrialsOptions {
  /** Folder of finished trials. */
  readonly cache: string;
  readonly scores?: GivenScores | undefined;
  /** What is known of single hosts and pages, where the network was fitted to a crawl. */
  readonly fit?: SimulateOptions['fit'];
  /** Worker threads, all cores by default; 1 = in this thread. The answers do not depend on them. */
  readonly workers?: number | undefined;
  /** What runs the trials instead of threads of this process. */
  readonly runner?: MakeRunner | undefined;
  readonly onTrial?: ((progress: TrialsDone) => void) | undefined;
  readonly onRemark?: ((text: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far the trials of a phase are. */
export interface TrialsDone {
  readonly phase: string;
  readonly done: number;
  readonly asked: number;
  readonly cached: number;
  /** Pages simulated by the trials of all phases, cached ones included; and those simulated now. */
  readonly simulatedPages: number;
  readonly newPages: number;
  /** Pages that the whole plan comes to, about. */
  readonly expectedPages: number;
  /** What the phase runs, and the trial that has just ended; undefined when the phase begins. */
  readonly requests: readonly TrialRequest[];
  readonly ended: Trial | undefined;
}

/** The signal ended a plan; its finished trials are stored. */
export class PlanInterrupted extends Error {}

/** Trials on which the plan was built may be false, and were taken back: the plan is to be made anew. */
export class TrialsTakenBack extends Error {}

/** Runs trials on threads over one graph, and stores each by its content. */
export class Trials {
  readonly reachable: Reachable;
  readonly all: Trial[] = [];
  readonly #base: ExperimentInput;
  readonly #keyed: object;
  readonly #cache: RunCache<TrialFigures>;
  readonly #pool: Runner<TrialTask, TrialFigures>;
  readonly #options: TrialsOptions;
  readonly #read: ReadRun<TrialTask, TrialFigures>;
  readonly #found = new Map<string, Promise<TrialFigures>>();
  #targets: readonly Target[] = [];
  #pages = 0;
  #newPages = 0;
  #expectedRuns = 0;
  #areTakenBack = false;

  private constructor(
    context: RunContext, base: ExperimentInput, cache: RunCache<TrialFigures>, options: TrialsOptions,
  ) {
    const { workers = availableParallelism(), signal, onRemark, scores } = options;
    this.#base = base;
    this.#cache = cache;
    this.#options = options;
    this.reachable = reachableOf(context.prepared, context.ranks, base);
    this.#keyed = {
      kind: 'trial', graph: graphChecksum(context.prepared), code: codeVersion(),
      scores: scores === undefined ? null : scoresChecksum(scores.values),
      userPolicies: context.policies.map(({ name, origin }) => ({ name, checksum: origin?.sha256 })),
    };
    const { pages, hosts } = context.prepared.graph;
    this.#read = trialReader(pages, hosts.count);
    const work: RunWork<TrialTask, TrialFigures> = {
      ...planScript, data: clonedContext(context), read: this.#read,
      here: (task, stop) => runTrial(context, task, stop),
    };
    this.#pool = options.runner?.(work, async (key) => this.#takeBack(key)) ?? new RunPool(work, {
      threads: workers, signal, onDeath: (trial, why) => onRemark?.(`${why}, in the trial of ${trial}; it is repeated`),
    });
  }

  /** @param base the settings that all trials share. */
  static async open(
    prepared: PreparedGraph, base: ExperimentInput, policies: PolicyRegistry, options: TrialsOptions,
  ): Promise<Trials> {
    const cache = await RunCache.open<TrialFigures>(options.cache);
    const context = {
      prepared, ranks: trueRanks(prepared), scores: sharedScores(options.scores), policies: policies.added,
      fit: options.fit, fitOrigin: base.network?.fit,
    };
    return new Trials(context, base, cache, options);
  }

  /** What trials must reach from now on. */
  aimAt(targets: readonly Target[]): void {
    this.#targets = targets;
  }

  /** How many whole runs a plan comes to, about: for its progress. */
  expectRuns(runs: number): void {
    this.#expectedRuns = runs;
  }

  get simulatedPages(): number {
    return this.#pages;
  }

  /**
   * The trials asked for, in their order. One that was run before is not run again.
   * @throws PlanInterrupted if the signal ended one; TrialsTakenBack if one of these, or of earlier ones, may be false.
   */
  async run(phase: string, requests: readonly TrialRequest[]): Promise<Trial[]> {
    const first = this.all.length + 1;
    const figures: TrialFigures[] = [];
    let [next, count, cached] = [0, 0, 0];
    const trialOf = (i: number): Trial => {
      const { setUp, seed, maxSeconds, change } = requests[i];
      return { ...figures[i], id: first + i, setUp, seed, maxSeconds, change: change?.name ?? '', phase };
    };
    const report = (ended?: Trial): void => this.#options.onTrial?.({
      requests, ended, phase, done: count, asked: requests.length, cached,
      simulatedPages: this.#pages, newPages: this.#newPages,
      expectedPages: this.#expectedRuns * Math.max(0, ...this.all.map(({ simulatedPages }) => simulatedPages)),
    });
    const lane = async (): Promise<void> => {
      while (next < requests.length) {
        const i = next++;
        const { figures: result, isCached } = await this.#figures(requests[i]);
        figures[i] = result;
        count++;
        if (isCached) cached++;
        report(trialOf(i));
      }
    };
    report();
    const lanes = Math.min(requests.length, this.#pool.width);
    const ends = await Promise.allSettled(Array.from({ length: lanes }, lane));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (this.#areTakenBack) throw new TrialsTakenBack();
    const trials = requests.map((_, i) => trialOf(i));
    this.all.push(...trials);
    return trials;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** The settings of a trial, as `simulate` takes them. */
  experimentOf({ setUp, seed, maxSeconds, change }: TrialRequest): ExperimentInput {
    const input: ExperimentInput = { ...this.#base, ...setUp, seed };
    if (Number.isFinite(maxSeconds)) input.maxSeconds = maxSeconds;
    return change === undefined ? input : change.apply(input);
  }

  async #figures(request: TrialRequest): Promise<{ figures: TrialFigures; isCached: boolean }> {
    const { signal, onRemark } = this.#options;
    const task: TrialTask = { experiment: this.experimentOf(request), targets: this.#targets };
    const key = contentKey({ ...this.#keyed, ...task });
    const earlier = this.#found.get(key);
    if (earlier !== undefined) return { figures: await earlier, isCached: true };
    const stored = await this.#cache.read(key, (value) => this.#read(task, value));
    if (stored === 'damaged') onRemark?.(`${this.#cache.pathOf(key)}: is damaged; its trial is repeated`);
    const isCached = stored !== undefined && stored !== 'damaged';
    const figures = isCached ? Promise.resolve(stored) : this.#simulated(task, key);
    this.#found.set(key, figures);
    const result = await figures;
    if (signal?.aborted === true) throw new PlanInterrupted();
    this.#pages += result.simulatedPages;
    if (!isCached) this.#newPages += result.simulatedPages;
    return { figures: result, isCached };
  }

  async #simulated(task: TrialTask, key: string): Promise<TrialFigures> {
    const figures = await this.#pool.run(task, nameOf(task.experiment), key);
    if (figures === undefined) throw new PlanInterrupted();
    await this.#cache.write(key, figures);
    if (await this.#pool.stored?.(key) === false) await this.#takeBack(key);
    return figures;
  }

  async #takeBack(key: string): Promise<void> {
    await this.#cache.remove(key);
    if (this.#found.has(key)) this.#areTakenBack = true;
  }
}

function nameOf({ policy, processors, robots, seed }: ExperimentInput): string {
  return `${policy ?? ''}, ${processors ?? ''} x ${robots ?? ''} robots, seed ${seed ?? ''}`;
}

export const planScript: RunScript = {
  kind: 'plan', name: "the plan's threads", module: threadModule(import.meta.url, 'worker'),
};
