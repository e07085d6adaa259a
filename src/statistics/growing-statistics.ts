import { InputError, WorldError } from '../base/index.ts';
import { maxMatrixPages, PrunedClosure, PrunedDistances } from '../graph/growing/index.ts';
import { bowTie, distancesOf, fitPowerLaw, strongComponents, weakComponents } from '../graph/index.ts';
import type { StatisticsRow } from '../measure/index.ts';
import { estimatedDistances, LARGE_ARCS, noDistances, type DistanceFigures } from './estimates.ts';
import { GrownGraph } from './grown-graph.ts';

/** How figures of distances and components are computed. */
export type StatisticsMethod = 'exact' | 'estimate' | 'auto';

export interface StatisticsSettings {
  readonly method: StatisticsMethod;
  /** Pages that the run can fetch at most; Infinity if that is not known. */
  readonly maxPages: number;
  readonly seed: number;
}

/** Figures are computed afresh when the graph has this many times the arcs that it had then. */
const GROWTH = { exact: 1.5, estimate: 1.5, auto: 2 } as const;
/** Of a large graph, in `auto`: the estimates take a second each, and must not hold up the end of the run. */
const LARGE_GROWTH = 4;
/** Where the number of pages is not known beforehand, a matrix for this many comes first. */
const FIRST_MATRIX_PAGES = 1024;
/**
 * `auto` is exact until either is passed: pages, which a matrix of half a megabyte has room for, and the sum over arcs
 * of the pages there were, which the updates take some tens of milliseconds for.
 */
const MAX_AUTO_PAGES = 512;
const MAX_AUTO_STEPS = 2 ** 23;

/** Figures of the structure as a whole, from one pass or more over the graph. */
type StructureFigures = Pick<
  StatisticsRow, 'components' | 'corePages' | 'inPages' | 'outPages' | 'inDegreeExponent'
>;

const noStructure: StructureFigures = {
  components: null, corePages: null, inPages: null, outPages: null, inDegreeExponent: null,
};
/**
 * Statistics of the graph that a crawl has fetched. `exact`: distances and components after every superstep, correct
 * after every arc. `estimate`: afresh whenever the arcs have grown by half, and at the end. `auto`: exact while that is
 * cheap, then estimates. What is computed depends on counts alone, never on a clock.
 *
 * Cost  exact as in `graph/growing/`; an estimate some tens of visits of each arc.
 */
export class GrowingStatistics {
  readonly #method: StatisticsMethod;
  readonly #seed: number;
  readonly #graph = new GrownGraph();
  /** Null once they are too large. */
  #exact: ExactStatistics | null = null;
  #steps = 0;
  /** Arcs at which figures are due. */
  #dueArcs = 1;
  #last: StatisticsRow | undefined;

  constructor({ method, maxPages, seed }: StatisticsSettings) {
    this.#method = method;
    this.#seed = seed;
    if (method === 'estimate') return;
    const most = method === 'auto' ? MAX_AUTO_PAGES : maxMatrixPages;
    this.#exact = new ExactStatistics(Math.min(maxPages, most, Number.isFinite(maxPages) ? most : FIRST_MATRIX_PAGES));
  }

  /** @param links - ids, borrowed for the call. */
  addPage(page: number, links: Uint32Array): void {
    const graph = this.#graph;
    const exact = this.#exact !== null && this.#mayHold(graph.pages + 1) ? this.#exact : null;
    graph.addPage(page, links, exact === null ? undefined : (source, target) => { exact.addArc(source, target); });
  }

  /** The row of a superstep that has ended. */
  superstep(superstep: number): StatisticsRow {
    const { arcs, pages } = this.#graph;
    this.#steps += (arcs - (this.#last?.arcs ?? 0)) * pages;
    if (this.#method === 'auto' && this.#steps > MAX_AUTO_STEPS) this.#exact = null;
    const isDue = arcs >= this.#dueArcs;
    return (this.#last = this.#row(superstep, isDue));
  }

  /**
   * The last row again, with all its figures; of a large graph in `auto`, as it was. Undefined if there was no
   * superstep.
   */
  end(): StatisticsRow | undefined {
    const last = this.#last;
    if (last === undefined || last.corePages !== null || last.pages === 0 || this.#isLarge) return last;
    return (this.#last = this.#row(last.superstep, true));
  }

  get #isLarge(): boolean {
    return this.#method === 'auto' && this.#graph.arcs > LARGE_ARCS;
  }

  #row(superstep: number, isDue: boolean): StatisticsRow {
    const { pages, arcs, danglingPages } = this.#graph;
    if (isDue) this.#dueArcs = Math.ceil((this.#isLarge ? LARGE_GROWTH : GROWTH[this.#method]) * Math.max(1, arcs));
    const counts = { superstep, pages, arcs, danglingPages };
    const structure = isDue ? this.#structure() : noStructure;
    if (this.#exact !== null) {
      const components = this.#exact.components(pages);
      return { ...counts, method: 'exact', ...structure, components, ...this.#exact.distances(pages) };
    }
    if (!isDue) return { ...counts, method: '', ...structure, ...noDistances };
    const estimated = estimatedDistances(
      this.#graph.rows(), { isThrifty: this.#method === 'auto', seed: this.#seed, superstep },
    );
    return { ...counts, method: 'estimate', ...structure, ...estimated };
  }

  #structure(): StructureFigures {
    const rows = this.#graph.rows();
    const strong = strongComponents(rows);
    const { core, in: into, out } = bowTie(rows, strong, weakComponents(rows)).pages;
    return {
      components: strong.count, corePages: core, inPages: into, outPages: out,
      inDegreeExponent: fitPowerLaw(this.#graph.inDegrees())?.alpha ?? null,
    };
  }

  /** Null if there is no memory for so many pages: estimates follow. */
  #larger(pages: number): ExactStatistics | null {
    try {
      return new ExactStatistics(pages);
    } catch (error) {
      if (!(error instanceof InputError || error instanceof WorldError)) throw error;
      return (this.#exact = null);
    }
  }

  /** Whether the exact figures have room for so many pages; makes room, or gives them up. */
  #mayHold(pages: number): boolean {
    if (pages <= this.#exact!.pages) return true;
    const most = this.#method === 'auto' ? MAX_AUTO_PAGES : maxMatrixPages;
    if (pages > most) {
      this.#exact = null;
      return false;
    }
    const larger = this.#larger(Math.min(most, 2 * this.#exact!.pages));
    if (larger === null) return false;
    this.#graph.eachArc((source, target) => { larger.addArc(source, target); });
    this.#exact = larger;
    return true;
  }
}

/** Distances and components of a graph of at most `pages` pages, those not fetched yet alone. */
class ExactStatistics {
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

  /** Of the pages fetched. */
  components(fetched: number): number {
    return this.#components.count - (this.pages - fetched);
  }

  /** Between the pages fetched. */
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
