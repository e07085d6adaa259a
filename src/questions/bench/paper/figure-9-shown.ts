import type { PagedQueueKind } from '../../../core/queue/index.ts';
import { operationsOf } from '../paged/io.ts';
import type { PhaseCounts } from '../paged/paged-replay.ts';
import { type Chart, columns, type Shown } from '../part.ts';

export interface Figure9Row {
  readonly r: number;
  readonly share: number;
  /** Over all processors: entries held at the most, and the memory for them. */
  readonly peak: number;
  readonly memoryBytes: number;
  /** Over all processors; `worstBatch` is one processor's. */
  readonly counts: Readonly<Record<PagedQueueKind, PhaseCounts>>;
}

/** One source's streams. */
export interface Figure9Stream {
  readonly stream: string;
  readonly isSynthetic: boolean;
  readonly phases: readonly Figure9Phase[];
  /** R and share for which the memory is less than the structures need; beyond the last R none was tried. */
  readonly tooSmall: readonly { readonly r: number; readonly share: number; }[];
}

export interface Figure9Phase {
  readonly phase: string;
  readonly rows: readonly Figure9Row[];
}

export interface Figure9Result {
  readonly streams: readonly Figure9Stream[];
}

/** QuickHeap's I/O operations for one of a CBT: the paper has it about 20 % better. */
export const paperRatio = 0.8;
/** Medians this near are the paper's; others are explained. */
const near = 0.1;

/** I/O operations of the QuickHeap for one of the CBT. */
export function ratioOf({ counts }: Figure9Row): number {
  return operationsOf(counts.quickheap) / operationsOf(counts.cbt);
}

/** What a verdict and a chart are about. */
type Stretch = Omit<Figure9Stream, 'phases'> & Figure9Phase;

export function showFigure9({ streams }: Figure9Result): Shown {
  const stretches = streams.flatMap(({ phases, ...stream }): Stretch[] =>
    phases.map((phase) => ({ ...stream, ...phase })),
  );
  const rows = stretches.flatMap((stretch) => stretch.rows);
  return {
    paragraphs: [
      "The paper's figure 9 shows the number of disk I/O operations of QuickHeap and CBT with main memory for 10 % and 30 % of the " +
        'queue; it reports the QuickHeap as about 20 % better, and leaves the binary heap out, which needs too many accesses at random. ' +
        'Its axes, streams and page size are not known. Here an operation is a page read or written, a page holds R keys, so that a ' +
        'block is one extent, and memory is a share of the bytes of the largest number of entries the queue held. Both structures ' +
        'returned the same batches.',
      ...(rows.length === 0
        ? []
        : [
            overall(rows),
            "Why, by counts: a QuickHeap moves a stored entry again only where its bucket is split, in bursts; a CBT's match rewrites both " +
              'blocks where keys change sides, evenly. The shares below that came and left in memory are lower bounds.',
          ]),
      ...stretches.map(verdict),
      ...notMeasured(streams),
    ],
    tables: [
      {
        name: 'figure-9',
        caption: 'I/O operations of queues in secondary memory, a page of R keys',
        sections: 2,
        columns: columns(
          'stream', 'counted', 'R', 'memory, % of the queue', 'most entries held', 'queue', 'reads', 'writes',
          'I/O operations', 'bytes read', 'bytes written', ['operations for R entries out', 2], ['QuickHeap / CBT', 2],
          ['entries never stored, % at least', 1], 'operations of the dearest batch',
        ),
        rows: stretches.flatMap(({ stream, isSynthetic, phase, rows: stretch }) =>
          stretch.flatMap((row) =>
            (Object.entries(row.counts) as [PagedQueueKind, PhaseCounts][]).map(([kind, counts]) => [
              named({ stream, isSynthetic }), phase, row.r, percent(row.share), row.peak, kind, counts.reads,
              counts.writes, operationsOf(counts), counts.bytesRead, counts.bytesWritten,
              (operationsOf(counts) * row.r) / Math.max(1, counts.extracted), ratioOf(row),
              100 * neverStoredShare(counts), counts.worstBatch,
            ]),
          ),
        ),
      },
    ],
    charts: stretches.map(chart),
  };
}

function overall(rows: readonly Figure9Row[]): string {
  const worse = rows.filter((row) => ratioOf(row) >= 1);
  const pages = worse.map(({ memoryBytes, r }) => Math.floor(memoryBytes / (8 * r)));
  const where = ` It needs as many or more only where memory is ${Math.max(...pages)} pages or less: front and working space take a third.`;
  return (
    `The QuickHeap needs fewer operations in ${rows.length - worse.length} of ${rows.length} cases; QuickHeap / CBT is ${spanOf(rows)}, ` +
    `median ${medianOf(rows).toFixed(2)}, where the paper says about ${paperRatio}.${worse.length === 0 ? '' : where}`
  );
}

