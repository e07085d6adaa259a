import { processors, robotsOf } from './crawled-web.ts';
import { killedNodes, type Event, type KilledNodes } from './killed-nodes.ts';

export interface ManyKillsOptions {
  /** Numbers of nodes: each has an equal part of what happens. */
  readonly nodeCounts: readonly number[];
  /** How much happens in all. */
  readonly kills: number;
  /** Of each crawl. */
  readonly pages: number;
  readonly hosts?: number | undefined;
  /** Of the first crawl; the others have the seeds that follow. */
  readonly seed: number;
  /** What happens to one crawl at most; the next one follows then. */
  readonly maxKillsPerCrawl: number;
}

/** One crawl of many. Its seed says whether time plays a part in it: an odd one has delays. */
export interface PlannedCrawl {
  readonly nodes: number;
  readonly kills: number;
  readonly seed: number;
  readonly isTimeless: boolean;
}

/** Crawls to which so much happens together, as evenly as integers allow. */
export function plannedCrawls({ nodeCounts, kills, seed, maxKillsPerCrawl }: ManyKillsOptions): PlannedCrawl[] {
  const crawls: PlannedCrawl[] = [];
  nodeCounts.forEach((nodes, i) => {
    const own = partOf(kills, i, nodeCounts.length);
    const count = Math.ceil(own / maxKillsPerCrawl);
    for (let crawl = 0; crawl < count; crawl++) {
      const next = seed + crawls.length;
      crawls.push({ nodes, kills: partOf(own, crawl, count), seed: next, isTimeless: next % 2 === 0 });
    }
  });
  return crawls;
}

/** Integers that add up to `whole`. */
function partOf(whole: number, part: number, parts: number): number {
  return Math.floor(whole * (part + 1) / parts) - Math.floor(whole * part / parts);
}

/** What became of one of the crawls. */
export interface KilledCrawl extends PlannedCrawl {
  readonly killed: KilledNodes;
  /** What does not hold of what is promised, in words; empty if all does. */
  readonly faults: readonly string[];
}

/** What one types to repeat one of the crawls. */
export function replayOf(
  { nodes, kills, seed }: PlannedCrawl, { pages, hosts }: Pick<ManyKillsOptions, 'pages' | 'hosts'>,
): string {
  const ofHosts = hosts === undefined ? '' : ` --hosts ${hosts}`;
  return `npm run live -- kills --nodes ${nodes} --kills ${kills} --pages ${pages}${ofHosts} --seed ${seed}`;
}

/**
 * Crawls on several nodes, one after the other, until so much has happened to them.
 * @param onEvent called with the number of events so far.
 * @throws Error with the command that repeats a crawl, if that cannot be judged.
 */
export async function manyKills(
  options: ManyKillsOptions, onCrawl: (crawl: KilledCrawl) => void, onEvent?: (count: number, event: Event) => void,
): Promise<void> {
  const { pages, hosts } = options;
  let count = 0;
  for (const planned of plannedCrawls(options)) {
    const killed = await killedNodes({ ...planned, pages, hosts, onEvent: (event) => { onEvent?.(++count, event); } })
      .catch((cause: unknown) => { throw new Error(replayOf(planned, options), { cause }); });
    onCrawl({ ...planned, killed, faults: faultsOf(planned, killed, pages) });
  }
}

function faultsOf({ kills, isTimeless }: PlannedCrawl, killed: KilledNodes, pages: number): string[] {
  const { faults, events, undisturbed, final, unexplained, breaches, archive, maxInFlight, isSameOrder } = killed;
  const bound = processors * robotsOf(isTimeless);
  const missing = undisturbed.filter((url) => !final.includes(url));
  return [
    ...faults,
    ...(events.length < kills ? [`only ${events.length} of ${kills} events happened`] : []),
    ...(undisturbed.length <= pages / 2 ? [`the crawl on one machine has ${undisturbed.length} pages only`] : []),
    ...missing.map((url) => `${url} was not fetched`),
    ...(final.length + missing.length > undisturbed.length
      ? [`${final.length} pages fetched, ${undisturbed.length} by one machine: some by two nodes`] : []),
    ...unexplained.map((url) => `${url} was fetched again, and was not under way at an end`),
    ...(maxInFlight > bound ? [`${maxInFlight} pages under way at an end, of ${bound} at most`] : []),
    ...breaches.map(({ what, host, earlier, later }) => (
      `${what} at ${host}: ${later.path} ${later.startedAtUs - earlier.endedAtUs} us after ${earlier.path} (${earlier.end})`
    )),
    ...archive.faults, ...archive.missing.map((url) => `${url} is not in the archives`),
    ...(isTimeless && !isSameOrder && faults.length === 0 ? ['another order than that of one machine'] : []),
  ];
}
