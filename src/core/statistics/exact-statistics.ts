import { InputError, WorldError } from '../../base/index.ts';
import { maxMatrixPages, PrunedClosure, PrunedDistances } from '../../graphs/graph/growing/index.ts';
import { distancesOf } from '../../graphs/graph/index.ts';
import type { StatisticsRow } from '../measure/index.ts';
import { noDistances, type DistanceFigures } from './estimates.ts';
import { GrownGraph } from './grown-graph.ts';

/** Pages of the first matrix, if the number of pages is unknown. */
const FIRST_MATRIX_PAGES = 1024;
/**
 * `auto` is exact until either is passed: pages, which a matrix of half a megabyte has room for, and the sum over arcs
 * of the pages there were, which the updates take some tens of milliseconds for.
 */
const MAX_AUTO_PAGES = 512;
const MAX_AUTO_STEPS = 2 ** 23;

/** Distances and components of the graph fetched, correct after every arc. */
export class ExactStatistics {
  readonly #isThrifty: boolean;
  readonly #maxPages: number;
  readonly #graph = new GrownGraph();
  #matrix: Matrix;
  #steps = 0;
  #arcs = 0;

  /** @param isThrifty - to give up where the work is no longer small. @param maxPages - Infinity if not known. */
  constructor(isThrifty: boolean, maxPages: number) {
    this.#isThrifty = isThrifty;
    this.#maxPages = Math.min(maxPages, isThrifty ? MAX_AUTO_PAGES : maxMatrixPages);
    this.#matrix = new Matrix(Math.min(this.#maxPages, Number.isFinite(maxPages) ? maxPages : FIRST_MATRIX_PAGES));
  }

  /** False if the page is one too many: then nothing is correct any more. */
  addPage(page: number, links: Uint32Array): boolean {
    if (this.#graph.pages === this.#matrix.pages && !this.#makeRoom()) return false;
    this.#graph.addPage(page, links, (source, target) => { this.#matrix.addArc(source, target); });
    return true;
  }

  /** A superstep has ended. False if the work is no longer small. */
  superstep(): boolean {
    const { arcs, pages } = this.#graph;
    this.#steps += (arcs - this.#arcs) * pages;
    this.#arcs = arcs;
    return !this.#isThrifty || this.#steps <= MAX_AUTO_STEPS;
  }

  figures(): Pick<StatisticsRow, 'components'> & DistanceFigures {
    const { pages } = this.#graph;
    return { components: this.#matrix.components(pages), ...this.#matrix.distances(pages) };
  }

  /** A matrix twice as large, with all arcs. False if there may be none, or no memory for it. */
  #makeRoom(): boolean {
    const pages = Math.min(this.#maxPages, 2 * this.#matrix.pages);
    if (pages <= this.#matrix.pages) return false;
    try {
      this.#matrix = new Matrix(pages);
    } catch (error) {
      if (error instanceof InputError || error instanceof WorldError) return false;
      throw error;
    }
    this.#graph.eachArc((source, target) => { this.#matrix.addArc(source, target); });
    return true;
  }
}

/** Distances and components of at most so many pages, those not fetched yet alone. */
class Matrix {
  readonly pages: number;
  readonly #distances: PrunedDistances;
  readonly #components: PrunedClosure;

  constructor(pages: number) {
    this.pages = pages;
    this.#distances = new PrunedDistances(pages);
    this.#components = new PrunedClosure(pages);
  }

  addArc(source: number, target: number): void {
    this.#distances.addArc(source, target);
    this.#components.addArc(source, target);
  }

  components(fetched: number): number {
    return this.#components.count - (this.pages - fetched);
  }

  distances(fetched: number): DistanceFigures {
    const alone = this.pages - fetched;
    const { average, effectiveDiameter, longest } = distancesOf(
      fetched, [this.#distances.distances.neighbourhoods().map((pairs) => pairs - alone)],
    );
    if (average === null || effectiveDiameter === null) return noDistances;
    return {
      diameter: longest, maxDiameter: longest,
      averageDistance: average.value, averageDistanceLow: average.value, averageDistanceHigh: average.value,
      effectiveDiameter: effectiveDiameter.value, effectiveDiameterLow: effectiveDiameter.value,
      effectiveDiameterHigh: effectiveDiameter.value,
    };
  }
}
