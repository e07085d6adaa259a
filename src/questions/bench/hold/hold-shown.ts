import { kernelContenders, ourContenders } from '../contenders.ts';
import { type Chart, columns, type Shown, type ShownTable } from '../part.ts';
import type { BenchCase } from '../alternate.ts';
import type { Absent } from '../peers/javascript.ts';

/** One queue at one N and R: ns an element (one entry out and one in). */
export interface HoldCase extends BenchCase {
  readonly queue: string;
  readonly isOurs: boolean;
  readonly entries: number;
  readonly block: number;
  readonly operations: number;
  /** Median over the rounds of the longest batch. */
  readonly worstBatchMs: number;
  /** null where comparisons are not counted. */
  readonly comparisonsPerElement: number | null;
  readonly worstBatchComparisons: number | null;
  readonly firstBatchComparisons: number | null;
  /** null where moved keys are not counted. */
  readonly worstBatchMoved: number | null;
  readonly bytesPerEntry: number;
}

export interface HoldBench {
  /** Compiler and flags of the C++ peer; null where it is absent. */
  readonly compiler: string | null;
  /** The same of the peer in Rust. */
  readonly rustCompiler: string | null;
  readonly cases: readonly HoldCase[];
  /** Peers that could not take part. */
  readonly absent: readonly Absent[];
  /** Why an N and R was not measured: sentences. */
  readonly skipped: readonly string[];
}

const kernels = kernelContenders.map(({ name }) => name);
const compareOnly = ourContenders.map(({ name }) => name);
const [quickheap, cbt] = kernels;
const [quickheapByComparison] = compareOnly;
/** Peers of the sentences and charts: the fastest package, and the standard library. */
const yardsticks: readonly string[] = ['flatqueue', 'std::priority_queue f64+u32'];

/** How many times as long as the first queue this one takes: median, least and most over the rounds. */
function timesOfFirst({ ratio }: HoldCase): { median: number; min: number; max: number } {
  return ratio === undefined
    ? { median: 1, min: 1, max: 1 }
    : { median: 1 / ratio.median, min: 1 / ratio.max, max: 1 / ratio.min };
}

export function showHold({ compiler, rustCompiler, cases, absent, skipped }: HoldBench): Shown {
  return {
    paragraphs:
      cases.length === 0
        ? ['No case was finished.']
        : [
            'N entries are held; a batch takes the R greatest out and puts R new ones in, their keys below the least that left. Times are ns to take one ' +
              'entry out and put one in, medians over rounds in which all queues take turns. Every queue took out the same keys, batch by batch: checksums agree.',
            ...speedSentences(cases),
          ],
    tables: [aimsTable(cases), holdTable(cases)],
    charts: [
      ...charts(
        cases, 'ns per element', ({ median }) => median,
        ({ queue, isOurs }) => (isOurs && !compareOnly.includes(queue)) || yardsticks.includes(queue),
      ),
      // Kernels that sort by digits make fewer comparisons than others can: theirs stand in the table alone.
      ...charts(
        cases, 'comparisons per element', comparisons,
        ({ queue }) => !kernels.includes(queue) && !queue.startsWith('std::'),
      ),
    ],
    notes: [
      ...skipped,
      ...absent.map(({ name, reason }) => `Absent: ${name}: ${reason}.`),
      ...(compiler === null
        ? []
        : [
            `C++ by ${compiler}, in a process of its own. Its bytes an entry are the size of an entry, without spare room.`,
          ]),
      ...(rustCompiler === null ? [] : [`SimdQuickHeap (crate quickheap 0.1.0) by ${rustCompiler}, likewise.`]),
      ...standingNotes,
    ],
  };
}

