import type { RunSink } from '../events/index.ts';

/** How far a simulation has come. */
export interface Progress {
  readonly superstep: number;
  readonly pagesFetched: number;
  /** Pages that the run can fetch: the page limit or the pages reachable. */
  readonly pagesExpected: number;
  readonly virtualSeconds: number;
}

/** A sink that reports progress at every barrier. */
export function progressSink(onProgress: (progress: Progress) => void): RunSink {
  let pagesExpected = 0;
  return {
    started: ({ maxPages }) => { pagesExpected = maxPages; },
    superstep: ({ superstep, barrierUs, pagesFetched }) => {
      onProgress({ superstep, pagesFetched, pagesExpected, virtualSeconds: barrierUs / 1e6 });
    },
  };
}
