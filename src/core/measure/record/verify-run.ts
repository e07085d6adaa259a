import type { WebGraph } from '../../../graphs/graph/index.ts';
import { assert, LargeMap, LargeSet } from '../../../base/index.ts';
import type { CrawlSettings } from '../../settings/index.ts';
import type { RunSummary } from './record.ts';
import type { Failure, HostGivenUpRow, RunEvents } from './events.ts';

export interface VerifiedSettings {
  readonly processors: number;
  readonly robots: number;
  readonly politenessMs: number;
  readonly deniedCost: CrawlSettings['deniedCost'];
  readonly seedPages: readonly number[];
  readonly maxPages?: number | undefined;
}

/**
 * Checks a finished run against the graph, from its record alone and by separate code: every page fetched once, and not
 * tried after that; known (a seed page, or linked from a page that had finished) before it was started; one
 * download at a time on a host, its delay observed; never more downloads open on a processor than it has robots; the
 * superstep limit; events in their order; and, where the frontier ran dry, no known page left out, but for pages of
 * hosts that were given up. A page that a crash lost made its links known until all had rolled back, and no longer.
 * Throws AssertionError that names the first wrong page or superstep. O(m + n log n).
 */
export function verifyRun(
  graph: WebGraph,
  settings: VerifiedSettings,
  events: RunEvents,
  ended: RunSummary['ended'],
  hostsGivenUp: readonly Pick<HostGivenUpRow, 'host'>[] = [],
): void {
  const { order, times, processors, failures, rows, crashes } = events;
  const visits = [
    ...Array.from(order, (page, i) => (
      {
        page, processor: processors[i], startedUs: times[2 * i], finishedUs: times[2 * i + 1], kind: 'fetched',
      }
    )),
    ...failures,
  ];

  // Pages fetched come first: what else there is of a page is earlier tries.
  const fetchedFromUs = new Float64Array(graph.pages).fill(Infinity);
  const visited = new Uint8Array(graph.pages);
  visits.forEach(({ page, startedUs, finishedUs, kind }, i) => {
    assert(page < graph.pages, () => `page ${page} is not in the graph`);
    assert(startedUs <= finishedUs, () => `page ${page} ended before it began`);
    if (i < order.length) {
      assert(visited[page] === 0, () => `page ${page} was fetched twice`);
      fetchedFromUs[page] = startedUs;
    }
    const isInOrder = finishedUs <= fetchedFromUs[page] || i < order.length;
    assert(isInOrder, () => `page ${page} was fetched, and then tried again`);
    if (kind !== 'lost') visited[page] = 1;
  });
  for (let i = 1; i < order.length; i++) {
    assert(times[2 * i + 1] >= times[2 * i - 1], () => `page ${order[i]} stands after a page that finished later`);
  }

  const knownAtUs = verifyKnown(graph, settings.seedPages, visits, crashes);
  if (ended === 'frontier dry') {
    const isGivenUp = new LargeSet<number>();
    for (const { host } of hostsGivenUp) isGivenUp.add(host);
    knownAtUs.forEach((us, page) => {
      const hasEnded = visited[page] === 1 || isGivenUp.has(graph.hosts.ofPage[page]);
      assert(us === Infinity || hasEnded, () => `page ${page} was known and never fetched`);
    });
  }
  if (settings.maxPages !== undefined)
    assert(order.length <= settings.maxPages, 'more pages were fetched than the page limit');

  const isFree = (kind: string): boolean => kind === 'robotsDenied' && settings.deniedCost === 'none';
  const byStart = visits.filter(({ kind }) => !isFree(kind))
    .sort((a, b) => a.startedUs - b.startedUs || a.finishedUs - b.finishedUs);
  const lastOfHost = new LargeMap<number, { page: number; processor: number; finishedUs: number }>();
  for (const visit of byStart) {
    const host = graph.hosts.ofPage[visit.page];
    const last = lastOfHost.get(host);
    if (last !== undefined) {
      assert(
        last.processor === visit.processor,
        () => `pages ${last.page} and ${visit.page} of one host lie on two processors`,
      );
      assert(
        visit.startedUs >= last.finishedUs + Math.round(1000 * settings.politenessMs),
        () => `page ${visit.page} was started before the delay after page ${last.page} of its host had passed`,
      );
    }
    lastOfHost.set(host, visit);
  }
  verifyRobots(settings, byStart);

  let lastBarrierUs = 0;
  for (const row of rows) {
    const observed = row.pages + row.failures - row.drained - row.denied;
    assert(
      observed <= row.superstepLimit,
      () => `superstep ${row.superstep} passed the limit on processor ${row.processor}`,
    );
    assert(row.barrierUs >= lastBarrierUs, () => `the barrier of superstep ${row.superstep} lies before the last`);
    lastBarrierUs = row.barrierUs;
  }
  assert(
    rows.reduce((sum, row) => sum + row.pages, 0) === order.length, 'the supersteps do not add up to the pages fetched',
  );
}

