import { spread } from '../alternate.ts';
import { columns, type Shown } from '../part.ts';
import type { PriorityQueue } from '../../../core/queue/index.ts';

/** One queue under one adversary. An element is a key put in and taken out. */
export interface AdversaryRow {
  readonly adversary: string;
  readonly block: number;
  readonly queue: string;
  readonly comparisonsPerElement: number;
  /** The most pivots, blocks or levels after any batch. */
  readonly mostParts: number;
  readonly unit: PriorityQueue['structure']['unit'];
  /** Comparisons of the dearest batch, a single call in or out. */
  readonly worstBatchComparisons: number;
  /** Keys copied inside the structure by the batch that copied most; null where they are not counted. */
  readonly worstBatchMoved: number | null;
  /** Generation of keys apart. One reading: noisy. */
  readonly nsPerElement: number;
}

export interface AdversariesResult {
  readonly entries: number;
  readonly rows: readonly AdversaryRow[];
}

/**
 * The two rules that bound a QuickHeap's pivots, and what bounds its work otherwise. The first is what the others are
 * held against.
 */
export const joinRule = 'quickheap';

export const coinRule = 'randomised quickheap';

/** Runs of the quickheap hold F = 1024 keys at least, as if R were F / 1.5: smaller batches are measured by that. */
const leastRunBlock = 1024 / 1.5;

export function showAdversaries({ entries, rows }: AdversariesResult): Shown {
  return {
    paragraphs: [
      `${entries} keys go in and all come out again, R at a time, in orders that queues dislike (synthetic). An element is a key put in ` +
        'and taken out; a batch is one call, in or out. Pivots are counted after every batch. All queues took out the same batches. ' +
        'The two rules are measured in their structures: the join rule in a quickheap of buckets that are split little by little, the ' +
        'coin rule in one over an array, whose extractions partition what they need at once.',
      ...ruleSentences(rows),
    ],
    tables: [
      {
        name: 'adversaries',
        caption: `Adversaries, ${entries} keys in and out`,
        columns: columns(
          'adversary', 'R', 'queue', ['comparisons an element', 2], 'most pivots, blocks or levels',
          ['worst batch, comparisons / R', 1], ['worst batch, keys moved / R', 2], 'ns an element',
        ),
        rows: rows.map((row) => [
          row.adversary, row.block, row.queue, row.comparisonsPerElement, row.mostParts,
          row.worstBatchComparisons / row.block, row.worstBatchMoved === null ? null : row.worstBatchMoved / row.block,
          row.nsPerElement,
        ]),
      },
    ],
    charts: [],
  };
}

/** Which rule bounds the pivots, at what price; nothing until both were measured. */
function ruleSentences(rows: readonly AdversaryRow[]): string[] {
  const joined = rows.filter(({ queue }) => queue === joinRule);
  const coins = rows.filter(({ queue }) => queue === coinRule);
  const pairs = coins.flatMap((coin) => {
    const join = joined.find(({ adversary, block }) => adversary === coin.adversary && block === coin.block);
    return join === undefined ? [] : [{ join, coin }];
  });
  if (pairs.length === 0) return [];
  const mean = pairs.map(({ join, coin }) => join.comparisonsPerElement / coin.comparisonsPerElement);
  const worst = pairs.map(({ join, coin }) => join.worstBatchComparisons / coin.worstBatchComparisons);
  const mostMoved = Math.max(
    ...joined.map(({ worstBatchMoved, block }) => (worstBatchMoved ?? 0) / Math.max(block, leastRunBlock)),
  );
  return [
    `${ruleSentence('The join rule', joined)} ${ruleSentence('The coin rule of the randomised quickheap', coins)}`,
    `With the join rule an element costs fewer comparisons in ${belowOne(mean)} of ${pairs.length} cases, ${fixed(spread(mean).median)} ` +
      `times as many in the median; the worst batch costs fewer in ${belowOne(worst)}, ${fixed(spread(worst).median)} times as many in the ` +
      `median. ${verdict(spread(mean).median, spread(worst).median)}`,
    `With the join rule no batch moved more than ${fixed(mostMoved)} R keys, where R below ${Math.ceil(leastRunBlock)} counts as that, ` +
      'since a run holds 1024 keys at least.',
  ];
}

function ruleSentence(rule: string, rows: readonly AdversaryRow[]): string {
  const most = (figure: (row: AdversaryRow) => number): AdversaryRow =>
    rows.reduce((a, b) => (figure(b) > figure(a) ? b : a));
  const pivots = most((row) => row.mostParts);
  const mean = most((row) => row.comparisonsPerElement);
  const batch = most((row) => row.worstBatchComparisons / row.block);
  return (
    `${rule} had at most ${pivots.mostParts} pivots (${caseOf(pivots)}); an element cost ${fixed(mean.comparisonsPerElement)} ` +
    `comparisons at most (${caseOf(mean)}), a batch ${Math.round(batch.worstBatchComparisons / batch.block)} R (${caseOf(batch)}).`
  );
}

function verdict(mean: number, worst: number): string {
  if (mean <= 1 && worst <= 1) return 'It is the better one on both accounts.';
  if (mean > 1 && worst > 1) return 'The coin rule is the better one on both accounts.';
  return mean > 1 ? 'It buys the even load with comparisons.' : 'It saves comparisons, at the price of dearer batches.';
}

function caseOf({ adversary, block }: AdversaryRow): string {
  return `${adversary}, R = ${block}`;
}

function belowOne(ratios: readonly number[]): number {
  return ratios.filter((ratio) => ratio < 1).length;
}

function fixed(value: number): string {
  return value < 0.1 ? value.toPrecision(1) : value.toFixed(2);
}
