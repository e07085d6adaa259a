import type { GivenScores, SimulateOptions } from '../../../core/engine/index.ts';
import {
  prepare, restoredGraph, sharedFloat64, type PreparedGraph, type WebGraph,
} from '../../../graphs/graph/index.ts';
import { loadPolicy, type PolicyDefinition } from '../../../core/policy/index.ts';
import type { Experiment, PolicyOrigin } from '../../../core/settings/index.ts';

/** The file that a network was fitted to, and the checksum of the fit. */
export type FitOrigin = NonNullable<Experiment['network']['fit']>;

/** What all runs of a study or a plan share; its arrays are in shared memory. */
export interface RunContext {
  readonly prepared: PreparedGraph;
  /** True PageRank of every page. */
  readonly ranks: Float64Array;
  readonly scores: GivenScores | undefined;
  /** What is known of single hosts and pages, where the network was fitted to a crawl. */
  readonly fit: SimulateOptions['fit'];
  /** The crawl that it was fitted to. */
  readonly fitOrigin?: FitOrigin | undefined;
  /** The user's policies that runs may name. */
  readonly policies: readonly PolicyDefinition[];
}

/** The context as sent to a thread, which prepares its own graph. */
export interface ClonedContext extends Omit<RunContext, 'prepared' | 'policies'> {
  readonly graph: WebGraph;
  /** Functions cannot be cloned: each thread loads them. */
  readonly policyFiles: readonly PolicyFile[];
}

/** A policy of the user's, as records name its file, and where that is for a process in another folder. */
export interface PolicyFile extends PolicyOrigin {
  readonly path?: string | undefined;
}

export function clonedContext({ prepared: { graph }, policies, ...shared }: RunContext): ClonedContext {
  return { graph, policyFiles: policies.flatMap(({ origin }) => origin ?? []), ...shared };
}

/** The context in a thread, which loads the user's policies from their files. */
export async function restoredContext({ graph, policyFiles, ...shared }: ClonedContext): Promise<RunContext> {
  const policies = await Promise.all(policyFiles.map(async ({ file, sha256, path = file }) => (
    { ...await loadPolicy(path, sha256), origin: { file, sha256 } }
  )));
  return { ...shared, policies, prepared: prepare(restoredGraph(graph)) };
}

/** Scores in shared memory, so that threads need no copy. */
export function sharedScores(scores: GivenScores | undefined): GivenScores | undefined {
  if (scores === undefined) return undefined;
  const values = sharedFloat64(scores.values.length);
  values.set(scores.values);
  return { ...scores, values };
}
