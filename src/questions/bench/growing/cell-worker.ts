import { workerData } from 'node:worker_threads';
import { answerOwner, remarkToOwner } from '../../../base/threads/index.ts';
import {
  componentAlgorithms, distanceAlgorithms, UNREACHED, type DistanceMatrix, type Growing,
} from '../../../graphs/graph/growing/index.ts';
import { bytesInUse, collect } from '../hold/memory.ts';
import type { Kind } from './entrants.ts';
import { INFINITE } from './sequence.ts';
import { wrongComponent, wrongDistance, type WrongPair } from './whole-results.ts';

/** One algorithm on one graph, in a thread that may be ended at any moment; started by `cell.ts` with this. */
export interface CellTask {
  readonly kind: Kind;
  readonly algorithm: string;
  readonly threshold: number;
  readonly pages: number;
  readonly sources: Uint32Array;
  readonly targets: Uint32Array;
  readonly trials: number;
  /** No run begins that would probably not end within it. */
  readonly budgetMs: number;
  /** As in WholeResults, of this kind; undefined if nothing is to be compared. */
  readonly expected: Uint32Array | undefined;
  readonly returnsResult: boolean;
}

/** Sent as soon as it is known, for the thread may not live to answer. */
export type CellRemark =
  | { readonly bytes: number }
  /** Time of a run without its construction; the first run warms up. */
  | { readonly ms: number };

export interface CellAnswer {
  /** Undefined if nothing was compared; null if nothing is wrong. */
  readonly wrong: WrongPair | null | undefined;
  /** Distances row by row, INFINITE without a path; or of each page the lowest one of its component. */
  readonly result: Uint32Array | undefined;
}

/** A trial of a small graph repeats the run until it has lasted so long, and counts the mean. */
const LEAST_TRIAL_MS = 5;
/** Short runs warm up until they have lasted so long together: the engine takes its time to optimise. */
const WARM_UP_MS = 20;
/** Structures of small graphs take longer to make than to fill: repetition ends after so many times its least time. */
const MAKING = 4;
/** A run takes at most so many times as long as the last one, is the guess. */
const CAUTION = 1.25;

const task = workerData as CellTask;

interface Run {
  readonly grown: Growing;
  readonly ms: number;
}

function make(): Growing {
  const of = task.kind === 'distances' ? distanceAlgorithms : componentAlgorithms;
  return of.find(({ name }) => name === task.algorithm)!.make(task.pages, task.threshold);
}

function run(grown: Growing): Run {
  const { sources, targets } = task;
  const start = performance.now();
  for (let arc = 0; arc < sources.length; arc++) grown.addArc(sources[arc], targets[arc]);
  grown.update();
  return { grown, ms: performance.now() - start };
}

/** Repeats the run until it has lasted so long. @returns the last one, with the mean of all. */
function repeated(leastMs: number): Run {
  const began = performance.now();
  let [runs, sum] = [0, 0];
  for (;;) {
    const { grown, ms } = run(make());
    runs++;
    sum += ms;
    if (sum >= leastMs || performance.now() - began >= MAKING * leastMs) return { grown, ms: sum / runs };
  }
}

answerOwner(async (): Promise<CellAnswer> => {
  const began = performance.now();
  const report = (remark: CellRemark): void => { remarkToOwner(remark); };
  await collect();
  const startBytes = bytesInUse();
  const grown = make();
  await collect();
  report({ bytes: Math.max(0, bytesInUse() - startBytes) });
  let last = run(grown);
  await collect();
  // The last word on memory: some algorithms take it as arcs come.
  report({ bytes: Math.max(0, bytesInUse() - startBytes) });
  report({ ms: last.ms });
  if (last.ms < WARM_UP_MS) last = repeated(WARM_UP_MS);
  for (let trial = 0; trial < task.trials; trial++) {
    if (performance.now() - began + CAUTION * Math.max(last.ms, MAKING * LEAST_TRIAL_MS) > task.budgetMs) break;
    await collect(1);
    last = repeated(LEAST_TRIAL_MS);
    report({ ms: last.ms });
  }
  return { wrong: wrongIn(last.grown), result: task.returnsResult ? resultOf(last.grown) : undefined };
});

function wrongIn(grown: Growing): WrongPair | null | undefined {
  const { expected, pages } = task;
  if (expected === undefined) return undefined;
  const { distance, component } = readersOf(grown);
  return (distance !== undefined ? wrongDistance(distance, expected, pages) : wrongComponent(component, expected)) ??
    null;
}

function resultOf(grown: Growing): Uint32Array {
  const { pages } = task;
  const { distance, component } = readersOf(grown);
  return distance !== undefined
    ? Uint32Array.from({ length: pages * pages }, (_, at) => distance(Math.floor(at / pages), at % pages))
    : Uint32Array.from({ length: pages }, (_, page) => component(page));
}

type Readers =
  | { readonly distance: (source: number, target: number) => number; readonly component?: undefined }
  | { readonly distance?: undefined; readonly component: (page: number) => number };

function readersOf(grown: Growing): Readers {
  if (isOfDistances(grown)) {
    const { cells, pages } = grown.distances;
    return {
      distance: (source, target) => {
        const links = cells[source * pages + target];
        return links === UNREACHED ? INFINITE : links;
      },
    };
  }
  const components = grown as Growing & { componentOf(page: number): number };
  return { component: (page) => components.componentOf(page) };
}

function isOfDistances(grown: Growing): grown is Growing & { readonly distances: DistanceMatrix } {
  return 'distances' in grown;
}
