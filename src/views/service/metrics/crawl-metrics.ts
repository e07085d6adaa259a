import type { ProcessorSnapshot, RunControl } from '../../../core/engine/index.ts';
import { outcomeKinds } from '../../../core/world/index.ts';
import { downloadBounds, type CrawlCounts } from './crawl-counts.ts';
import { exposition, histogram, type Family, type Sample } from './exposition.ts';

/** A crawl at this moment, as metrics for Prometheus: its counts, and what its processors have. */
export function crawlMetrics(counts: CrawlCounts, control: Pick<RunControl, 'inspect'>): string {
  return exposition([...ofCounts(counts), ...ofSnapshot(control.inspect()?.processors ?? []), ...ofProcess()]);
}

function ofCounts({ processors, downloads, downloadSeconds, hosts, supersteps }: CrawlCounts): Family[] {
  const byProcessor = (samples: (counts: CrawlCounts['processors'][number]) => readonly Sample[]): Sample[] =>
    processors.flatMap((counts, processor) =>
      samples(counts).map(({ labels, value }) => ({ labels: { processor, ...labels }, value })),
    );
  return [
    {
      name: 'orbweaver_downloads_total', type: 'counter', help: 'Downloads that ended, by outcome; fetched: a page.',
      samples: byProcessor(({ outcomes }) =>
        outcomeKinds.map((outcome) => ({ labels: { outcome }, value: outcomes.get(outcome) ?? 0 })),
      ),
    },
    {
      name: 'orbweaver_received_bytes_total', type: 'counter', help: 'Bytes received by the downloads that ended.',
      samples: byProcessor(({ bytes }) => [{ value: bytes }]),
    },
    {
      name: 'orbweaver_retries_total', type: 'counter', help: 'Failed downloads after which the page is tried again.',
      samples: byProcessor(({ retries }) => [{ value: retries }]),
    },
    {
      name: 'orbweaver_download_seconds', type: 'histogram', help: 'Time from the start of a download to its end.',
      samples: histogram(downloadBounds, downloads, downloadSeconds),
    },
    {
      name: 'orbweaver_robot_seconds_total', type: 'counter',
      help: 'Time of robots in the supersteps that ended: downloading, or waiting for hosts, for jobs, at barriers.',
      samples: byProcessor(({ robotUs }) => [
        { labels: { state: 'downloading' }, value: robotUs.busy / 1e6 },
        { labels: { state: 'waiting_for_hosts' }, value: robotUs.stalled / 1e6 },
        { labels: { state: 'without_jobs' }, value: robotUs.noJob / 1e6 },
        { labels: { state: 'at_barriers' }, value: robotUs.barrier / 1e6 },
      ]),
    },
    {
      name: 'orbweaver_supersteps_total', type: 'counter', help: 'Supersteps that ended.',
      samples: [{ value: supersteps }],
    },
    {
      name: 'orbweaver_hosts_asked', type: 'gauge', help: 'Hosts asked for a page or a robots.txt in this session.',
      samples: [{ value: hosts.size }],
    },
  ];
}

function ofSnapshot(processors: readonly ProcessorSnapshot[]): Family[] {
  const gauge = (name: string, help: string, value: (snapshot: ProcessorSnapshot) => number): Family => ({
    name, type: 'gauge', help,
    samples: processors.map((processor) => ({ labels: { processor: processor.processor }, value: value(processor) })),
  });
  const busy = ({ robots, openDownloads }: ProcessorSnapshot): number => Math.min(robots, openDownloads.length);
  return [
    gauge('orbweaver_pages_known', 'Pages that the crawl knows.', ({ pagesKnown }) => pagesKnown),
    gauge('orbweaver_pages_fetched', 'Pages fetched since the crawl began.', ({ pagesFetched }) => pagesFetched),
    gauge('orbweaver_pages_queued', 'Pages in the priority queue.', ({ pagesQueued }) => pagesQueued),
    gauge('orbweaver_jobs_pending', 'Pages taken from the queue and not started.', ({ pendingJobs }) => pendingJobs),
    gauge('orbweaver_downloads_in_flight', 'Downloads open.', ({ openDownloads }) => openDownloads.length),
    gauge('orbweaver_robots', 'Robots, the slots for downloads.', ({ robots }) => robots),
    gauge('orbweaver_robots_busy', 'Robots that download.', busy),
    {
      name: 'orbweaver_crawl_seconds', type: 'gauge',
      help: 'Time since the crawl began, without pauses between sessions.',
      samples: processors.length === 0 ? [] : [{ value: Math.max(...processors.map(({ nowUs }) => nowUs)) / 1e6 }],
    },
  ];
}

/** Every client of Prometheus uses these names. */
function ofProcess(): Family[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'process_cpu_seconds_total', type: 'counter', help: 'CPU time of the process, user and system.',
      samples: [{ value: (user + system) / 1e6 }],
    },
    {
      name: 'process_resident_memory_bytes', type: 'gauge', help: 'Resident memory of the process.',
      samples: [{ value: process.memoryUsage.rss() }],
    },
  ];
}
