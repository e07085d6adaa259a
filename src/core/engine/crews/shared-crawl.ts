import type { RunSink, Sinks } from '../../events/index.ts';
import type { SettledExperiment } from '../../settings/index.ts';
import type { CrawledGraph } from '../setup/graph/crawled-graph.ts';
import type { FetchedOf } from '../setup/history.ts';
import type { Crew } from './crew.ts';

/** A crawl on several machines. Each runs the loop over the crews of all machines, and so has the whole record. */
export interface SharedCrawl {
  /** Processors of this machine, ascending. @throws InputError if they do not suffice for all machines. */
  idsOf(processors: number): readonly number[];
  /** Hears the events of the run first. */
  readonly sink: RunSink;
  /** The crews of all machines, in place of this machine's; waits until the other machines are ready. */
  join(local: Crew, run: SharedRun): Promise<readonly Crew[]>;
}

/** The settings and the graph, which all machines must share, and the listeners to their crews. */
export interface SharedRun {
  readonly settings: SettledExperiment;
  readonly graph: Pick<CrawledGraph, 'pages' | 'sha256'>;
  /** They also hear the outcomes of the other machines' processors. */
  readonly sinks: Sinks;
  readonly fetchedOf: FetchedOf;
}