const standingNotes = [
  'The clock stands while the keys of a batch are made, for every side. Build-up and a fifth of the batches go before, uncounted.',
  'Keys are uniform and synthetic.',
  "Other packages' queues do not count comparisons and are not measured for them. They, and those in C++ and Rust, return their entries sorted, which ours do not promise.",
  'With "radix sort" a queue sorts by digits, which are no comparisons; without, it is as a crawl has it, by comparisons alone.',
  "Bytes an entry are by the engine's own account, spare room of arrays included; below N = 1e5 they say little.",
  "Worst batches in ms are as often the machine's as the queue's: compare worst batches in comparisons or in moved keys.",
  'binary-heap makes two comparisons a level, as in the textbooks; bottom-up heap, like std::priority_queue, little more than one.',
  'A match of the paper cbt costs R comparisons where the loser keeps its keys, and a selection among up to 2R keys more where some change sides: its work ' +
    'is bounded, not constant, which counts show and seconds may hide.',
] as const;

/** "... at N = 1e7, R = 1000: 27 x flatqueue, 7.9 x std::priority_queue f64+u32; ..." */
function speedSentences(cases: readonly HoldCase[]): string[] {
  const sentences = groups(cases).flatMap(({ entries, block, rows }) => {
    const parts = rows.filter(({ queue }) => yardsticks.includes(queue))
      .map((row) => `${rounded(timesOfFirst(row).median)} x ${row.queue}`);
    return parts.length === 0 ? [] : [`at N = ${sized(entries)}, R = ${block}: ${parts.join(', ')}`];
  });
  return sentences.length === 0 ? [] : [`Speed of ${quickheap}, as a multiple of others': ${sentences.join('; ')}.`];
}

/** 1e7; 12500. */
function sized(value: number): string {
  return value >= 1e4 && Number.isInteger(Math.log10(value)) ? `1e${Math.log10(value)}` : String(value);
}

function rounded(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(1);
}

interface Group {
  readonly entries: number;
  readonly block: number;
  readonly rows: readonly HoldCase[];
}

/** The cases of each N and R, in the order they were measured. */
function groups(cases: readonly HoldCase[]): Group[] {
  const byCase = new Map<string, HoldCase[]>();
  for (const row of cases) {
    const key = `${row.entries} ${row.block}`;
    byCase.set(key, [...(byCase.get(key) ?? []), row]);
  }
  return [...byCase.values()].map((rows) => ({ entries: rows[0].entries, block: rows[0].block, rows }));
}

function holdTable(cases: readonly HoldCase[]): ShownTable {
  return {
    name: 'hold',
    caption:
      `ns per element: median, least and most of the rounds; x: time as a multiple of ${quickheap}'s; comparisons per element; worst batch, ` +
      'out and in together, in comparisons, in moved keys as a multiple of R, and in ms; the very first batch; bytes an entry',
    sections: 2,
    columns: columns(
      'N', 'R', 'queue', ['ns', 1], ['min', 1], ['max', 1], ['x', 2], ['x min', 2], ['x max', 2], ['comparisons', 1],
      'worst batch', ['moved / R', 1], ['worst ms', 2], 'first batch', ['bytes', 1],
    ),
    rows: cases.map((row) => {
      const times = timesOfFirst(row);
      return [
        row.entries, row.block, row.queue, row.median, row.min, row.max, times.median, times.min, times.max,
        row.comparisonsPerElement, row.worstBatchComparisons, movedOfBlock(row), row.worstBatchMs,
        row.firstBatchComparisons, row.bytesPerEntry,
      ];
    }),
  };
}

function movedOfBlock({ worstBatchMoved, block }: HoldCase): number | null {
  return worstBatchMoved === null ? null : worstBatchMoved / block;
}

/** An aim for a queue at some N and R, and how to read what it reached. */
interface Aim {
  readonly queue: string;
  readonly what: string;
  readonly sense: 'at most' | 'at least';
  /** null where nothing is aimed at. */
  readonly bound: (entries: number, block: number) => number | null;
  readonly reached: (row: HoldCase, rows: readonly HoldCase[]) => number | null;
}

const comparisons = (row: HoldCase): number | null => row.comparisonsPerElement;
const speedOver = (peer: string) => (row: HoldCase, rows: readonly HoldCase[]): number | null => {
  const other = rows.find(({ queue }) => queue === peer);
  return other === undefined ? null : timesOfFirst(other).median / timesOfFirst(row).median;
};

