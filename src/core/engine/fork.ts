import type { PreparedGraph, WebGraph } from '../../graphs/graph/index.ts';
import type { ForkLeg } from '../measure/index.ts';
import { InputError } from '../../base/index.ts';
import { withEarlierDefaults, type ExperimentInput } from '../settings/index.ts';
import type { ExactCheckpoint } from './setup/exact-checkpoint.ts';
import { simulate, type SimulateOptions } from './simulate.ts';

/**
 * Replays these legs of a run, and returns the end of the last one: a fork goes on from there (`SimulateOptions.from`).
 *
 * @param source - the graph that was crawled.
 * @param legs - at least one; their supersteps ascend.
 * @param options - with all changes of the run.
 * @throws InputError if it ends before, or `signal` is aborted.
 */
export async function checkpointAfter(
  source: WebGraph | PreparedGraph, legs: readonly ForkLeg[],
  options: Pick<SimulateOptions, 'ranks' | 'scores' | 'fit' | 'policies' | 'signal' | 'sinks' | 'changes'> = {},
): Promise<ExactCheckpoint> {
  const { signal, changes = [] } = options;
  let from: ExactCheckpoint | undefined;
  for (const { experiment, untilSuperstep } of legs) {
    const reached = new AbortController();
    const begins = from?.superstep ?? 0;
    let end: ExactCheckpoint | undefined;
    const input = { ...withEarlierDefaults(experiment as ExperimentInput), statistics: 'off' } as const;
    const { run: { summary } } = await simulate(source, input, {
      ...options, from,
      changes: changes.filter(({ superstep }) => superstep >= begins && superstep < untilSuperstep),
      signal: AbortSignal.any([reached.signal, ...(signal ? [signal] : [])]),
      checkpoints: {
        isDue: (superstep) => superstep === untilSuperstep,
        take: (checkpoint) => {
          end = checkpoint;
          reached.abort();
        },
      },
    });
    from = end;
    if (from === undefined) {
      if (signal?.aborted === true) throw new InputError('interrupted before the superstep was reached');
      throw new InputError(
        `superstep ${untilSuperstep}: the run has supersteps 0 to ${summary.supersteps - 1}`, { field: 'at' },
      );
    }
  }
  if (from === undefined) throw new InputError('a fork needs the settings of the run that it begins as');
  return from;
}
