import { superstepColumns, type RunEvents } from '../../src/core/measure/index.ts';
import type { SuperstepRow } from '../../src/core/events/index.ts';

/** A row of nothing but what is named. */
export function row(of: Partial<SuperstepRow>): SuperstepRow {
  const empty = Object.fromEntries(superstepColumns.map((column) => [column, 0])) as unknown as SuperstepRow;
  return { ...empty, ...of };
}

/** Two processors, three pages, one failure between them, two supersteps. */
export function smallRun(): { -readonly [K in keyof RunEvents]: RunEvents[K] } {
  return {
    order: Uint32Array.of(4, 9, 2),
    processors: Uint32Array.of(0, 1, 1),
    times: Float64Array.of(0, 100, 0, 150, 160, 300),
    failures: [{ position: 1, processor: 0, page: 7, kind: 'timeout', startedUs: 5, finishedUs: 120 }],
    rows: [
      row({ superstep: 0, processor: 0, barrierUs: 200, pages: 1, failures: 1, pairsSent: 3 }),
      row({ superstep: 0, processor: 1, barrierUs: 200, pages: 1, pairsSent: 1 }),
      row({ superstep: 1, processor: 0, barrierUs: 400 }),
      row({ superstep: 1, processor: 1, barrierUs: 400, pages: 1 }),
    ],
    crashes: [],
    changes: [],
  };
}
