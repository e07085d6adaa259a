import {
  defaultSeeds, prepare, reach, type DefaultSeeds, type GraphPages, type PreparedGraph, type Reach, type WebGraph,
} from '../../../graphs/graph/index.ts';
import { leastQueueMemoryBytes } from '../../queue/index.ts';
import { InputError } from '../../../base/index.ts';
import type { Origins } from '../../measure/index.ts';
import {
  largestBlock, pendingOrigin, superstepLimitOrigin, type CrawlSettings, type Experiment, type SettledCrawl,
  type SettledExperiment, type SimulationSettings,
} from '../../settings/index.ts';

/** The seed pages of a run, the pages that they reach, and the rule that chose them, or that the user named them. */
export interface SettledSeeds extends Reach {
  readonly seedPages: number[];
  readonly origin: DefaultSeeds['origin'] | 'named';
}

/** Settles the seed pages of an experiment. @throws InputError for a page that the graph does not have. */
export function settleSeeds(
  source: WebGraph | PreparedGraph, experiment: Pick<SimulationSettings, 'seedPages'>,
): SettledSeeds {
  const prepared = prepare(source);
  const { graph } = prepared;
  const { seeds, origin } = experiment.seedPages === undefined ? defaultSeeds(graph)
    : { seeds: experiment.seedPages, origin: 'named' as const };
  const seedPages = [...seeds];
  checkSeeds(graph, seedPages);
  return { ...reach(prepared, seedPages), seedPages, origin };
}

function checkSeeds(graph: GraphPages, seedPages: readonly number[]): void {
  const pages = new Set<number>();
  for (const page of seedPages) {
    if (page >= graph.pages) {
      throw new InputError(`seed page ${page} does not exist: ${graph.name} has pages 0 to ${graph.pages - 1}`, {
        field: 'seedPages',
      });
    }
    if (pages.has(page)) throw new InputError(`seed page ${page} is named twice`, { field: 'seedPages' });
    pages.add(page);
  }
}

/** Keys in a block of the CBT where neither they nor R_x are set. */
const defaultBlock = 96;

/** The settings of a crawl that follow from others. */
export function settleCrawl<S extends CrawlSettings>(settings: S): S & SettledCrawl {
  const { queue, superstepLimit = defaultBlock } = settings;
  return { ...settings, queue: { ...queue, block: queue.block ?? Math.min(superstepLimit, largestBlock) } };
}

/** The origins of settings that users often leave out: `given`, or the reason for their value. */
export function originsOf(settings: CrawlSettings): Origins {
  return { superstepLimit: superstepLimitOrigin(settings), pending: pendingOrigin(settings) };
}

/** The experiment with the settings that follow from others. @throws InputError if the queues' memory is too small. */
export function settle(
  experiment: Experiment, superstepLimit: number | undefined, seedPages: number[],
): SettledExperiment {
  const settled = settleCrawl({ ...experiment, superstepLimit });
  const queue = { ...experiment.queue, block: settled.queue.block };
  checkQueueMemory(queue);
  return { ...settled, queue, seedPages };
}

function checkQueueMemory({ kind, block, slices, memoryBytes }: SettledExperiment['queue']): void {
  if (memoryBytes === 0 || kind === 'binary-heap') return;
  const least = leastQueueMemoryBytes({ kind, block, slices });
  if (memoryBytes >= least) return;
  const blocks = kind === 'cbt' ? ` with blocks of ${Math.ceil(block / slices)} keys` : '';
  throw new InputError(
    `queue memory of ${memoryBytes} bytes (--queue-memory-bytes): too small for a ${kind}${blocks} in ${slices} ${slices === 1 ? 'slice' : 'slices'}; ` +
      `must be at least ${least}, or 0 for queues in memory`,
    { field: 'queue.memoryBytes' },
  );
}
