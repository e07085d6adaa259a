import { syntheticHosts } from '../hosts.ts';
import type { GraphRows } from '../web-graph.ts';
import { checkFields, DrawStream, InputError } from '../../../base/index.ts';
import { Draws } from './draws.ts';
import { RowSet, sortRow } from './row.ts';

export interface CopyingOptions {
  readonly pages: number;
  /** Exact number of arcs. */
  readonly arcs: number;
  readonly seed: number;
  /** Probability that a link is drawn uniformly and not copied (alpha of the paper); 0 to 1. */
  readonly uniform: number;
  /** Share of pages without links. */
  readonly dangling: number;
  /** Share of pages that link to themselves; at most 1 - dangling counts. */
  readonly selfLoops: number;
  /** Share of links that stay on their host, as far as hosts have enough pages. */
  readonly withinHosts: number;
}

/**
 * Dangling pages and self-loops as in LAW's crawl cnr-2000 (24.0 % and 26.9 % of its pages), links within hosts as in
 * docs-web (65.5 %), which has hosts. A share drawn uniformly of 0.15 gives in-degrees the exponent 2.2; Broder et al.
 * (WWW 2000) found 2.1.
 */
export const copyingDefaults = { uniform: 0.15, dangling: 0.24, selfLoops: 0.269, withinHosts: 0.655 } as const;

const optionFields = {
  pages: true, arcs: true, seed: true, uniform: true, dangling: true, selfLoops: true, withinHosts: true,
} as const satisfies Record<keyof CopyingOptions, true>;

/** How often a duplicate link is redrawn before any page at all is accepted. */
const REDRAWS = 16;
/** How many pages are tried to find one with links. */
const PROTOTYPES = 4;

/**
 * The linear-growth copying model (Kumar et al., "Stochastic models for the web graph", FOCS 2000, section 2.1), with
 * hosts. Pages are created in the order of their ids. A link of a new page is drawn uniformly with probability
 * `uniform`, otherwise it copies a link of an older page, the prototype; so the number of in-links r is distributed as
 * r^-(1 + 1 / (1 - uniform)), in their notation (2 - alpha) / (1 - alpha). The changes do not affect this: they only
 * change the rate at which a page receives uniform links.
 *
 * Changes  Uniform links go to all pages, not only to older ones: otherwise a crawl could only go back. A page copies
 *          from one prototype link after link, and draws another when that has no more. Out-degrees are 1 and a share
 *          of the rest by a Lomax variable of index 2, whose density falls as x^-3 (Broder et al. found 2.7); dangling
 *          pages have none.
 * Hosts    drawn by syntheticHosts. A coin decides whether a link is local: then it is copied from a prototype on the
 *          same host, or drawn uniformly from this host. The share `withinHosts` of links would stay if no link were
 *          drawn twice; small hosts have too few pages for that, so the actual share is lower.
 * Rows     ascending, without duplicate targets.
 * Memory   4 bytes per arc, because arcs are copied; 4 per page.
 * Cost     about 5 draws per arc, and one random memory access.
 *
 * @param options - size, seed and shares; `copyingDefaults` has shares of real crawls.
 * @returns the graph, whose links `rows()` draws, the same each time. A row is borrowed until the next one.
 * @throws InputError if these pages cannot have so many or so few links.
 */
export function copying(options: CopyingOptions): GraphRows {
  checkFields('options', options, optionFields);
  const { pages, seed } = options;
  const offsets = rowOffsets(options);
  const hosts = syntheticHosts(pages, seed);
  return {
    name: `synthetic copying graph, seed ${seed}`,
    pages,
    hosts,
    *rows() {
      const targets = new Uint32Array(offsets[pages]);
      const writer = new RowWriter(options, offsets, targets);
      for (let page = 0, hostStart = 0, hostEnd = 0; page < pages; page++) {
        if (page === hostEnd) {
          hostStart = page;
          while (hostEnd < pages && hosts.ofPage[hostEnd] === hosts.ofPage[page]) hostEnd++;
        }
        yield writer.write(page, hostStart, hostEnd);
      }
    },
  };
}

/**
 * Offsets of the rows, ending with the number of arcs. Rounding the running sum of the pages' weights makes that number
 * exact. No page links to more than half of all pages; the excess goes to the pages after it.
 */
