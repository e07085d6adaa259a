import {
  bowTie, fitPowerLaw, histogramOf, inDegrees, strongComponents, weakComponents, type WebGraph,
} from '../graph/index.ts';
import type { StatisticsRow } from '../measure/index.ts';
import { estimatedDistances, noDistances } from './estimates.ts';
import { ExactStatistics } from './exact-statistics.ts';
import { FetchedGraph, type Built } from './fetched-graph.ts';

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
 * takes a second at last. The end of the run does not wait for another one then.
 */
const LARGE_LINKS = 2 ** 20;
const LARGE_GROWTH = 8;
const LATE_LINKS = 2 ** 22;

/** Figures of the structure as a whole, from some passes over the graph. */
type StructureFigures = Pick<
  StatisticsRow, 'components' | 'corePages' | 'inPages' | 'outPages' | 'inDegreeExponent'
>;

const noStructure: StructureFigures = {
  components: null, corePages: null, inPages: null, outPages: null, inDegreeExponent: null,
};

/** A superstep that has ended with so many pages fetched. */
interface Ended {
  readonly superstep: number;
  readonly pages: number;
}

/**
 * Statistics of the graph that a crawl has fetched. `exact`: distances and components after every superstep, correct
 * after every arc. `estimate`: afresh whenever the links have grown by half, and at the end. `auto`: exact while that
 * is cheap, then estimates. What is computed depends on counts alone, never on a clock.
 *
 * Cost  exact as in `graph/growing/`; an estimate some tens of visits of each arc.
 */
export class GrowingStatistics {
  readonly #method: StatisticsMethod;
  readonly #seed: number;
  readonly #stored: Pick<WebGraph, 'outOffsets' | 'outTargets'> | undefined;
  readonly #graph: FetchedGraph;
  /** Undefined once they are too large. */
  #exact: ExactStatistics | undefined;
  /** Supersteps whose rows wait for the graph to be built. */
  #ended: Ended[] = [];
  /** Links at which figures are due. */
  #dueLinks = 0;
  /** The last row, which may yet get all its figures. */
  #last: StatisticsRow | undefined;

  /** @param stored - the graph that is crawled, if there is one. */
  constructor({ method, maxPages, seed }: StatisticsSettings, stored?: Pick<WebGraph, 'outOffsets' | 'outTargets'>) {
    this.#method = method;
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

  /** A superstep has ended. Returns the rows that are known since, of earlier supersteps, in their order. */
  superstep(superstep: number): StatisticsRow[] {
    const { pages, links } = this.#graph;
    this.#ended.push({ superstep, pages });
    const isDue = links >= this.#dueLinks;
    if (this.#exact?.superstep() === false) this.#exact = undefined;
    return this.#exact !== undefined || isDue ? this.#release(this.#rows(isDue)) : [];
  }

  /** The remaining rows; the last has all figures, unless the graph is too large for `auto` to compute them again. */
  end(): StatisticsRow[] {
    const isLate = this.#method === 'auto' && this.#graph.links > LATE_LINKS;
    if (this.#last !== undefined && this.#ended.length === 0 && this.#last.corePages === null && !isLate) {
      const { superstep, pages } = this.#last;
      this.#ended.push({ superstep, pages });
      this.#last = undefined;
    }
    const rows = this.#ended.length === 0 ? [] : this.#rows(!isLate);
    return [...(this.#last === undefined ? [] : [this.#last]), ...rows];
  }

  /** All but the last of the rows that are there. */
  #release(rows: readonly StatisticsRow[]): StatisticsRow[] {
    const all = [...(this.#last === undefined ? [] : [this.#last]), ...rows];
    this.#last = all.pop();
    return all;
  }

  /** The rows of the supersteps that have ended. @param isDue - whether the last has all figures. */
  #rows(isDue: boolean): StatisticsRow[] {
    const ended = this.#ended;
    this.#ended = [];
    const exact = this.#exact;
    // Then each superstep has its row at once.
    if (exact !== undefined && !isDue)
      return ended.map((one) => ({ ...one, ...exact.counts(), method: 'exact', ...noStructure, ...exact.figures() }));
    const built = this.#graph.build(isDue);
    if (isDue) this.#dueLinks = Math.ceil(this.#growth * Math.max(1, this.#graph.links));
    return ended.map((one, i) => ({
      ...one, arcs: built.arcsAmong(one.pages), danglingPages: built.danglingAmong(one.pages),
      ...(isDue && i === ended.length - 1 ? this.#figures(built, one) : { method: '', ...noStructure, ...noDistances }),
    }));
  }

  get #growth(): number {
    return this.#method === 'auto' && this.#graph.links > LARGE_LINKS ? LARGE_GROWTH : GROWTH[this.#method];
  }

  #figures({ rows }: Built, { superstep }: Ended): Omit<StatisticsRow, 'arcs' | 'danglingPages' | keyof Ended> {
    const structure = structureOf(rows);
    if (this.#exact !== undefined) return { method: 'exact', ...structure, ...this.#exact.figures() };
    const effort = { isThrifty: this.#method === 'auto', seed: this.#seed, superstep };
    return { method: 'estimate', ...structure, ...estimatedDistances(rows, effort) };
  }
}

function structureOf(rows: Built['rows']): StructureFigures {
  if (rows.pages === 0) return { ...noStructure, components: 0 };
  const strong = strongComponents(rows);
  const { core, in: into, out } = bowTie(rows, strong, weakComponents(rows)).pages;
  return {
    components: strong.count, corePages: core, inPages: into, outPages: out,
    inDegreeExponent: fitPowerLaw(histogramOf(inDegrees(rows)))?.alpha ?? null,
  };
}
