import { processors, robotsOf } from './crawled-web.ts';
import { events, type Event } from './killed-nodes.ts';
import type { KilledCrawl } from './many-kills.ts';

const columns = [
  'nodes', 'crawls', 'events', ...events, 'pages', 'fetched again', 'most under way at an end (bound)', 'breaches',
  'archived records', 'faults',
];

/** A table of crawls to which things happened, in Markdown: a row for each number of nodes, with and without time. */
export function killsTable(crawls: readonly KilledCrawl[]): string {
  const kinds = [...new Set(crawls.map(kindOf))];
  const rows = kinds.map((kind) => rowOf(kind, crawls.filter((crawl) => kindOf(crawl) === kind)));
  return [columns, columns.map(() => '---'), ...rows, ...(kinds.length > 1 ? [rowOf('all', crawls)] : [])]
    .map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function kindOf({ nodes, isTimeless }: KilledCrawl): string {
  return `${nodes}, ${isTimeless ? 'no delay, in order' : 'delays'}`;
}

function rowOf(kind: string, crawls: readonly KilledCrawl[]): string[] {
  const happened: Event[] = crawls.flatMap(({ killed }) => killed.events);
  const sum = (of: (crawl: KilledCrawl) => number): string => String(crawls.reduce((total, one) => total + of(one), 0));
  const [most, bound] = crawls.reduce<readonly [number, number]>(([most, bound], { killed, isTimeless }) => (
    [Math.max(most, killed.maxInFlight), Math.max(bound, processors * robotsOf(isTimeless))]
  ), [0, 0]);
  return [
    kind, String(crawls.length), String(happened.length),
    ...events.map((event) => String(happened.filter((one) => one === event).length)),
    sum(({ killed }) => killed.final.length), sum(({ killed }) => killed.repeats), `${most} (${bound})`,
    sum(({ killed }) => killed.breaches.length), sum(({ killed }) => killed.archive.records),
    sum(({ faults }) => faults.length),
  ];
}
