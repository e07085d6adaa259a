import type { Hosts } from '../../../graphs/graph/index.ts';
import type { RunEvents } from '../record/events.ts';

/**
 * The tail of a crawl: from the moment when no more hosts than there are processors have downloads left, until the last
 * one ends. As many robots at most are busy in it, however many there are, each for a fraction of its time: the delay
 * of its host is the rest.
 */
export interface Tail {
  /** Virtual seconds when it began, and how long it was. */
  readonly startSeconds: number;
  readonly seconds: number;
  /** Downloads that ended in it, failed ones among them. */
  readonly downloads: number;
  /**
   * What it took at least: the most, over hosts, of what was left of its download times, and of the delays between. The
   * rest is waiting: for barriers, for jobs, for retries.
   */
  readonly lowerBoundSeconds: number;
}

/** The tail of a run that ended because nothing was left. O(outcomes + hosts log hosts). */
export function measureTail(
  { order, times, failures }: RunEvents, hosts: Hosts, processors: number, politenessUs: number,
): Tail {
  const { ofPage } = hosts;
  const lastOf = new Float64Array(hosts.count);
  // They stand in the order in which they ended.
  for (let i = 0; i < order.length; i++) lastOf[ofPage[order[i]]] = times[2 * i + 1];
  for (const { page, finishedUs } of failures) lastOf[ofPage[page]] = Math.max(lastOf[ofPage[page]], finishedUs);
  const ends = lastOf.slice().sort().reverse();
  const startUs = ends[processors] ?? 0;
  const endUs = ends.reduce((last, us) => Math.max(last, us), 0);
  const leftUs = new Float64Array(hosts.count);
  let downloads = 0;
  const leave = (page: number, startedUs: number, finishedUs: number): void => {
    downloads++;
    leftUs[ofPage[page]] += finishedUs - Math.max(startedUs, startUs) + politenessUs;
  };
  for (let i = order.length - 1; i >= 0 && times[2 * i + 1] > startUs; i--)
    leave(order[i], times[2 * i], times[2 * i + 1]);
  for (const { page, startedUs, finishedUs } of failures) if (finishedUs > startUs) leave(page, startedUs, finishedUs);
  const mostUs = leftUs.reduce((most, us) => Math.max(most, us - politenessUs), 0);
  return { startSeconds: startUs / 1e6, seconds: (endUs - startUs) / 1e6, downloads, lowerBoundSeconds: mostUs / 1e6 };
}
