import { createRequire } from 'node:module';
import {
  bytesPerArc, graphChecksum, hostGraph, partitionModularity, prepare, type PreparedGraph, type WebGraph,
} from '../../graph/index.ts';
import {
  bestRanks, replayHash, summarise, type RunEvents, type RunHeader, type RunMemory, type RunResult, type RunSummary,
} from '../../measure/index.ts';
import type { StateMemory } from '../crew.ts';
import { datasetFacts } from './dataset-facts.ts';
import { peakResidentBytes } from './resident.ts';
import type { MeasureSettings, SettledCrawl } from '../../settings/index.ts';

/** Version of the run record's format and of the code that wrote it. */
const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** A crawl that has ended. */
export interface EndedCrawl {
  readonly events: RunEvents;
  readonly ended: RunSummary['ended'];
  /** True PageRank of the graph. */
  readonly ranks: Float64Array;
  /** Those that the order went by, where they were given. */
  readonly scores?: Float64Array | undefined;
  /** Pages that the seed pages reach. */
  readonly reachable: Uint8Array;
  readonly processorOfHost: Uint32Array;
  readonly superstepLimitOrigin: string;
  /** Unknown of a run that was killed. */
  readonly state?: StateMemory | undefined;
}

/** What is known of a simulation of `graph` before it begins. */
export function runHeader<E>(graph: PreparedGraph, experiment: E, superstepLimitOrigin: string): RunHeader<E> {
  const { name, pages, arcs } = graph.graph;
  return {
    version, experiment, dataset: { name, pages, arcs, sha256: graphChecksum(graph) }, superstepLimitOrigin,
  };
}

/** The record of a crawl of `graph`, measured. */
export function runResult<E extends SettledCrawl & MeasureSettings>(
  graph: WebGraph | PreparedGraph, experiment: E, crawl: EndedCrawl,
): RunResult<E> {
  const prepared = prepare(graph);
  const { events, processorOfHost, state } = crawl;
  const { summary, curves } = summarise({
    ...crawl,
    graph: prepared.graph,
    measures: experiment.measures,
    processors: experiment.processors,
    robots: experiment.robots,
    superstepLimit: experiment.superstepLimit,
    politenessUs: Math.round(1000 * experiment.politenessMs),
    messageHeaderBytes: experiment.messageHeaderBytes,
    pairBytes: experiment.pairBytes,
    maxPages: experiment.maxPages,
    partition: partitionModularity(hostGraph(prepared), processorOfHost),
  }, bestRanks(prepared, crawl.ranks, crawl.reachable));
  return {
    run: {
      version,
      experiment,
      dataset: datasetFacts(prepared),
      replayHash: replayHash(events),
      summary,
      ...(events.changes.length > 0 && { changes: events.changes }),
      ...(state && { memory: memoryOf(prepared.graph, state) }),
    },
    events,
    curves,
  };
}

function memoryOf(graph: WebGraph, { pagesKnown, stateBytes }: StateMemory): RunMemory {
  return {
    graphBytesPerArc: bytesPerArc(graph),
    pagesKnown,
    stateBytesPerPage: stateBytes / Math.max(1, pagesKnown),
    peakResidentBytes: peakResidentBytes(),
  };
}
