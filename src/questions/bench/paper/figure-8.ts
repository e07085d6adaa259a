import { assert } from '../../../base/index.ts';
import { countingContenders, type Contender } from '../contenders.ts';
import type { Chart, Part, PartContext, Shown } from '../part.ts';
import {
  crawlSources, holdSource, replay, type PriorityStream, type StreamSource,
} from './priority-streams.ts';

/** R of the figure: powers of two. Which R the paper drew is not known. */
export const figure8Blocks: readonly number[] = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];

/** Coins of randomised queues: their counts are means over these. */
const seeds = [1, 2, 3] as const;

export interface Comparisons {
  readonly insert: number;
  readonly extract: number;
}

export interface Figure8Row {
  readonly r: number;
  /** Entries put in and taken out, over all processors. */
  readonly inserted: number;
  readonly extracted: number;
  /**
   * By the name of the queue: comparisons of two keys, over all processors; means over three seeds, which only
   * randomised kinds feel.
   */
  readonly comparisons: Readonly<Record<string, Comparisons>>;
}

export interface Figure8Stream {
  readonly stream: string;
  readonly isSynthetic: boolean;
  readonly rows: readonly Figure8Row[];
}

/** Comparisons that a queue makes on streams, one queue a stream. */
export function countComparisons(
  { name, make }: Contender, block: number, streams: readonly PriorityStream[],
): Comparisons {
  let insert = 0;
  let extract = 0;
  for (const seed of seeds) {
    for (const stream of streams) {
      const queue = make({ block, seed, capacity: stream.entries.length });
      replay(stream, queue);
      assert(queue.comparisons !== undefined, () => `${name} counts no comparisons`);
      insert += queue.comparisons.insert;
      extract += queue.comparisons.extract;
    }
  }
  return { insert: insert / seeds.length, extract: extract / seeds.length };
}

/** Figure 8 of the paper: key comparisons of each queue against R, on one source of streams. Deterministic. */
export async function figure8(source: StreamSource, blocks: readonly number[] = figure8Blocks): Promise<Figure8Stream> {
  const rows: Figure8Row[] = [];
  for (const r of blocks) {
    if (r > source.largestBlock) break;
    const streams = await source.streams(r);
    const counts = countingContenders.map(
      (contender) => [contender.name, countComparisons(contender, r, streams)] as const,
    );
    rows.push({
      r,
      inserted: streams.reduce((sum, { entries }) => sum + entries.length, 0),
      extracted: streams.reduce((sum, { extracted }) => sum + extracted, 0),
      comparisons: Object.fromEntries(counts),
    });
  }
  return { stream: source.name, isSynthetic: source.isSynthetic, rows };
}

/** Comparisons for each entry that left, putting it in included. */
export function perEntry({ comparisons, extracted }: Figure8Row, queue: string): number {
  return (comparisons[queue].insert + comparisons[queue].extract) / Math.max(1, extracted);
}

/** The paper's figure 8: comparisons against R, on the streams of crawls and under the hold model. */
export const figure8Part: Part<readonly Figure8Stream[]> = {
  name: 'figure-8', title: 'Figure 8: key comparisons against the batch size', measure, show,
};

async function measure(context: PartContext): Promise<Figure8Stream[]> {
  const { entries, seed, signal, report } = context;
  const size = Math.min(100_000, Math.max(...entries));
  const streams: Figure8Stream[] = [];
  for (const source of [...crawlSources(context), holdSource(size, size, seed)]) {
    if (signal.aborted) break;
    await report(`figure 8, ${source.name}`);
    streams.push(await figure8(source, figure8Blocks));
  }
  return streams;
}

function show(streams: readonly Figure8Stream[]): Shown {
  const names = countingContenders.map(({ name }) => name);
  const measured = streams.filter(({ rows }) => rows.length > 0);
  return {
    paragraphs: [
      'Key comparisons for each entry that left, its insertion included. Streams are what went through the queues of simulated OPIC crawls whose ' +
        'processors fetch R pages a superstep, recorded and sent through each queue; and the hold model. No times: the same seed gives the same figures.',
      ...heaps.map((heap) => verdict(measured, 'quickheap', heap)),
    ],
    tables: [
      {
        name: 'figure-8',
        caption: 'Comparisons for each entry that left',
        sections: 1,
        columns: [
          { name: 'stream' }, { name: 'R' }, { name: 'entries' }, { name: 'left' },
          ...names.map((name) => ({ name, digits: 2 })),
        ],
        rows: measured.flatMap((stream) =>
          stream.rows.map((row) => [
            titled(stream), row.r, row.inserted, row.extracted, ...names.map((name) => perEntry(row, name)),
          ]),
        ),
      },
    ],
    charts: measured.map(({ stream, isSynthetic, rows }): Chart => ({
      title: stream, isSynthetic, x: { label: 'R, entries of a batch', scale: 'log' },
      y: { label: 'comparisons per entry', scale: 'log' },
      series: names.map((name) => ({ name, points: rows.map((row) => ({ x: row.r, y: perEntry(row, name) })) })),
    })),
    notes: [
      ...streams
        .filter(({ rows }) => rows.length === 0)
        .map(({ stream }) => `Not measured: ${stream}, which is too short for R = ${figure8Blocks[0]}.`),
      "Kernels take part without their sorting by digits, which makes no comparisons: only so can their counts be held against others'.",
      "The paper's figure survives without axes, values of R and names of samples: only the order of its curves can be compared.",
      'binary-heap makes two comparisons a level, bottom-up heap little more than one. Which of them the paper compared with is not known.',
    ],
  };
}

const heaps = ['binary-heap', 'bottom-up heap'] as const;

function titled({ stream, isSynthetic }: Figure8Stream): string {
  return `${stream}${isSynthetic ? ' (synthetic)' : ''}`;
}

/** Compares a QuickHeap with a heap: the paper's claim is about one of the two heaps, and does not say which. */
function verdict(streams: readonly Figure8Stream[], quickheap: string, heap: string): string {
  const shares = streams.flatMap(({ rows }) => rows.map((row) => perEntry(row, quickheap) / perEntry(row, heap)));
  if (shares.length === 0) return 'Nothing was measured.';
  const range = `${Math.min(...shares).toFixed(2)} to ${Math.max(...shares).toFixed(2)} times as many`;
  const above = streams.flatMap((stream) => {
    const at = stream.rows.filter((row) => perEntry(row, quickheap) >= perEntry(row, heap)).map(({ r }) => r);
    const all = stream.rows.map(({ r }) => r);
    if (at.length === 0) return [];
    return [`${titled(stream)} (${at.length === all.length ? 'every R' : `R = ${stretches(at, all)}`})`];
  });
  return above.length === 0
    ? `${quickheap} makes fewer comparisons than ${heap} at every R of every stream: ${range}.`
    : `${quickheap} makes ${range} comparisons as ${heap}, and no fewer on ${above.join('; on ')}.`;
}

/** "16 to 64, 256": neighbours of `all` together. */
function stretches(some: readonly number[], all: readonly number[]): string {
  const starts = some.filter((value) => !some.includes(all[all.indexOf(value) - 1]));
  return starts.map((first) => {
    let last = all.indexOf(first);
    while (some.includes(all[last + 1])) last++;
    return all[last] === first ? String(first) : `${first} to ${all[last]}`;
  }).join(', ');
}
