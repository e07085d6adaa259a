import {
  bowTie, doublingRanges, fitPowerLaw, histogramOf, inDegrees, outDegrees, strongComponents, weakComponents,
  type WebGraph,
} from '../../graphs/graph/index.ts';
import type { StatisticsRow } from '../measure/index.ts';
import { estimatedDistances, noDistances } from './estimates.ts';
import { ExactStatistics } from './exact-statistics.ts';
import { FetchedGraph } from './fetched-graph.ts';

/** How figures of distances and components are computed. */
export type StatisticsMethod = 'exact' | 'estimate' | 'auto';

export interface StatisticsSettings {
  readonly method: StatisticsMethod;
  /** Pages that the run can fetch at most; Infinity if that is not known. */
  readonly maxPages: number;
  readonly seed: number;
}

/** Figures are computed afresh when the pages fetched have this many times the links that they had then. */
const GROWTH = { exact: 1.5, estimate: 1.5, auto: 3 } as const;
/**
 * `auto`, from so many links on: where the fetched graph no longer fits a cache, an estimate slows the crawl down, and
 * takes seconds at last. None begins then once half of the pages are fetched, so that the crawl's end waits for none;
 * and from the second number on, none begins at the end.
 */
const LARGE_LINKS = 2 ** 20;
const LARGE_GROWTH = 8;
const LATE_LINKS = 2 ** 22;

/** Figures of the structure as a whole, from some passes over the graph. */
type StructureFigures = Pick<
  StatisticsRow, 'components' | 'corePages' | 'inPages' | 'outPages' | 'inDegreeExponent' | 'inDegrees' | 'outDegrees'
>;

const noStructure: StructureFigures = {
  components: null, corePages: null, inPages: null, outPages: null, inDegreeExponent: null, inDegrees: null,
  outDegrees: null,
};

/**
 * Statistics of the graph that a crawl has fetched. `exact`: distances and components after every superstep, correct
 * after every arc. `estimate`: afresh whenever the links have grown by half, and at the end. `auto`: exact while that
 * is cheap, then estimates. What is computed depends on counts alone, never on a clock.
 *
 * Cost  exact as in `graphs/graph/growing/`; an estimate some tens of visits of each arc.
 */
export class GrowingStatistics {
  readonly #method: StatisticsMethod;
  readonly #maxPages: number;
  readonly #seed: number;
  readonly #stored: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined;
  readonly #graph: FetchedGraph;
  /** Undefined once they are too large. */
  #exact: ExactStatistics | undefined;
  /** Links at which figures are due. */
  #dueLinks = 0;
  /** The last row, which may yet get all its figures. */
  #last: StatisticsRow | undefined;

  /** @param stored - the graph that is crawled, if there is one. */
  constructor({ method, maxPages, seed }: StatisticsSettings, stored?: Pick<WebGraph, 'outOffsets' | 'outTargets'>) {
    this.#method = method;
    this.#maxPages = maxPages;
    this.#seed = seed;
    this.#stored = stored;
    this.#graph = new FetchedGraph(stored);
    if (method !== 'estimate') this.#exact = new ExactStatistics(method === 'auto', maxPages);
  }

  /** @param links - ids, borrowed for the call; not needed with a stored graph. */
  addPage(page: number, links?: Uint32Array): void {
    this.#graph.addPage(page, links);
    if (this.#exact?.addPage(page, links ?? this.#storedLinks(page)) === false) this.#exact = undefined;
  }

  #storedLinks(page: number): Uint32Array {
    const { outOffsets, outTargets } = this.#stored!;
    return outTargets.subarray(outOffsets[page], outOffsets[page + 1]);
  }

  /** Ends a superstep. Returns the rows that this completes: the row of the superstep before. */
  superstep(superstep: number): StatisticsRow[] {
    if (this.#exact?.superstep() === false) this.#exact = undefined;
    const facts = this.#known();
    const { pages, links } = this.#graph;
    const isLate = this.#isLarge && pages > this.#maxPages / 2;
    this.#last = this.#row(superstep, links >= this.#dueLinks && !isLate);
    return facts;
  }

  /** The remaining row; it has all figures, unless the graph is too large for `auto` to compute them again. */
  end(): StatisticsRow[] {
    const isLate = this.#method === 'auto' && this.#graph.links > LATE_LINKS;
    if (this.#last?.corePages === null && !isLate) this.#last = this.#row(this.#last.superstep, true);
    return this.#known();
  }

  #known(): StatisticsRow[] {
    return this.#last === undefined ? [] : [this.#last];
  }

  /** @param isDue - whether the row has all figures. */
  #row(superstep: number, isDue: boolean): StatisticsRow {
    const { pages, links, arcs, danglingPages } = this.#graph;
    const counts: StatisticsRow = {
      superstep, pages, arcs, danglingPages, method: '', ...noStructure, ...noDistances,
    };
    const exact = this.#exact && { method: 'exact' as const, ...this.#exact.figures() };
    if (!isDue) return { ...counts, ...exact };
    this.#dueLinks = Math.ceil(this.#growth * Math.max(1, links));
    const rows = this.#graph.rows();
    const structure = structureOf(rows);
    if (exact !== undefined) return { ...counts, ...structure, ...exact };
    const effort = { isThrifty: this.#method === 'auto', seed: this.#seed, superstep };
    return { ...counts, method: 'estimate', ...structure, ...estimatedDistances(rows, effort) };
  }

  get #growth(): number {
    return this.#isLarge ? LARGE_GROWTH : GROWTH[this.#method];
  }

  /** Whether a run by default would notice an estimate. */
  get #isLarge(): boolean {
    return this.#method === 'auto' && this.#graph.links > LARGE_LINKS;
  }
}

function structureOf(rows: ReturnType<FetchedGraph['rows']>): StructureFigures {
  if (rows.pages === 0) return { ...noStructure, components: 0 };
  const strong = strongComponents(rows);
  const { core, in: into, out } = bowTie(rows, strong, weakComponents(rows)).pages;
  const linksTo = histogramOf(inDegrees(rows));
  return {
    components: strong.count, corePages: core, inPages: into, outPages: out,
    inDegreeExponent: fitPowerLaw(linksTo)?.alpha ?? null,
    inDegrees: doublingRanges(linksTo), outDegrees: doublingRanges(histogramOf(outDegrees(rows))),
  };
}