const aims: readonly Aim[] = [
  { queue: quickheap, what: 'ns per element', sense: 'at most', bound: () => 45, reached: ({ median }) => median },
  { queue: quickheap, what: 'comparisons per element', sense: 'at most', bound: () => 20, reached: comparisons },
  {
    queue: quickheapByComparison, what: 'comparisons per element', sense: 'at most', bound: () => 30,
    reached: comparisons,
  },
  { queue: quickheap, what: 'moved keys of a batch / R', sense: 'at most', bound: () => 6, reached: movedOfBlock },
  {
    queue: quickheap, what: 'speed, x flatqueue', sense: 'at least', reached: speedOver('flatqueue'),
    bound: (entries) => (entries >= 1e7 ? 20 : entries >= 1e6 ? 9 : entries >= 1e5 ? 3 : null),
  },
  {
    queue: quickheap, what: 'speed, x std::priority_queue f64+u32', sense: 'at least',
    reached: speedOver('std::priority_queue f64+u32'), bound: (entries) => (entries >= 1e7 ? 6 : null),
  },
  {
    queue: quickheap, what: 'speed, x std::priority_queue u64', sense: 'at least',
    reached: speedOver('std::priority_queue u64'), bound: (entries) => (entries >= 1e7 ? 4 : null),
  },
  {
    queue: cbt, what: 'ns per element', sense: 'at most',
    bound: (entries, block) => (entries === 1e7 && block === 1000 ? 85 : null), reached: ({ median }) => median,
  },
  {
    queue: cbt,
    what: 'comparisons per element',
    sense: 'at most',
    reached: comparisons,
    bound: (entries, block) =>
      Math.min(entries === 1e7 && block === 1000 ? 36 : Infinity, 4 * Math.log2(entries / block) + 4),
  },
  {
    queue: cbt, what: 'speed, x std::priority_queue f64+u32', sense: 'at least',
    reached: speedOver('std::priority_queue f64+u32'), bound: (entries) => (entries >= 1e7 ? 3 : null),
  },
];

function aimsTable(cases: readonly HoldCase[]): ShownTable {
  return {
    name: 'aims',
    caption: 'What we aim at, and what this run reached',
    sections: 2,
    columns: columns('N', 'R', 'queue', 'figure', 'aim', ['bound', 1], ['reached', 1]),
    rows: groups(cases).flatMap(({ entries, block, rows }) =>
      aims.flatMap(({ queue, what, sense, bound, reached }) => {
        const aim = bound(entries, block);
        const row = rows.find((member) => member.queue === queue);
        return aim === null || row === undefined ? [] : [[entries, block, queue, what, sense, aim, reached(row, rows)]];
      }),
    ),
  };
}

/**
 * A chart against N for each R where there are several N, else one against R where there are several of them, else
 * none.
 */
function charts(
  cases: readonly HoldCase[], label: string, figure: (row: HoldCase) => number | null,
  isDrawn: (row: HoldCase) => boolean,
): Chart[] {
  const sizes = [...new Set(cases.map(({ entries }) => entries))];
  const blocks = [...new Set(cases.map(({ block }) => block))];
  const points = cases.filter((row) => isDrawn(row) && figure(row) !== null);
  const against = sizes.length > 1 ? ('entries' as const) : blocks.length > 1 ? ('block' as const) : null;
  if (against === null) return [];
  const fixed = against === 'entries' ? ('block' as const) : ('entries' as const);
  const [x, letter] = against === 'entries' ? ['N, entries held', 'R'] : ['R, entries of a batch', 'N'];
  return (against === 'entries' ? blocks : sizes).map((value) => {
    const rows = points.filter((row) => row[fixed] === value);
    return {
      title: `${label}, ${letter} = ${value}`,
      isSynthetic: true,
      x: { label: x, scale: 'log' },
      y: { label, scale: 'log' },
      series: [...new Set(rows.map(({ queue }) => queue))].map((name) => ({
        name,
        points: rows.filter(({ queue }) => queue === name).map((row) => ({ x: row[against], y: figure(row)! })),
      })),
    };
  });
}