type Visit = Pick<Failure, 'page' | 'kind' | 'startedUs' | 'finishedUs'>;

/**
 * Checks that each page was known when its download started. Links of a page that was fetched for good count from its
 * end on; links of a page that a crash lost count until the roll-back after it.
 * @returns when each page was known for good, microseconds; Infinity for never.
 */
function verifyKnown(
  graph: WebGraph, seedPages: readonly number[], visits: readonly Visit[], crashes: RunEvents['crashes'],
): Float64Array {
  const knownAtUs = new Float64Array(graph.pages).fill(Infinity);
  for (const page of seedPages) knownAtUs[page] = 0;
  const rolledBackUs = crashes.map(({ resumedUs }) => resumedUs).sort((a, b) => a - b);
  /** Between two roll-backs: when links that the second one lost made pages known. */
  const forgotten = Array.from({ length: rolledBackUs.length + 1 }, () => new LargeMap<number, number>());
  for (const { page, kind, finishedUs } of visits) {
    if (kind !== 'fetched' && kind !== 'lost') continue;
    const lostPage = kind === 'lost' ? forgotten[countUpTo(rolledBackUs, finishedUs)] : undefined;
    for (const target of graph.outTargets.subarray(graph.outOffsets[page], graph.outOffsets[page + 1])) {
      if (lostPage === undefined) knownAtUs[target] = Math.min(knownAtUs[target], finishedUs);
      else lostPage.set(target, Math.min(lostPage.get(target) ?? Infinity, finishedUs));
    }
  }
  for (const { page, startedUs } of visits) {
    const untilRolledBackUs = forgotten[countUpTo(rolledBackUs, startedUs)].get(page) ?? Infinity;
    assert(
      Math.min(knownAtUs[page], untilRolledBackUs) <= startedUs,
      () => `page ${page} was started before a link to it was known`,
    );
  }
  return knownAtUs;
}

/** How many of `sorted` are at most `limit`. */
function countUpTo(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function verifyRobots(
  { processors, robots }: VerifiedSettings,
  visits: readonly { processor: number; startedUs: number; finishedUs: number }[],
): void {
  for (let processor = 0; processor < processors; processor++) {
    const downloads = visits.filter((visit) => visit.processor === processor);
    const starts = downloads.map(({ startedUs }) => startedUs).sort((a, b) => a - b);
    const ends = downloads.map(({ finishedUs }) => finishedUs).sort((a, b) => a - b);
    // A robot is free for the instant in which its download ends; downloads of no length are open at no instant.
    for (let started = 0, ended = 0; started < starts.length; started++) {
      while (ended < started && ends[ended] <= starts[started]) ended++;
      assert(
        started + 1 - ended <= robots,
        () => `processor ${processor} had ${started + 1 - ended} downloads open, with ${robots} robots`,
      );
    }
  }
}
