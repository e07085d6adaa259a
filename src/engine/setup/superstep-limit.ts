import type { PreparedGraph } from '../../graph/index.ts';
import type { Experiment } from '../../settings/index.ts';
import { tune, type TuneOptions } from '../tune/tune.ts';

/** R_x, and where it came from. */
export interface SuperstepLimit {
  readonly pages: number;
  readonly origin: string;
}

/** R_x as set, or as tuned; if tuning finds none, ceil(reachable / (20 P)): twenty message exchanges per crawl. */
export async function settleSuperstepLimit(
  prepared: PreparedGraph,
  experiment: Experiment,
  ranks: Float64Array,
  reachablePages: number,
  { signal, policies }: Pick<TuneOptions, 'signal' | 'policies'>,
): Promise<SuperstepLimit> {
  if (experiment.superstepLimit !== 'auto') return { pages: experiment.superstepLimit, origin: 'given' };
  const [tuned] = await tune(prepared, experiment, [experiment.processors], { ranks, signal, policies });
  if (tuned.superstepLimit !== null)
    return { pages: tuned.superstepLimit, origin: `tuned, stale error at most ${tuned.epsilon}` };
  const pages = Math.ceil(reachablePages / (20 * experiment.processors));
  return { pages, origin: `ceil(reachable/(20 P)), since tuning found none: ${tuned.reason ?? ''}` };
}
