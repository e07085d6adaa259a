import { superstepLimitOrigin, type Experiment } from '../../settings/index.ts';
import { tune, type TuneOptions } from '../tune/tune.ts';
import type { CrawledGraph } from './graph/crawled-graph.ts';

/** R_x, and where it came from. */
export interface SuperstepLimit {
  /** Undefined: as the rule has it. */
  readonly pages: number | undefined;
  readonly origin: string;
}

/**
 * R_x as set, by default, or as tuned; if tuning finds none, ceil(reachable / (20 P)): twenty message exchanges per
 * crawl.
 */
export async function settleSuperstepLimit(
  graph: CrawledGraph,
  experiment: Experiment,
  reachablePages: number,
  { ranks, signal, policies }: Pick<TuneOptions, 'ranks' | 'signal' | 'policies'>,
): Promise<SuperstepLimit> {
  const { superstepLimit } = experiment;
  if (superstepLimit !== 'auto')
    return { pages: superstepLimit, origin: superstepLimitOrigin({ ...experiment, superstepLimit }) };
  const prepared = graph.whole('--superstep-limit auto');
  const [tuned] = await tune(prepared, experiment, [experiment.processors], { ranks, signal, policies });
  if (tuned.superstepLimit !== null)
    return { pages: tuned.superstepLimit, origin: `tuned, stale error at most ${tuned.epsilon}` };
  const pages = Math.ceil(reachablePages / (20 * experiment.processors));
  return { pages, origin: `ceil(reachable/(20 P)), since tuning found none: ${tuned.reason ?? ''}` };
}
