/**
 * The defaults of R_x and of the pending jobs. They scale with the robots, the length of a superstep and the crawl so
 * far. `npm run bench -- defaults` compares them with fixed values; `datasets/README.md` has what it found.
 */

/** Supersteps are short while a crawl is small, since new pages are chosen after a barrier only: a tenth more pages. */
const growthPerSuperstep = 0.1;
const minSuperstepLimit = 96;
/** With many processors each fetches few pages, and short supersteps would make them wait for one another. */
const minPagesPerProcessor = 4;
/** What a robot fetches in a second at most, 20 ms per page: then supersteps end by time, on all processors at once. */
const pagesPerRobotSecond = 50;
/** Pages for each robot, if supersteps have no maximum length and only R_x ends them. */
const pagesPerRobot = 2;
/** Jobs to begin with: what a robot fetches in a second of 100 ms per page. */
const jobsPerRobotSecond = 10;
/** Ten times as many if all jobs count, since hosts need their delays. */
const anyJobsPerRobotSecond = 100;
const pendingPerLimit = 4;
/** The target of pending jobs doubles where robots waited for hosts for more than a twentieth of their time. */
const robotTimePerStall = 20;

export const maxSuperstepLimit = 2 ** 31;

interface Scaled {
  readonly processors: number;
  readonly robots: number;
  readonly superstepMs: number;
  /** As set. */
  readonly superstepLimit?: number | undefined;
}

// Without commas, so that tables of results need no quotes.
const limitWords = `a tenth of the pages that the processor has fetched (at least ${minSuperstepLimit} and ` +
  `${minPagesPerProcessor} for each processor of the crawl)`;
const perRobotSecond = (jobs: number): string => `${jobs} per robot and second of a superstep`;
const growth = 'doubled while robots wait for hosts';

/** The rules, for the help of the two settings. */
export const superstepLimitRule = `by default ${limitWords}`;
export const pendingRule =
  `by default ${perRobotSecond(jobsPerRobotSecond)} that can be started in it, or ${anyJobsPerRobotSecond} of any ` +
  `kind with frozen keys; ${growth}`;

/** R_x of a superstep that begins when a processor has fetched so many pages. */
export function superstepLimitOf(
  { processors, robots, superstepMs, superstepLimit }: Scaled, fetched: number,
): number {
  if (superstepLimit !== undefined) return superstepLimit;
  if (superstepMs === 0) return Math.max(minSuperstepLimit, pagesPerRobot * robots);
  const most = perSecond(pagesPerRobotSecond, robots, superstepMs);
  const least = Math.max(minSuperstepLimit, minPagesPerProcessor * processors);
  return Math.max(least, Math.min(most, Math.ceil(growthPerSuperstep * fetched)));
}

/** Where R_x comes from: `given`, or its rule. */
export function superstepLimitOrigin({ superstepMs, superstepLimit }: Scaled): string {
  if (superstepLimit !== undefined) return 'given';
  return superstepMs === 0
    ? `default: ${pagesPerRobot} per robot (${minSuperstepLimit} or more)` : `default: ${limitWords}`;
}

interface ScaledJobs extends Scaled {
  readonly pendingKeys: 'follow' | 'frozen';
  /** As set. */
  readonly pending?: number | undefined;
}

/** The pending jobs that a processor begins with where no target is set; `grownPending` says how it goes on. */
export function firstPending(settings: ScaledJobs): number {
  const { robots, superstepMs } = settings;
  if (superstepMs === 0) return pendingPerLimit * superstepLimitOf(settings, 0);
  return Math.max(pendingPerLimit * robots, perSecond(jobsPer(settings), robots, superstepMs));
}

/** The origin of the target of pending jobs: `given`, or its rule. */
export function pendingOrigin(settings: ScaledJobs): string {
  if (settings.pending !== undefined) return 'given';
  const first = settings.superstepMs === 0 ? `${pendingPerLimit} R_x` : perRobotSecond(jobsPer(settings));
  return `default: ${first}; ${growth}`;
}

function jobsPer({ pendingKeys }: ScaledJobs): number {
  return pendingKeys === 'frozen' ? anyJobsPerRobotSecond : jobsPerRobotSecond;
}

/** What decides whether the target of pending jobs grows: the counts of a superstep, all times in microseconds. */
export interface StallCounts {
  readonly busyUs: number;
  readonly stalledUs: number;
  readonly noJobUs: number;
  readonly barrierWaitUs: number;
  /** Pages left in the queue. */
  readonly queued: number;
}

/**
 * The target of the next superstep: twice the last one if robots waited for the hosts of the pending jobs while
 * pages, perhaps of other hosts, were left in the queue; otherwise the same.
 */
export function grownPending(
  target: number, { busyUs, stalledUs, noJobUs, barrierWaitUs, queued }: StallCounts,
): number {
  const robotUs = busyUs + stalledUs + noJobUs + barrierWaitUs;
  const isShort = queued > 0 && robotTimePerStall * stalledUs > robotUs;
  return isShort ? Math.min(2 * target, maxSuperstepLimit) : target;
}

function perSecond(rate: number, robots: number, superstepMs: number): number {
  return Math.ceil((rate * robots * superstepMs) / 1000);
}
