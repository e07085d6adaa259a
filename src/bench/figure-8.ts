import { assert } from '../std/index.ts';
import { countingContenders, type Contender } from './contenders.ts';
import { replay, type PriorityStream, type StreamSource } from './priority-streams.ts';

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
  /** By the name of the queue: comparisons of two keys, over all processors; means over three seeds, which only randomised kinds feel. */
  readonly comparisons: Readonly<Record<string, Comparisons>>;
}

export interface Figure8Stream {
  readonly stream: string;
  readonly isSynthetic: boolean;
  readonly rows: readonly Figure8Row[];
}

/** Comparisons that a queue makes on streams, one queue a stream. */
export function countComparisons({ name, make }: Contender, block: number, streams: readonly PriorityStream[]): Comparisons {
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
    const counts = countingContenders.map((contender) => [contender.name, countComparisons(contender, r, streams)] as const);
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
