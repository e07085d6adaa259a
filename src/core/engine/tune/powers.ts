import type { PreparedGraph } from '../../../graphs/graph/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { partitionHosts } from '../setup/owners.ts';

/** The limits tried first are so many times the one before; then those between the best and its neighbours. */
const COARSE = 4;

/** Limits tried first: 1, 4, 16, ..., to the first that no processor has more pages than, beyond which none differs. */
export function coarseLimits(prepared: PreparedGraph, experiment: Experiment, reachable: Uint8Array): number[] {
  const { ofPage } = prepared.graph.hosts;
  const owners = partitionHosts(prepared, experiment, reachable);
  const loads = new Float64Array(experiment.processors);
  reachable.forEach((isReachable, page) => (loads[owners[ofPage[page]]] += isReachable));
  const most = Math.max(...loads);
  const limits = [1];
  while (limits[limits.length - 1] < most) limits.push(COARSE * limits[limits.length - 1]);
  return limits;
}
