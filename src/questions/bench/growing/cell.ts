import { InputError } from '../../../base/index.ts';
import { EndedThread, threadModule, WorkerHandle } from '../../../base/threads/index.ts';
import { spread } from '../alternate.ts';
import type { CellAnswer, CellRemark, CellTask } from './cell-worker.ts';
import type { Entrant, Kind } from './entrants.ts';
import type { GraphbenchCase } from './result.ts';
import { INFINITE, type ArcSequence } from './sequence.ts';
import type { WrongPair } from './whole-results.ts';

export interface CellOptions {
  readonly trials: number;
  /** Limit of the whole cell: warm-up, trials and all. */
  readonly timeoutSeconds: number;
  /** What the result is compared with, if it is. */
  readonly expected: Uint32Array | undefined;
  readonly returnsResult: boolean;
  readonly signal: AbortSignal;
}

/**
 * Measures an algorithm on a graph, on a thread that ends when the time is up, also within an arc.
 * @returns undefined if it was interrupted before a run had ended.
 */
export async function measureCell(
  sequence: ArcSequence, entrant: Entrant, { trials, timeoutSeconds, expected, returnsResult, signal }: CellOptions,
): Promise<GraphbenchCase | undefined> {
  const { pages, sources, targets } = sequence;
  const { kind, algorithm, threshold } = entrant;
  const runsMs: number[] = [];
  let bytes: number | null = null;
  const handle = new WorkerHandle<null, CellAnswer>({
    name: nameOf(sequence, entrant), module: threadModule(import.meta.url, 'cell-worker'),
    data: {
      kind, algorithm, threshold, pages, sources, targets, trials, budgetMs: 1000 * timeoutSeconds, expected,
      returnsResult,
    } satisfies CellTask,
    onRemark: (remark: CellRemark) => {
      if ('ms' in remark) runsMs.push(remark.ms);
      else bytes = remark.bytes;
    },
  });
  const end = (): void => void handle.close();
  let timer: NodeJS.Timeout | undefined;
  signal.addEventListener('abort', end);
  let answer: CellAnswer | undefined;
  try {
    await handle.started;
    timer = setTimeout(end, 1000 * timeoutSeconds);
    answer = await handle.ask(null);
  } catch (error) {
    const reason = refusalOf(error);
    if (reason !== undefined) return { ...caseOf(sequence, entrant), state: 'refused', reason };
    if (!(error instanceof EndedThread)) throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    await handle.close();
  }
  if (runsMs.length === 0) return signal.aborted ? undefined : { ...caseOf(sequence, entrant), bytes };
  return {
    ...caseOf(sequence, entrant), ...figuresOf(runsMs, sources.length), bytes,
    ...(answer && judged(answer, sequence, entrant)),
  };
}

export function nameOf({ name }: ArcSequence, { title }: Entrant): string {
  return `${name}: ${title}`;
}

/** Why a structure could not be made; undefined if it is not that. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof InputError) return error.message;
  if (error instanceof RangeError || (error instanceof EndedThread && error.message.includes('out of memory')))
    return `there is too little memory: ${error.message}`;
  return undefined;
}

/** One that has timed out. */
function caseOf(sequence: ArcSequence, entrant: Entrant): GraphbenchCase {
  const { kind, name: algorithm, title, number, threshold } = entrant;
  return {
    name: nameOf(sequence, entrant), graph: sequence.name, kind, algorithm, title, number, threshold,
    state: 'timed out', median: null, min: null, max: null, unit: 'ms', trials: 0, isWarm: false, usPerArc: null,
    bytes: null, isValid: null,
  };
}

/** @param runsMs - the first one warms up, and counts only if it is alone. */
function figuresOf(runsMs: readonly number[], arcs: number): Partial<GraphbenchCase> {
  const isWarm = runsMs.length > 1;
  const counted = isWarm ? runsMs.slice(1) : runsMs;
  const figures = spread(counted);
  return {
    state: 'measured', ...figures, trials: counted.length, isWarm,
    usPerArc: (1000 * figures.median) / Math.max(1, arcs),
  };
}

function judged(
  { wrong, result }: CellAnswer, { pages }: ArcSequence, { kind }: Entrant,
): Partial<GraphbenchCase> {
  return {
    isValid: wrong === undefined ? null : wrong === null,
    ...(wrong && { wrong: wrongText(wrong, kind) }),
    ...(result !== undefined && kind === 'components' && { components: [...result] }),
    ...(result !== undefined && kind === 'distances' && { matrix: matrixOf(result, pages) }),
  };
}

function matrixOf(distances: Uint32Array, pages: number): (number | null)[][] {
  return Array.from({ length: pages }, (_, page) =>
    Array.from(distances.subarray(page * pages, (page + 1) * pages), (links) => (links === INFINITE ? null : links)));
}

function wrongText({ source, target, is, expected }: WrongPair, kind: Kind): string {
  const words = kind === 'distances'
    ? (links: number): string => (links === INFINITE ? 'unreached' : `${links} ${links === 1 ? 'link' : 'links'}`)
    : (together: number): string => (together === 1 ? 'one component' : 'different components');
  return `pages ${source} and ${target}: ${words(is)}, expected ${words(expected)}`;
}
