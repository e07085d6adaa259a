import * as z from 'zod';

/**
 * GET /api/runs/ID/graph: the graph that a run crawls, as hosts and the links between them. Of a run that goes on, as
 * far as its record is written. At most 500 hosts are in the answer: those with the most pages fetched; among equal
 * ones those with more pages within reach, then those that more links lead to. Of the links between these at most 2,000
 * are, those that stand for the most links of pages. 404 if the run has no record; 400 if that is damaged, or the graph
 * is not there any more.
 */
export interface CrawlGraph {
  /** A directory is a host and the first segment of a path: shown where hosts are fewer than 12. */
  readonly nodesAre: 'hosts' | 'directories';
  /** Whether hosts were generated, because the source of the graph has no URLs. */
  readonly hostsAreSynthetic: boolean;
  /** `log`: of a live crawl that goes on, whose pages and links can be read when it ends; there are no links then. */
  readonly from: 'graph' | 'log';
  readonly isOver: boolean;
  readonly processors: number;
  /** At which counts are given: at most 100, rising, the last one that is recorded included; none of a log. */
  readonly supersteps: readonly number[];
  /** In the order in which they were chosen. */
  readonly nodes: readonly GraphNode[];
  /** By weight, the greatest first. */
  readonly links: readonly GraphLink[];
  readonly counts: GraphCounts;
}

/** How many there are, chosen or not. */
export interface GraphCounts {
  /** Nodes that the run knows a page of. */
  readonly known: number;
  /** Nodes with a page within reach of the seed pages; null of a log. */
  readonly reachable: number | null;
  /** Pairs of linked nodes among those in the answer. */
  readonly links: number;
}

export interface GraphNode {
  /** Its number in the graph. */
  readonly id: number;
  readonly name: string;
  readonly processor: number;
  /** Pages within reach of the seed pages; null of a log. */
  readonly pages: number | null;
  /** Pages that the run has found; null of a log. */
  readonly known: number | null;
  /** Pages fetched until each of `supersteps`; of a log one number, that of now. */
  readonly fetched: readonly number[];
  /** Outcomes without a page. */
  readonly failures: number;
  /** Position in `supersteps` from which on the run knew a page of it. */
  readonly since: number;
  /** Links of pages fetched, to this node from others and back; null of a log. */
  readonly linksIn: number | null;
  readonly linksOut: number | null;
}

/** Links of the pages fetched of one node to pages of another. */
export interface GraphLink {
  /** Positions in `nodes`. */
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  /** Position in `supersteps` from which on the run knew one of them. */
  readonly since: number;
}

/**
 * GET /api/runs/ID/graph/pages?node=N: the pages of a node; ?find=TEXT: those whose URL contains it, whatever its
 * capitals. 400 of a live crawl that goes on.
 */
export const pagesQuery = z.union([
  z.strictObject({ node: z.coerce.number().int().min(0) }),
  z.strictObject({ find: z.string().min(1).max(200) }),
], { error: 'ask for ?node=NUMBER, or for ?find=TEXT of 1 to 200 characters' });
export type PagesQuery = z.infer<typeof pagesQuery>;

export interface FoundPages {
  /** At most 100, those with the most links to them. */
  readonly pages: readonly ListedPage[];
  /** How many there are. */
  readonly count: number;
  /** Pages that were searched: all, or the first 1,000,000. */
  readonly searched: number;
}

/** A page of the stored graph, and what became of it. */
export interface ListedPage {
  readonly page: number;
  /** URL without scheme, or `page 123`. */
  readonly name: string;
  /** Number of its node. */
  readonly node: number;
  readonly processor: number;
  /** `known`: found, without an outcome; `unknown`: not found yet. */
  readonly state: 'fetched' | 'failed' | 'known' | 'unknown';
  /** The superstep in which it was fetched, or else found; null of an unknown page. */
  readonly superstep: number | null;
  /** The kind of the last failure; null unless `state` is `failed`. */
  readonly failure: string | null;
  /** Links of the stored graph. */
  readonly linksIn: number;
  readonly linksOut: number;
}

/** GET /api/runs/ID/graph/page/P: a page, and the pages around it. 400 of a live crawl that goes on. */
export interface PageNeighbourhood {
  readonly page: ListedPage;
  /** Pages that it links to, and that link to it: at most 40 each, those with the most links to them. */
  readonly to: readonly ListedPage[];
  readonly from: readonly ListedPage[];
}

/** The P of /api/runs/ID/graph/page/P. */
export const pagePath = z.object({ page: z.coerce.number().int().min(0) });

/**
 * GET /api/runs/ID/graph/structure: components and degrees of the stored graph, and what the run has fetched of them.
 * 400 of a live crawl that goes on.
 */
export interface GraphStructure {
  readonly nodesAre: CrawlGraph['nodesAre'];
  readonly pages: number;
  readonly links: number;
  /** Null of a graph with more than `maxStructureLinks`. */
  readonly computed: ComputedStructure | null;
  readonly maxStructureLinks: number;
}

export interface ComputedStructure {
  readonly strong: ComponentFigures;
  readonly weak: ComponentFigures;
  /** Parts of the bow-tie around the largest strong component. */
  readonly bowTie: readonly { readonly part: string; readonly pages: number; readonly fetched: number }[];
  /** Sizes and degrees in ranges that double, empty ones left out. */
  readonly sizes: readonly SizeRange[];
  readonly degrees: readonly DegreeRange[];
}

export interface ComponentFigures {
  readonly count: number;
  /** Pages of the largest. */
  readonly largest: number;
}

/** Components with `least` to `most` pages. */
export interface SizeRange {
  readonly least: number;
  readonly most: number;
  readonly strong: number;
  readonly weak: number;
}

/** Nodes that `least` to `most` other nodes link to, and nodes that link to so many. */
export interface DegreeRange {
  readonly least: number;
  readonly most: number;
  readonly in: number;
  readonly out: number;
}
