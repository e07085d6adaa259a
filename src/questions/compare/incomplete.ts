import { hostAddresses, partitionHosts, runResult, settleSeeds, trueRanks } from '../../core/engine/index.ts';
import type { PreparedGraph } from '../../graphs/graph/index.ts';
import {
  bySuperstep, type IncompleteRun, type RunEvents, type RunResult, type SuperstepRow,
} from '../../core/measure/index.ts';
import type { SettledExperiment } from '../../core/settings/index.ts';
import { replayedStatistics } from '../../core/statistics/index.ts';
import { AssertionError, InputError } from '../../base/index.ts';

/**
 * A run that was killed, measured as if it had ended at the last superstep of its record.
 * @param prepared the graph that it crawled.
 * @param scores the scores that the policy needs, if it needs any.
 * @throws InputError if the record is damaged, or of another graph.
 */
export function measuredIncomplete(
  record: IncompleteRun<SettledExperiment>, prepared: PreparedGraph, scores?: Float64Array,
): RunResult<SettledExperiment> {
  const { experiment, folder, origins, version } = record;
  const { reachable, count } = settleSeeds(prepared, experiment);
  const processorOfHost = partitionHosts(prepared, experiment, reachable);
  const events = withProcessors(record, prepared, processorOfHost);
  try {
    const { run, ...result } = runResult(prepared, experiment, {
      events, ended: 'incomplete', ranks: trueRanks(prepared), scores, reachable, processorOfHost, origins,
      addresses: hostAddresses(prepared.graph, { ...experiment, processorOfHost }),
      statistics: replayedStatistics(experiment, events, {
        graph: prepared.graph, maxPages: Math.min(experiment.maxPages ?? Infinity, count),
      }),
    });
    return { ...result, run: { ...run, version } };
  } catch (error) {
    // The events come from a file: a failed assertion means that the file is wrong, not this program.
    if (error instanceof AssertionError) throw new InputError(`${folder}: the record is damaged: ${error.message}`);
    throw error;
  }
}

function withProcessors(
  { folder, events, experiment }: IncompleteRun<SettledExperiment>, { graph: { pages, hosts } }: PreparedGraph,
  processorOfHost: Uint32Array,
): RunEvents {
  const checkPages = (file: string, all: Iterable<number>): void => {
    for (const page of all) {
      if (page >= pages) throw new InputError(`${folder}/${file}: contains page ${page}, which the graph does not have`);
    }
  };
  checkPages('order.u32', events.order);
  checkPages('failures.csv', events.failures.map(({ page }) => page));
  const processorOf = (page: number): number => processorOfHost[hosts.ofPage[page]];
  const strange = events.failures.find(({ page, processor }) => processorOf(page) !== processor);
  if (strange !== undefined)
    throw new InputError(`${folder}/failures.csv: page ${strange.page} does not belong to processor ${strange.processor}`);
  checkRows(`${folder}/supersteps.csv`, bySuperstep(events.rows), experiment.processors);
  return { ...events, processors: events.order.map(processorOf) };
}

/** The first superstep has a row of each processor; later ones lack the rows of processors at rest. */
function checkRows(path: string, supersteps: readonly (readonly SuperstepRow[])[], processors: number): void {
  for (const [superstep, rows] of supersteps.entries()) {
    const isInOrder = rows.every((row, i) =>
      row.superstep === superstep && row.processor > (rows[i - 1]?.processor ?? -1) && row.processor < processors);
    if (!isInOrder || (superstep === 0 && rows.length < processors))
      throw new InputError(`${path}: lacks rows of some of the ${processors} processors, or has others`);
  }
}
