import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openGraph } from '../../graphs/catalogue/index.ts';
import { measuredIncomplete, type Measure } from '../../questions/compare/index.ts';
import { withScores } from '../../core/engine/index.ts';
import { graphChecksum, prepare, type PreparedGraph, type WebGraph } from '../../graphs/graph/index.ts';
import type { IncompleteRun } from '../../core/measure/index.ts';
import { shippedPolicies } from '../../core/policy/index.ts';
import { policiesUsed, recordedPolicies, type SettledExperiment } from '../../core/settings/index.ts';
import { InputError } from '../../base/index.ts';
import { scoresFrom } from './rank-algorithms.ts';
import type { OpenedGraphs } from './compared/graphs.ts';

type Run = IncompleteRun<SettledExperiment>;

/** Measures runs that were killed. @param graphs the user's, which come before the graphs of records. */
export function measuring(opened: OpenedGraphs, graphs: readonly string[]): Measure {
  return async (run) => {
    const graph = run.dataset === undefined ? opened.add(await crawledSoFar(run)) : await graphOf(run, opened, graphs);
    return measuredIncomplete(run, graph, await scoresOf(run, graph.graph));
  };
}

async function graphOf(
  { folder, graph: source, dataset }: Run, opened: OpenedGraphs, graphs: readonly string[],
): Promise<PreparedGraph> {
  const sha256 = dataset?.sha256 ?? '';
  for (const name of graphs) await opened.open(name);
  const match = opened.bySha256.get(sha256);
  if (match !== undefined) return match;
  const problem = `${folder}: the figures of a run that was killed take the graph that it crawled`;
  if (source === undefined) throw new InputError(`${problem}, which the record does not name: name it with --graph`);
  const graph = await opened.open(source).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`${problem}: name it with --graph, for ${error.message}`);
  });
  const checksum = graphChecksum(graph);
  if (checksum === sha256) return graph;
  throw new InputError(
    `${problem}: name it with --graph, for ${source} is another now (SHA-256 ${checksum.slice(0, 16)}..., not ${sha256.slice(0, 16)}...)`,
  );
}

/** The graph of what a live crawl has stored, made in a temporary file. */
async function crawledSoFar({ folder, experiment: { seedPages } }: Run): Promise<PreparedGraph> {
  // Loaded when it is needed: it costs every other comparison a third of a second.
  const { openLmdbStore, writeCrawledGraph } = await import('../../core/live/index.ts');
  const store = await openLmdbStore(join(dirname(folder), 'store'));
  const temporary = await mkdtemp(join(tmpdir(), 'orbweaver-crawled-'));
  try {
    await writeCrawledGraph(store, join(temporary, 'graph.owg'), seedPages);
    return prepare(await openGraph(join(temporary, 'graph.owg')));
  } finally {
    await rm(temporary, { recursive: true });
    await store.close();
  }
}

async function scoresOf({ folder, experiment, scores: file }: Run, graph: WebGraph): Promise<Float64Array | undefined> {
  const policies = [...shippedPolicies.settings.policies, ...recordedPolicies(experiment)];
  if (!policiesUsed(policies, experiment).some(({ needs }) => needs.includes('scores'))) return undefined;
  if (file === undefined) throw new InputError(`${folder}: the record does not say where the run had its scores`);
  const { scores: values } = await scoresFrom(file, graph);
  withScores(graph, experiment, { file, values });
  return values;
}