/** One sentence, and the reason by counts where the paper's ratio is far. */
function verdict({ stream, isSynthetic, phase, rows }: Stretch): string {
  const shares = [...new Set(rows.map(({ share }) => share))];
  const ratios = shares.map((share) => {
    const ofShare = rows.filter((row) => row.share === share);
    const blocks = ofShare.map(({ r }) => r);
    return `${spanOf(ofShare)} with memory for ${percent(share)} % (R = ${[...new Set([blocks[0], blocks.at(-1)])].join(' to ')})`;
  });
  const median = medianOf(rows);
  const says = `${named({ stream, isSynthetic })}, ${phase}: QuickHeap / CBT is ${ratios.join(', ')}, median ${median.toFixed(2)}`;
  if (Math.abs(median - paperRatio) <= near) return `${says}: near the paper's.`;
  const row = rows.reduce((best, other) =>
    Math.abs(ratioOf(other) - median) < Math.abs(ratioOf(best) - median) ? other : best,
  );
  const { cbt, quickheap } = row.counts;
  const writtenShare = ({ bytesWritten, inserted, neverStored }: PhaseCounts): string =>
    (bytesWritten / 8 / Math.max(1, inserted - neverStored)).toFixed(1);
  const ofWorst = (counts: PhaseCounts): number => percent(counts.worstBatch / Math.max(1, operationsOf(counts)));
  return (
    `${says}: ${median < paperRatio ? 'better' : 'worse'} than the paper's. At R = ${row.r} and ${percent(row.share)} %, ` +
    `${percent(neverStoredShare(quickheap))} % of ${quickheap.inserted} entries came and left in the QuickHeap's memory, ` +
    `${percent(neverStoredShare(cbt))} % in the CBT's; for each of the others the QuickHeap wrote room for ${writtenShare(quickheap)}, the ` +
    `CBT for ${writtenShare(cbt)}. The QuickHeap's dearest batch has ${ofWorst(quickheap)} % of its operations, the CBT's ${ofWorst(cbt)} %.`
  );
}

function notMeasured(streams: readonly Figure9Stream[]): string[] {
  const small = streams.filter(({ tooSmall }) => tooSmall.length > 0);
  if (small.length === 0) return [];
  const notMeasured = small.map(({ stream, tooSmall }) => {
    const shares = [...new Set(tooSmall.map(({ share }) => share))];
    const least = (share: number): number =>
      Math.min(...tooSmall.filter((member) => member.share === share).map(({ r }) => r));
    const from = shares.map((share) => `R = ${least(share)} at ${percent(share)} %`);
    return `${stream}: from ${from.join(' and ')}`;
  });
  return [
    `Not measured, because memory is less than the 12 pages of R keys that a QuickHeap needs (a CBT needs 8): ${notMeasured.join('; ')}.`,
  ];
}

function chart({ stream, phase, isSynthetic, rows }: Stretch): Chart {
  const shares = [...new Set(rows.map(({ share }) => share))];
  const lineOf = (kind: PagedQueueKind, share: number, factor = 1) =>
    rows
      .filter((row) => row.share === share)
      .map(({ r, counts }) => ({ x: r, y: factor * operationsOf(counts[kind]) }));
  return {
    title: `${stream}, ${phase}`,
    isSynthetic,
    x: { label: 'R, entries of a batch, a block and a page', scale: 'log' },
    y: { label: 'I/O operations', scale: 'log' },
    series: shares.flatMap((share) => [
      { name: `cbt, ${percent(share)} %`, points: lineOf('cbt', share) },
      { name: `quickheap, ${percent(share)} %`, points: lineOf('quickheap', share) },
      // The paper's quickheap.
      {
        name: `${paperRatio} times cbt, ${percent(share)} %`,
        points: lineOf('cbt', share, paperRatio),
        isReference: true,
      },
    ]),
  };
}

function named({ stream, isSynthetic }: Pick<Stretch, 'stream' | 'isSynthetic'>): string {
  return isSynthetic ? `${stream} (synthetic)` : stream;
}

function neverStoredShare({ inserted, neverStored }: PhaseCounts): number {
  return neverStored / Math.max(1, inserted);
}

function spanOf(rows: readonly Figure9Row[]): string {
  const ratios = rows.map(ratioOf);
  const [least, most] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
  return least === most ? least : `${least} to ${most}`;
}

function medianOf(rows: readonly Figure9Row[]): number {
  const sorted = rows.map(ratioOf).sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

function percent(share: number): number {
  return Math.round(100 * share);
}
