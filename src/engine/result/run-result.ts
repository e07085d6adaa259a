import { packageVersion } from '../../base/index.ts';
import {
  bytesPerArc, graphChecksum, hostGraph, partitionModularity, prepare, type PreparedGraph, type WebGraph,
} from '../../graph/index.ts';
import {
  bestRanks, recordFormat, replayHash, summarise, type ForkOf, type Origins, type RunEvents, type RunHeader,
  type RunMemory, type RunResult, type RunSummary, type StatisticsResult,
} from '../../measure/index.ts';
import type { StateMemory } from '../crews/crew.ts';
import { datasetFacts } from './dataset-facts.ts';
import { peakResidentBytes } from './resident.ts';
import type { MeasureSettings, SettledCrawl, SimulationSettings } from '../../settings/index.ts';

/** A crawl that has ended. */
export interface EndedCrawl {
  readonly events: RunEvents;
  readonly ended: RunSummary['ended'];
  /** True PageRank of the graph. */
  readonly ranks: Float64Array;
  /** The scores that the order depends on, if any. */
  readonly scores?: Float64Array | undefined;
  /** Pages that the seed pages reach. */
  readonly reachable: Uint8Array;
  readonly processorOfHost: Uint32Array;
  readonly origins: Origins;
  readonly statistics?: StatisticsResult | undefined;
  readonly forkOf?: ForkOf | undefined;
  /** Unknown of a run that was killed. */
  readonly state?: StateMemory | undefined;
}

/** What is known of a crawl before it begins. @param prepared the stored graph; a live crawl has none. */
export function runHeader<E>(
  prepared: PreparedGraph | undefined, experiment: E, origins: Origins, forkOf?: ForkOf,
): RunHeader<E> {
  if (prepared === undefined) return { version: packageVersion(), format: recordFormat, experiment, origins };
  const { name, pages, arcs } = prepared.graph;
  const dataset = { name, pages, arcs, sha256: graphChecksum(prepared) };
  return { version: packageVersion(), format: recordFormat, experiment, dataset, origins, ...(forkOf && { forkOf }) };
}

/** The record of a crawl of `graph`, measured. */
export function runResult<E extends SettledCrawl & MeasureSettings & Partial<Pick<SimulationSettings, 'network'>>>(
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
    politenessUs: Math.round(1000 * experiment.politenessMs),
    processorBandwidth: experiment.network?.processorBandwidthBytesPerSecond,
    hostBandwidth: experiment.network?.bandwidthBytesPerSecond,
    messageHeaderBytes: experiment.messageHeaderBytes,
    pairBytes: experiment.pairBytes,
    maxPages: experiment.maxPages,
    partition: partitionModularity(hostGraph(prepared), processorOfHost),
  }, bestRanks(prepared, crawl.ranks, crawl.reachable));
  return {
    run: {
      version: packageVersion(),
      format: recordFormat,
      experiment,
      dataset: datasetFacts(prepared),
      replayHash: replayHash(events),
      summary,
      ...(events.changes.length > 0 && { changes: events.changes }),
      ...(crawl.forkOf && { forkOf: crawl.forkOf }),
      ...(state && { memory: memoryOf(prepared.graph, state) }),
    },
    events,
    curves,
    ...(crawl.statistics && { statistics: crawl.statistics }),
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
