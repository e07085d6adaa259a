import { counted, clock, grouped } from '../figures.ts';
import { remark } from '../output.ts';

/** A live crawl at one moment, summed over its processors. */
export interface CrawlMoment {
  readonly superstep: number;
  readonly pagesFetched: number;
  readonly pagesKnown: number;
  readonly pagesQueued: number;
  readonly jobsPending: number;
  readonly downloadsInFlight: number;
  /** Hosts that fail now; and whether most hosts do, so that the crawler's own network seems to be out. */
  readonly hostsOutOfReach: number;
  readonly isNetworkOut: boolean;
  /** Outcomes of this session that brought neither a page nor a robots.txt. */
  readonly failures: number;
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * A line per minute on standard error, for crawls that nobody watches. Also where nothing happens: that is when it is
 * needed.
 */
export class ProgressLog {
  readonly #moment: () => CrawlMoment | undefined;
  readonly #timer: NodeJS.Timeout;
  #last: CrawlMoment | undefined;

  /** @param moment undefined before the crawl has begun. */
  constructor(moment: () => CrawlMoment | undefined, everyMs = 60_000) {
    this.#moment = moment;
    this.#timer = setInterval(() => { this.#write(); }, everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #write(): void {
    const moment = this.#moment();
    if (moment === undefined) return;
    const pagesPerSecond = rateSince(this.#last, moment);
    this.#last = moment;
    remark(progressText(moment, pagesPerSecond), 'progress', { ...moment, pagesPerSecond });
  }
}

/** Pages per second since then, or since the crawl began. */
function rateSince(last: CrawlMoment | undefined, { pagesFetched, seconds }: CrawlMoment): number {
  const passed = seconds - (last?.seconds ?? 0);
  return passed <= 0 ? 0 : Math.max(0, pagesFetched - (last?.pagesFetched ?? 0)) / passed;
}

/** One line; the line on a terminal has fewer figures. */
export function progressText(
  { superstep, pagesFetched, pagesKnown, seconds, ...more }: Pick<
    CrawlMoment, 'superstep' | 'pagesFetched' | 'pagesKnown' | 'seconds'> & Partial<CrawlMoment>,
  pagesPerSecond = seconds === 0 ? 0 : pagesFetched / seconds,
): string {
  const { downloadsInFlight: open, failures, hostsOutOfReach = 0, isNetworkOut = false } = more;
  return [
    `superstep ${grouped(superstep + 1)}: ${counted(pagesFetched, 'page')} of ${grouped(pagesKnown)} known`,
    `${pagesPerSecond.toFixed(1)} per second`,
    ...(open === undefined ? [] : [counted(open, 'open download')]),
    ...(failures === undefined ? [] : [counted(failures, 'failure')]),
    clock(seconds),
    ...(isNetworkOut ? ["most hosts are out of reach: waiting for the crawler's own network"]
      : hostsOutOfReach > 0 ? [`waiting for ${counted(hostsOutOfReach, 'host')} out of reach`] : []),
  ].join(', ');
}
