import {
  graphChecksum, hostGraph, partitionModularity, type GraphPages, type GraphPart, type PartitionModularity,
  type PreparedGraph, type WebGraph,
} from '../../../../graphs/graph/index.ts';
import { bestRanks, type DatasetFacts } from '../../../measure/index.ts';
import type { SimulationSettings } from '../../../settings/index.ts';
import { datasetFacts } from '../../result/dataset-facts.ts';
import { partitionHosts, type PartitionSettings } from '../owners.ts';
import { trueRanks } from '../ranks.ts';
import { settleSeeds, type SettledSeeds } from '../settled.ts';

/** The links that a run needs, and what follows from the partition. */
export interface LoadedGraph {
  readonly graph: WebGraph | GraphPart;
  modularity(): PartitionModularity;
}

/**
 * The graph as a simulation asks for it. `WholeGraph` has all links in memory, and computes. `PartialGraph` has the
 * links of some processors' pages, and reads from a file what was computed from all links.
 */
export interface CrawledGraph {
  readonly pages: GraphPages;
  /** Checksum of the whole graph. */
  readonly sha256: string;
  /** The facts of the whole graph, for the record. */
  readonly facts: DatasetFacts;
  /** @throws InputError for a page that the graph does not have, or seed pages whose reach is not known. */
  seeds(experiment: Pick<SimulationSettings, 'seedPages'>): SettledSeeds;
  /** Processor of each host. */
  owners(settings: PartitionSettings, reachable: Uint8Array): Uint32Array;
  /** The links of the pages of processors `ids`; of all by default. */
  load(processorOfHost: Uint32Array, ids?: readonly number[]): Promise<LoadedGraph>;
  /** True PageRank of every page. */
  ranks(): Promise<Float64Array>;
  /** Ranks of the pages within reach, falling. */
  bestRanks(ranks: Float64Array, reachable: Uint8Array): Float64Array;
  /** The graph with all links. @throws InputError where they are not here. @param what needs it. */
  whole(what: string): PreparedGraph;
}

/** All links are in memory. */
export class WholeGraph implements CrawledGraph {
  readonly pages: GraphPages;
  readonly #prepared: PreparedGraph;

  constructor(prepared: PreparedGraph) {
    this.pages = prepared.graph;
    this.#prepared = prepared;
  }

  get sha256(): string {
    return graphChecksum(this.#prepared);
  }

  get facts(): DatasetFacts {
    return datasetFacts(this.#prepared);
  }

  seeds(experiment: Pick<SimulationSettings, 'seedPages'>): SettledSeeds {
    return settleSeeds(this.#prepared, experiment);
  }

  owners(settings: PartitionSettings, reachable: Uint8Array): Uint32Array {
    return partitionHosts(this.#prepared, settings, reachable);
  }

  load(processorOfHost: Uint32Array): Promise<LoadedGraph> {
    return Promise.resolve(this.loaded(processorOfHost));
  }

  /** As `load`, at once. */
  loaded(processorOfHost: Uint32Array): LoadedGraph {
    const modularity = (): PartitionModularity => partitionModularity(hostGraph(this.#prepared), processorOfHost);
    return { graph: this.#prepared.graph, modularity };
  }

  ranks(): Promise<Float64Array> {
    return Promise.resolve(trueRanks(this.#prepared));
  }

  bestRanks(ranks: Float64Array, reachable: Uint8Array): Float64Array {
    return bestRanks(this.#prepared, ranks, reachable);
  }

  whole(): PreparedGraph {
    return this.#prepared;
  }
}
