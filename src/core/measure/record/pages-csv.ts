import { BitSet } from '../../../base/index.ts';
import { urlOf, type GraphPages } from '../../../graphs/graph/index.ts';
import type { RunEvents } from './events.ts';

/** Characters of a piece. */
const PIECE = 1 << 16;

/** What a row is made from: the events of a run, and the true PageRank of its graph. */
export interface PageOutcomes {
  readonly events: Pick<RunEvents, 'order' | 'processors' | 'times' | 'failures'>;
  readonly ranks: Float64Array;
}

/**
 * `pages.csv`, in pieces: a row for each page that was requested, with its last outcome, in the order of these outcomes
 * (finishedAtUs, processor, sequence). Its columns are the URL without its scheme, or the page id if the graph has no
 * URLs; the host; the processor; start and end in seconds; `fetched`, or the kind of the failure; the page's PageRank.
 *
 * Cost  a microsecond per page; memory: a piece, a bit per page, and a number per page that failed.
 */
export function* pagesCsv(
  graph: GraphPages, { events: { order, processors, times, failures }, ranks }: PageOutcomes,
): Generator<string> {
  const fetched = new BitSet();
  for (const page of order) fetched.add(page);
  const last = new Map(failures.map(({ page, position }) => [page, position]));
  const { hosts } = graph;
  let text = 'url,host,processor,start,end,outcome,rank\n';
  const row = (page: number, processor: number, startUs: number, endUs: number, outcome: string): string => {
    const host = field(hosts.names.at(hosts.ofPage[page]));
    return `${field(urlOf(graph, page) ?? String(page))},${host},${processor},${startUs / 1e6},${endUs / 1e6},` +
      `${outcome},${ranks[page]}\n`;
  };
  let failed = 0;
  for (let i = 0; i < order.length || failed < failures.length;) {
    if (failed < failures.length && failures[failed].position === i + failed) {
      const { page, position, processor, startedUs, finishedUs, kind } = failures[failed++];
      if (last.get(page) === position && !fetched.has(page)) text += row(page, processor, startedUs, finishedUs, kind);
    } else {
      text += row(order[i], processors[i], times[2 * i], times[2 * i + 1], 'fetched');
      i++;
    }
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** A field of a CSV file, as RFC 4180 has it. */
function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
