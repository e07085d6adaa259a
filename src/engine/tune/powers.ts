import type { PreparedGraph } from '../../graph/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { partitionHosts } from '../setup/owners.ts';

/** The first power of two that is not below the largest number of pages on a processor: no larger R_x differs. */
export function largestPower(prepared: PreparedGraph, experiment: Experiment, reachable: Uint8Array): number {
  const { ofPage } = prepared.graph.hosts;
  const owners = partitionHosts(prepared, experiment, reachable);
  const held = new Float64Array(experiment.processors);
  reachable.forEach((one, page) => (held[owners[ofPage[page]]] += one));
  const most = Math.max(...held);
  let power = 1;
  while (power < most) power *= 2;
  return power;
}
