import { InputError } from '../../../base/index.ts';
import { machine, watchedLoad } from '../alternate.ts';
import { measureCell, nameOf } from './cell.ts';
import { isAlgorithm1, type Entrant, type Kind } from './entrants.ts';
import type { GraphbenchCase, GraphbenchReport } from './result.ts';
import { densityOf, type ArcSequence } from './sequence.ts';
import { measureSpace } from './space.ts';
import { wholeComponents, wholeDistances } from './whole-results.ts';

/** All algorithms on all twelve graphs end within some 25 minutes on two cores. */
export const graphbenchDefaults = { trials: 3, timeoutSeconds: 20, threshold: 100 } as const;

/** Pages of a graph whose matrices are printed, at most: a row fits a terminal. */
export const maxPrintedPages = 40;

export interface GraphbenchOptions {
  readonly sequences: readonly ArcSequence[];
  readonly entrants: readonly Entrant[];
  readonly trials: number;
  /** Limit of a case: its warm-up and all trials together. */
  readonly timeoutSeconds: number;
  readonly threshold: number;
  /** Compare results with the graph file's, or else with searches in the whole graph. */
  readonly validates: boolean;
  /** Return them. @see maxPrintedPages */
  readonly printsMatrices: boolean;
  /** Measure figure 12. */
  readonly measuresSpace: boolean;
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
}

interface Cell {
  readonly sequence: ArcSequence;
  readonly entrant: Entrant;
}

/**
 * Measures each algorithm on each graph, one at a time, so that none disturbs another. First comes what should end
 * soon: an interrupted benchmark has most of its cases.
 */
export async function graphbench(options: GraphbenchOptions): Promise<GraphbenchReport> {
  const { sequences, entrants, trials, timeoutSeconds, threshold, signal, onProgress } = options;
  const loadNow = watchedLoad();
  checkPrinted(options);
  const cells = sequences.flatMap((sequence) => entrants.map((entrant): Cell => ({ sequence, entrant })));
  const cost = ({ sequence: { pages, sources }, entrant }: Cell): number =>
    entrant.expectedCost(pages, sources.length);
  const truths = new Truths(options.validates);
  const measured = new Map<Cell, GraphbenchCase>();
  for (const cell of cells.toSorted((a, b) => cost(a) - cost(b))) {
    if (signal.aborted) break;
    const { sequence, entrant } = cell;
    onProgress?.(`${measured.size + 1} of ${cells.length}: ${nameOf(sequence, entrant)}`);
    const result = await measureCell(sequence, entrant, {
      trials, timeoutSeconds, signal, returnsResult: options.printsMatrices,
      expected: truths.of(sequence, entrant.kind),
    });
    if (result !== undefined) measured.set(cell, result);
  }
  const cases = cells.flatMap((cell) => measured.get(cell) ?? []);
  return {
    machine: machine(),
    load: loadNow(),
    trials, timeoutSeconds, threshold,
    graphs: sequences.map((sequence) => ({
      name: sequence.name, description: sequence.description, isSynthetic: sequence.isSynthetic,
      pages: sequence.pages, arcs: sequence.sources.length, density: densityOf(sequence),
    })),
    cases: cases.map((row) => withRatio(row, cases)),
    notMeasured: cells.filter((cell) => !measured.has(cell)).map(({ sequence, entrant }) => nameOf(sequence, entrant)),
    space: options.measuresSpace && !signal.aborted ? await measureSpace(signal) : null,
    notes: sequences.flatMap(({ notes }) => notes),
  };
}

/** @throws InputError for a graph that is too large to be printed. */
function checkPrinted({ printsMatrices, sequences }: GraphbenchOptions): void {
  const large = printsMatrices ? sequences.find(({ pages }) => pages > maxPrintedPages) : undefined;
  if (large !== undefined) {
    throw new InputError(
      `--print-matrices: ${large.name} has ${large.pages} pages; matrices are printed up to ${maxPrintedPages}`,
    );
  }
}

/** What the results must be, by graph and kind: computed once each. */
class Truths {
  readonly #isAsked: boolean;
  readonly #known = new Map<ArcSequence, Partial<Record<Kind, Uint32Array>>>();

  constructor(isAsked: boolean) {
    this.#isAsked = isAsked;
  }

  of(sequence: ArcSequence, kind: Kind): Uint32Array | undefined {
    if (!this.#isAsked) return undefined;
    const results = this.#known.get(sequence) ?? { ...sequence.stored };
    this.#known.set(sequence, results);
    return results[kind] ??= kind === 'distances' ? wholeDistances(sequence) : wholeComponents(sequence);
  }
}

/** Held against Algorithm 1 on the same graph, if both were measured. */
function withRatio(row: GraphbenchCase, cases: readonly GraphbenchCase[]): GraphbenchCase {
  const first = cases.find((other) => other.graph === row.graph && other.kind === row.kind && isAlgorithm1(other));
  if (first === undefined || first === row || row.median === null || first.median === null) return row;
  return {
    ...row, versus: first.name,
    ratio: { median: first.median / row.median, min: first.min! / row.max!, max: first.max! / row.min! },
  };
}
