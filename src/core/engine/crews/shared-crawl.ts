import type { RunSink, Sinks } from '../../events/index.ts';
import type { SettledExperiment } from '../../settings/index.ts';
import type { CrawledGraph } from '../setup/graph/crawled-graph.ts';
import type { FetchedOf } from '../setup/history.ts';
import type { Crew } from './crew.ts';

/**
 * A crawl of which this machine has some of the processors, and other machines the rest. Each machine runs the loop
 * over all crews, its own and those of the others, and so has the whole record.
 */
export interface SharedCrawl {
  /** Processors of this machine, ascending. @throws InputError if they do not suffice for all machines. */
  idsOf(processors: number): readonly number[];
  /** Hears the events of the run first. */
  readonly sink: RunSink;
  /** All crews, made of this machine's own; waits until the other machines are ready. */
  join(local: Crew, run: SharedRun): Promise<readonly Crew[]>;
}

/** What the other machines must agree in, and what their crews report. */
export interface SharedRun {
  readonly settings: SettledExperiment;
  readonly graph: Pick<CrawledGraph, 'pages' | 'sha256'>;
  /** Are to hear the outcomes of the others' processors. */
  readonly sinks: Sinks;
  readonly fetchedOf: FetchedOf;
}
