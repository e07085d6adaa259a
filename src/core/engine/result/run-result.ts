import { resourceUsage } from 'node:process';
import { packageVersion } from '../../../base/index.ts';
import {
  bytesPerArc, prepare, type GraphPart, type PreparedGraph, type WebGraph,
} from '../../../graphs/graph/index.ts';
import {
  recordFormat, replayHash, summarise, type ForkOf, type HostGivenUpRow, type Origins, type RunEvents, type RunHeader,
  type RunMemory, type RunResult, type RunSummary, type StatisticsResult,
} from '../../measure/index.ts';
import type { HostAddresses, HostTrouble, OutcomeKind } from '../../world/index.ts';
import type { StateMemory } from '../crews/crew.ts';
import { WholeGraph, type CrawledGraph, type LoadedGraph } from '../setup/graph/crawled-graph.ts';
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
  /** Undefined where addresses have no delay, or are not known. */
  readonly addresses?: HostAddresses | undefined;
  readonly statistics?: StatisticsResult | undefined;
  readonly forkOf?: ForkOf | undefined;
  /** Unknown of a run that was killed. */
  readonly state?: StateMemory | undefined;
  /** The name of a host, by the processors' number for it. Default: the graph's. */
  readonly hostName?: ((host: number) => string) | undefined;
}

/** The facts of a crawl before it begins. @param graph the stored graph; a live crawl has none. */
export function runHeader<E>(
  graph: CrawledGraph | undefined, experiment: E, origins: Origins, forkOf?: ForkOf,
): RunHeader<E> {
  if (graph === undefined) return { version: packageVersion(), format: recordFormat, experiment, origins };
  const { name, pages, arcs } = graph.pages;
  const dataset = { name, pages, arcs, sha256: graph.sha256 };
  return { version: packageVersion(), format: recordFormat, experiment, dataset, origins, ...(forkOf && { forkOf }) };
}

type Measured = SettledCrawl & MeasureSettings & Partial<Pick<SimulationSettings, 'network'>>;

/** The record of a crawl of `graph`, measured. */
export function runResult<E extends Measured>(
  graph: WebGraph | PreparedGraph, experiment: E, crawl: EndedCrawl,
): RunResult<E> {
  const whole = new WholeGraph(prepare(graph));
  return loadedResult(whole, whole.loaded(crawl.processorOfHost), experiment, crawl);
}

/** As `runResult`, for a graph of which only a part may be here. */
export function loadedResult<E extends Measured>(
  source: CrawledGraph, loaded: LoadedGraph, experiment: E, crawl: EndedCrawl,
): RunResult<E> {
  const { events, state } = crawl;
  const { summary, curves } = summarise({
    ...crawl,
    graph: source.pages,
    whole: () => source.whole('--measures all').graph,
    measures: experiment.measures,
    processors: experiment.processors,
    robots: experiment.robots,
    politenessUs: Math.round(1000 * experiment.politenessMs),
    deniedCost: experiment.deniedCost,
    processorBandwidth: experiment.network?.processorBandwidthBytesPerSecond,
    superstepUs: experiment.superstepMs === 0 ? undefined : 1000 * experiment.superstepMs,
    messageHeaderBytes: experiment.messageHeaderBytes,
    pairBytes: experiment.pairBytes,
    maxPages: experiment.maxPages,
    partition: loaded.modularity(),
  }, source.bestRanks(crawl.ranks, crawl.reachable));
  return {
    run: {
      version: packageVersion(),
      format: recordFormat,
      experiment,
      dataset: source.facts,
      replayHash: replayHash(events),
      summary,
      ...(events.changes.length > 0 && { changes: events.changes }),
      ...(crawl.forkOf && { forkOf: crawl.forkOf }),
      ...(state && { memory: memoryOf(loaded.graph, state) }),
    },
    events,
    curves,
    ...(crawl.statistics && { statistics: crawl.statistics }),
    ...(state !== undefined && state.hostsGivenUp.length > 0 && {
      hostsGivenUp: givenUpRows(state.hostsGivenUp, crawl.hostName ?? ((host) => source.pages.hosts.names.at(host))),
    }),
  };
}

const troubleWords: Readonly<Record<HostTrouble, string>> = {
  unreachable: 'out of reach', noSuchName: 'no such name', notAllowed: 'address not allowed',
};
const kindWords: Readonly<Partial<Record<OutcomeKind, string>>> = {
  refused: 'no connection', timeout: 'timed out', serverError: 'robots.txt: server error',
};

function givenUpRows(
  hosts: StateMemory['hostsGivenUp'], hostName: (host: number) => string,
): readonly HostGivenUpRow[] {
  return hosts.map(({ host, processor, trouble, kind, failures, sinceUs, atUs }) => ({
    host, name: hostName(host), processor, failures, firstFailureUs: sinceUs, givenUpUs: atUs,
    reason: trouble === undefined || trouble === 'unreachable' ? kindWords[kind] ?? 'out of reach' : troubleWords[trouble],
  }));
}

/** Peak memory of this process so far, including its threads. */
export function peakResidentBytes(): number {
  return 1024 * resourceUsage().maxRSS;
}

function memoryOf(graph: WebGraph | GraphPart, { pagesKnown, stateBytes }: StateMemory): RunMemory {
  return {
    graphBytesPerArc: bytesPerArc(graph),
    pagesKnown,
    stateBytesPerPage: stateBytes / Math.max(1, pagesKnown),
    peakResidentBytes: peakResidentBytes(),
  };
}
