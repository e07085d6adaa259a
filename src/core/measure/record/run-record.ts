import { InputError } from '../../../base/index.ts';
import type { DatasetFacts, ForkOf } from './record.ts';
import type { RunEvents } from './events.ts';
import type { OrderedTarget } from './total-order.ts';

/** Origins of settings that users often leave out: `given`, tuned, or the reason for their value. */
export interface Origins {
  readonly superstepLimit: string;
  readonly pending: string;
}

/**
 * Format of a record's files. 2: `supersteps.csv` has no rows of processors at rest. 1, also if the record names none:
 * it has a row for each processor, and reads as 2.
 */
export const recordFormat = 2;

/** @throws InputError where `format` is of a later version. @param path where it was read. */
export function checkFormat(format: number | undefined, path: string): void {
  if ((format ?? 1) > recordFormat)
    throw new InputError(`${path}: is of format ${format}; this version reads records up to format ${recordFormat}`);
}

/** What is known of a run before it begins: with it and the events, all figures can be made again. */
export interface RunHeader<E = unknown> {
  readonly version: string;
  /** `recordFormat`; absent from records of the first. */
  readonly format?: number | undefined;
  readonly experiment: E;
  /** The stored graph; a live crawl has none before it ends. */
  readonly dataset?: Pick<DatasetFacts, 'name' | 'pages' | 'arcs' | 'sha256'> | undefined;
  readonly origins: Origins;
  /** The run as which a fork began. */
  readonly forkOf?: ForkOf | undefined;
}

/** Holds the events of a run while it goes on: in memory (MemoryRecord) or on disk (DiskRecord). */
export interface RunRecord extends OrderedTarget {
  /** Before the first event. @param processorOf the processor that fetches a page. */
  begin?(header: RunHeader, processorOf: (page: number) => number): void;
  /** What has been settled. */
  events(): RunEvents;
}
