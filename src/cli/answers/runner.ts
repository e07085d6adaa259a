import {
  checkpointAfter, progressSink, simulateOn, trueRanks, type CrawledGraph, type FittedNetwork,
  type GivenScores, type Progress, type SimulateOptions,
} from '../../core/engine/index.ts';
import type { SharedSimulation } from '../../machines/cluster/index.ts';
import type { Change } from '../../core/events/index.ts';
import { shippedPolicies, type PolicyRegistry } from '../../core/policy/index.ts';
import type { ExperimentInput, SettledExperiment } from '../../core/settings/index.ts';
import type { PreparedGraph } from '../../graphs/graph/index.ts';
import { pagesCsv, verifyRun, type RunRecord, type RunResult } from '../../core/measure/index.ts';
import { pageRankResidual } from '../../graphs/rank/index.ts';
import { assert } from '../../base/index.ts';
import type { Watching } from '../watched.ts';
import { clock, grouped, percent } from '../text/figures.ts';
import { ProgressLine } from '../text/progress.ts';
import { checkForkGraph, type Fork } from './fork.ts';

export type FinishedRun = RunResult<SettledExperiment>;

export interface RunnerOptions {
  readonly label?: string;
  readonly record?: RunRecord | undefined;
  /** Changes of an earlier run, made again. */
  readonly changes?: readonly Change[] | undefined;
  /** What the run goes on from. */
  readonly fork?: Fork | undefined;
  readonly shared?: SharedSimulation | undefined;
  readonly watching?: Watching | undefined;
}

/** The content of files that settings name. */
export interface RunFiles {
  readonly scores?: GivenScores | undefined;
  readonly fit?: FittedNetwork | undefined;
}

/**
 * Runs simulations of one graph for a command: shared results are computed once, progress is shown, SIGINT ends the
 * open run.
 */
export class Runner {
  readonly graph: CrawledGraph;
  readonly policies: PolicyRegistry;
  readonly signal: AbortSignal;
  readonly #files: RunFiles;
  readonly #progress = new ProgressLine();

  constructor(graph: CrawledGraph, signal: AbortSignal, policies = shippedPolicies, files: RunFiles = {}) {
    this.policies = policies;
    this.graph = graph;
    this.signal = signal;
    this.#files = files;
    this.#progress.show(() => `${graph.pages.name}: ranking ${grouped(graph.pages.pages)} pages`);
  }

  /** The graph with all links. @throws InputError where they are not here. */
  get prepared(): PreparedGraph {
    return this.graph.whole('this');
  }

  /** `label` goes before the progress of this run; `record` holds its events, in memory where it is left out. */
  async run(
    input: ExperimentInput, { label = '', record, changes = [], fork, watching, shared }: RunnerOptions = {},
  ): Promise<FinishedRun> {
    const watch = watching?.watch;
    if (watch !== undefined) await this.#rank(watch, input);
    try {
      const begun = fork && await this.#begun(fork);
      const result = await simulateOn(this.graph, input, {
        ...begun,
        shared,
        scores: this.#files.scores,
        fit: this.#files.fit?.fit,
        changes: begun?.changes ?? changes,
        policies: this.policies.added,
        signal: this.signal,
        record,
        control: watching?.control,
        onStatistics: watch && ((row) => { watch.statistics(row); }),
        sinks: [progressSink((progress) => { this.#show(progress, label); }), ...(watch ? [watch] : [])],
      });
      await shared?.ended(result.run.replayHash);
      return result;
    } finally {
      this.#progress.clear();
    }
  }

  /** The run that a fork begins as, at the superstep where it leaves it. */
  async #begun(fork: Fork): Promise<Pick<SimulateOptions, 'from' | 'forkOf' | 'changes'>> {
    const { forkOf, changes } = fork;
    checkForkGraph(this.prepared.graph, fork);
    const from = await checkpointAfter(this.prepared, forkOf.legs, {
      scores: this.#files.scores, fit: this.#files.fit?.fit, policies: this.policies.added, signal: this.signal,
      changes,
      sinks: [progressSink((progress) => { this.#show(progress, 'replaying: '); })],
    });
    return { from, forkOf, changes: changes.filter(({ superstep }) => superstep >= forkOf.superstep) };
  }

  /** The watch draws what is gathered, and the most that could be. */
  async #rank(watch: Watching['watch'], { seedPages }: ExperimentInput): Promise<void> {
    const ranks = await this.graph.ranks();
    watch.rankBy(ranks, this.graph.bestRanks(ranks, this.graph.seeds({ seedPages }).reachable));
  }

  /** `pages.csv` of a run, in pieces. */
  async pagesCsv({ events }: FinishedRun): Promise<Iterable<string>> {
    return pagesCsv(this.graph.pages, { events, ranks: await this.graph.ranks() });
  }

  #show({ superstep, pagesFetched, pagesExpected, virtualSeconds }: Progress, label: string): void {
    this.#progress.show(
      () =>
        `${label}superstep ${grouped(superstep + 1)}: ${grouped(pagesFetched)} of ${grouped(pagesExpected)} pages ` +
        `(${percent(pagesFetched / pagesExpected)}), virtual time ${clock(virtualSeconds)}`,
    );
  }

  /**
   * Checks a run, and the ranks used to measure it, with independent code; returns a sentence on what was
   * checked.
   * @throws AssertionError if something does not hold: that is an internal error.
   */
  verify(result: FinishedRun): string {
    const { graph } = this.prepared;
    verifyRun(graph, result.run.experiment, result.events, result.run.summary.ended, result.hostsGivenUp);
    const bound = pageRankResidual(graph, trueRanks(this.prepared), 0.85);
    assert(bound <= 1e-9, () => `ranks are only within ${bound} of PageRank, not within 1e-9`);
    return (
      `verified: the record of ${grouped(result.run.summary.pagesFetched)} pages against the graph; ` +
      `ranks within ${bound.toExponential(1)} (L1) of PageRank, measured independently`
    );
  }
}
