import type { PreparedGraph } from '../../../../graphs/graph/index.ts';

/** What the record of a run does not say of its pages, and its graph does. */
export interface RunPages {
  readonly graph: PreparedGraph;
  /** By the run's partition. */
  readonly processorOfHost: Uint32Array;
  readonly seedPages: readonly number[];
  /** 1 for each page within reach of the seed pages. */
  readonly reachable: Uint8Array;
  /** URL without scheme; undefined if the graph has none. */
  nameOf(page: number): string | undefined;
  /** By the run's partition. */
  processorOf(page: number): number;
}

/** What it takes to find the graph of a run. */
export interface RunOfPages {
  readonly experiment: unknown;
  /** Where the graph is, in the order in which they are tried: names of the catalogue or paths. */
  readonly graphs: readonly string[];
  /** Checksum of the graph. */
  readonly sha256: string;
}

/** Opens the graph of a run; undefined where it is not there, or another now. The command line implements it. */
export type PagesOpener = (run: RunOfPages) => Promise<RunPages | undefined>;
