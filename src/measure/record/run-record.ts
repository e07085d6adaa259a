import type { DatasetFacts } from './record.ts';
import type { RunEvents } from './events.ts';
import type { OrderedTarget } from './total-order.ts';

/** Where settings that users often leave out come from: `given`, tuned, or the reason for their value. */
export interface Origins {
  readonly superstepLimit: string;
  readonly pending: string;
}

/** What is known of a run before it begins: with it and the events, all figures can be made again. */
export interface RunHeader<E = unknown> {
  readonly version: string;
  readonly experiment: E;
  /** The stored graph; a live crawl has none before it ends. */
  readonly dataset?: Pick<DatasetFacts, 'name' | 'pages' | 'arcs' | 'sha256'> | undefined;
  readonly origins: Origins;
}

/** Holds the events of a run while it goes on: in memory (MemoryRecord) or on disk (DiskRecord). */
export interface RunRecord extends OrderedTarget {
  /** Before the first event. @param processorOf the processor that fetches a page. */
  begin?(header: RunHeader, processorOf: (page: number) => number): void;
  /** What has been settled. */
  events(): RunEvents;
}
