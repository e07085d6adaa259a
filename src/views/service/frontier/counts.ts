import { exposition, type Family } from '../metrics/exposition.ts';
import { capacityOf } from './capacity.ts';
import type { UrlFrontier } from './url-frontier.ts';

/** What a frontier has done since it started. */
export class FrontierCounts {
  getCalls = 0;
  urlsHandedOut = 0;
  getSeconds = 0;
  putCalls = 0;
  putDiscoveredCalls = 0;
  discovered = 0;
  known = 0;
  ignored = 0;
  done = 0;
  skipped = 0;
  failed = 0;
  linksKnown = 0;
}

/**
 * A frontier at this moment, as metrics for Prometheus: under the names of the reference service, for its dashboards,
 * and what it does not count under our own names.
 */
export function frontierMetrics(counts: FrontierCounts, frontier: UrlFrontier): string {
  frontier.expire();
  const queues = [...frontier.crawls.values()].flatMap((crawl) => [...crawl.queues.values()]);
  const sum = (number: (queue: (typeof queues)[number]) => number): number =>
    queues.reduce((total, queue) => total + number(queue), 0);
  const counter = (name: string, help: string, value: number): Family => ({
    name, type: 'counter', help, samples: [{ value }],
  });
  const gauge = (name: string, help: string, value: number): Family => ({
    name, type: 'gauge', help, samples: [{ value }],
  });
  const { getCalls, urlsHandedOut, getSeconds, putCalls, putDiscoveredCalls, discovered, known } = counts;
  return exposition([
    counter('frontier_getURLs_calls_total', 'Number of times getURLs has been called.', getCalls),
    counter('frontier_getURLs_total', 'Number of URLs returned.', urlsHandedOut),
    {
      name: 'frontier_getURLs_latency_seconds', type: 'summary', help: 'getURLs latency in seconds.',
      samples: [{ suffix: '_sum', value: getSeconds }, { suffix: '_count', value: getCalls }],
    },
    counter('frontier_putURLs_calls_total', 'Number of times putURLs has been called.', putCalls),
    counter('frontier_putDiscovered_calls_total', 'Number of times putDiscovered has been called.', putDiscoveredCalls),
    counter('frontier_putURLs_total', 'Number of URLs sent to the Frontier', discovered + known),
    {
      name: 'frontier_putURLs_discovered_total', type: 'counter', help: 'Count of discovered URLs sent to the Frontier',
      samples: [
        { labels: { discovered: 'true' }, value: discovered }, { labels: { discovered: 'false' }, value: known },
      ],
    },
    counter('frontier_putURLs_ignored_total', 'Number of discovered URLs already known', counts.ignored),
    counter('frontier_putURLs_completed_total', 'Number of completed URLs', counts.done),
    counter('orbweaver_frontier_skipped_total', 'Items that were answered by SKIPPED.', counts.skipped),
    counter('orbweaver_frontier_failed_total', 'Items that were answered by FAIL.', counts.failed),
    counter('orbweaver_frontier_linked_total', 'Known items that came with their links.', counts.linksKnown),
    gauge('orbweaver_frontier_urls_active', 'URLs that will be fetched.', sum(({ active }) => active)),
    gauge('orbweaver_frontier_urls_done', 'URLs that will not be fetched again.', sum(({ done }) => done)),
    gauge('orbweaver_frontier_leases_open', 'URLs under a lease.', sum(({ open }) => open)),
    gauge('orbweaver_frontier_queues', 'Queues that have URLs.', queues.filter(({ isEmpty }) => !isEmpty).length),
    gauge('orbweaver_frontier_crawls', 'Crawls.', frontier.crawls.size),
    gauge(
      'orbweaver_frontier_url_bytes', 'Memory of all URLs and queues, bytes.', frontier.arrayBytes + frontier.heapBytes,
    ),
    gauge('orbweaver_frontier_urls_room', 'Further URLs that fit, about.', capacityOf(frontier).urls),
    gauge('orbweaver_frontier_active', '1: active; 0: it hands out nothing (SetActive).', frontier.isActive ? 1 : 0),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', process.memoryUsage.rss()),
  ]);
}
