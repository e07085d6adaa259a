import fc from 'fast-check';
import { buildGraph, hostsFromNames, prepare, reach } from '../../../../src/graphs/graph/index.ts';
import type { RunEvents } from '../../../../src/core/measure/index.ts';
import { CrawledPages } from '../../../../src/views/service/dashboard/graph/crawled.ts';
import { nodesOf, type Nodes } from '../../../../src/views/service/dashboard/graph/nodes.ts';
import type { RunPages } from '../../../../src/views/service/dashboard/timeline/run-pages.ts';
import { partsOf } from '../../../graph/random-graphs.ts';
import { row } from '../../../measure/records.ts';

/** A crawl as a list of what happened, for the dullest of models. */
export interface Crawl {
  readonly pages: number;
  readonly arcs: readonly (readonly [number, number])[];
  readonly hostOf: readonly number[];
  readonly seeds: readonly number[];
  /** Pages fetched in each superstep, and those that failed. */
  readonly supersteps: readonly { readonly fetched: readonly number[]; readonly failed: readonly number[] }[];
}

/** Small crawls; pages are fetched whether or not a link leads to them, as in a live crawl with redirects. */
export const crawls: fc.Arbitrary<Crawl> = fc.integer({ min: 1, max: 9 }).chain((pages) => {
  const page = fc.integer({ min: 0, max: pages - 1 });
  return fc.record({
    pages: fc.constant(pages), arcs: fc.uniqueArray(fc.tuple(page, page), { maxLength: 30, selector: String }),
    hostOf: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: pages, maxLength: pages }),
    seeds: fc.uniqueArray(page, { minLength: 1, maxLength: 3 }),
    order: fc.shuffledSubarray(Array.from({ length: pages }, (_, i) => i)),
    cuts: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 5 }),
    failing: fc.array(page, { maxLength: 4 }),
  }).map(({ order, cuts, failing, ...crawl }) => {
    let taken = 0;
    return {
      ...crawl,
      supersteps: cuts.map((count, i) => (
        { fetched: order.slice(taken, taken += count), failed: failing.slice(i, i + 1) }
      )),
    };
  });
});

/** The same as the product has it. */
export function opened({ pages, arcs, hostOf, seeds, supersteps }: Crawl): {
  crawled: CrawledPages; run: RunPages; nodes: Nodes;
} {
  const hosts = hostsFromNames(hostOf.map((host) => `h${host}.example`));
  const graph = prepare(buildGraph({ ...partsOf(pages, arcs), hosts }));
  const processorOfHost = Uint32Array.from({ length: hosts.count }, (_, host) => host % 2);
  const run: RunPages = {
    graph, processorOfHost, seedPages: seeds, reachable: reach(graph, seeds).reachable,
    nameOf: (page) => `h${hostOf[page]}.example/${page}`, processorOf: (page) => processorOfHost[hosts.ofPage[page]],
  };
  return { crawled: new CrawledPages(eventsOf(supersteps), run), run, nodes: nodesOf(graph) };
}

/** Each superstep takes 10 microseconds, and each outcome is in the middle of one. */
function eventsOf(supersteps: Crawl['supersteps']): Pick<RunEvents, 'order' | 'times' | 'failures' | 'rows'> {
  const at = (superstep: number): [number, number] => [10 * superstep, 10 * superstep + 5];
  let position = 0;
  return {
    order: Uint32Array.from(supersteps.flatMap(({ fetched }) => fetched)),
    times: Float64Array.from(supersteps.flatMap(({ fetched }, i) => fetched.flatMap(() => at(i)))),
    failures: supersteps.flatMap(({ failed }, i) => failed.map((page) => (
      { position: position++, processor: 0, page, kind: 'timeout' as const, startedUs: 10 * i, finishedUs: 10 * i + 5 }
    ))),
    rows: supersteps.map((_, superstep) => row({ superstep, barrierUs: 10 * (superstep + 1) })),
  };
}