function rowOffsets({ pages, arcs, seed, dangling }: CopyingOptions): Uint32Array {
  const isDangling = new DrawStream(seed, 'copying dangling');
  const degree = new DrawStream(seed, 'copying degree');
  // The first page always has links, so that at least one page does.
  const weight = (page: number): number =>
    page > 0 && isDangling.uniform(page) < dangling ? 0 : 1 / Math.sqrt(degree.uniform(page)) - 1;
  const most = Math.floor(pages / 2);
  let linking = 0;
  let total = 0;
  for (let page = 0; page < pages; page++) {
    const pageWeight = weight(page);
    total += pageWeight;
    if (pageWeight > 0) linking++;
  }
  if (arcs < linking || arcs > linking * most) {
    throw new InputError(
      `${arcs} arcs: ${linking} of ${pages} pages have links, each from 1 to ${most}: must be ${linking} to ${linking * most}`,
    );
  }
  const offsets = new Uint32Array(pages + 1);
  let linkingBefore = 0;
  let dealt = 0;
  let sum = 0;
  for (let page = 0; page < pages; page++) {
    const pageWeight = weight(page);
    if (pageWeight > 0) {
      sum += pageWeight;
      const due = ++linkingBefore + Math.floor((sum / total) * (arcs - linking));
      dealt += Math.min(most, due - dealt);
    }
    offsets[page + 1] = dealt;
  }
  return dealt === arcs ? offsets : filledUp(offsets, arcs, most);
}

/** Lengthens rows, the first ones first, until the number of arcs is right. */
function filledUp(offsets: Uint32Array, arcs: number, most: number): Uint32Array {
  let missing = arcs - offsets[offsets.length - 1];
  const filled = new Uint32Array(offsets.length);
  for (let page = 0; page < offsets.length - 1; page++) {
    const degree = offsets[page + 1] - offsets[page];
    const more = degree === 0 ? 0 : Math.min(missing, most - degree);
    missing -= more;
    filled[page + 1] = filled[page] + degree + more;
  }
  return filled;
}

/** A page that links are copied from, one after the other. */
class Prototype {
  #begin = 0;
  #end = 0;
  #next = 0;
  #left = 0;

  forget(): void {
    this.#left = 0;
  }

  /** The place of the next link of a page of from ... to-1; -1 if the pages tried have none. */
  place(draws: Draws, offsets: Uint32Array, from: number, to: number): number {
    for (let looked = 0; this.#left === 0; looked++) {
      if (looked === PROTOTYPES || from === to) return -1;
      const page = from + draws.below(to - from);
      this.#begin = offsets[page];
      this.#end = offsets[page + 1];
      this.#left = this.#end - this.#begin;
      if (this.#left > 0) this.#next = this.#begin + draws.below(this.#left);
    }
    this.#left--;
    const place = this.#next++;
    if (this.#next === this.#end) this.#next = this.#begin;
    return place;
  }
}

class RowWriter {
  readonly #draws: Draws;
  readonly #pages: number;
  readonly #offsets: Uint32Array;
  readonly #targets: Uint32Array;
  readonly #uniform: number;
  readonly #local: number;
  readonly #selfLoop: number;
  readonly #set = new RowSet();
  readonly #near = new Prototype();
  readonly #far = new Prototype();

  constructor(
    { pages, seed, uniform, dangling, selfLoops, withinHosts }: CopyingOptions, offsets: Uint32Array,
    targets: Uint32Array,
  ) {
    this.#draws = new Draws(seed, 'copying links');
    this.#pages = pages;
    this.#offsets = offsets;
    this.#targets = targets;
    this.#uniform = uniform;
    // A link stays on the host if the coin makes it local and it is uniform or its prototype's link stays: s = l (u +
    // (1 - u) s).
    this.#local = withinHosts === 0 ? 0 : withinHosts / (uniform + (1 - uniform) * withinHosts);
    this.#selfLoop = dangling === 1 ? 0 : Math.min(1, selfLoops / (1 - dangling));
  }

  /** Writes the row of a page; all earlier rows must be written. Its host has the pages hostStart ... hostEnd-1. */
  write(page: number, hostStart: number, hostEnd: number): Uint32Array {
    const [start, end] = [this.#offsets[page], this.#offsets[page + 1]];
    const row = this.#targets.subarray(start, end);
    this.#set.begin(row.length + 1);
    this.#near.forget();
    this.#far.forget();
    let at = 0;
    // Decided here alone: no other draw may make a page link to itself.
    this.#set.add(page);
    if (row.length > 0 && this.#draws.is(this.#selfLoop)) row[at++] = page;
    for (; at < row.length; at++) {
      let target: number;
      let draws = 0;
      do target = ++draws > REDRAWS ? this.#draws.below(this.#pages) : this.#link(page, hostStart, hostEnd);
      while (!this.#set.add(target));
      row[at] = target;
    }
    sortRow(row, row.length);
    return row;
  }

  #link(page: number, hostStart: number, hostEnd: number): number {
    const draws = this.#draws;
    const isLocal = draws.is(this.#local);
    if (!draws.is(this.#uniform)) {
      const place = isLocal
        ? this.#near.place(draws, this.#offsets, hostStart, page)
        : this.#far.place(draws, this.#offsets, 0, page);
      if (place >= 0) return this.#targets[place];
    }
    return isLocal ? hostStart + draws.below(hostEnd - hostStart) : draws.below(this.#pages);
  }
}
