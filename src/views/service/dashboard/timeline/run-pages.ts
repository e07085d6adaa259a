import type { PreparedGraph } from '../../../../graphs/graph/index.ts';

/** Facts about the pages of a run that only its graph has. */
export interface RunPages {
  readonly graph: PreparedGraph;
  /** The processor of each host, by the run's partition. */
  readonly processorOfHost: Uint32Array;
  readonly seedPages: readonly number[];
  /** 1 for each page within reach of the seed pages. */
  readonly reachable: Uint8Array;
  /** URL without scheme; undefined if the graph has none. */
  nameOf(page: number): string | undefined;
  /** The processor of a page, by the run's partition. */
  processorOf(page: number): number;
}

/** Facts that identify the graph of a run. */
export interface RunOfPages {
  readonly experiment: unknown;
  /** Names of the catalogue or paths of the graph, in the order of attempts. */
  readonly graphs: readonly string[];
  /** Checksum of the graph. */
  readonly sha256: string;
}

/** Opens the graph of a run; undefined where it is not there, or another now. The command line implements it. */
export type PagesOpener = (run: RunOfPages) => Promise<RunPages | undefined>;
