import { coinRule, joinRule, type AdversariesResult, type AdversaryRow } from './adversaries-result.ts';
import type { Shown } from '../part.ts';

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
        columns: [
          { name: 'adversary' }, { name: 'R' }, { name: 'queue' }, { name: 'comparisons an element', digits: 2 },
          { name: 'most pivots, blocks or levels' }, { name: 'worst batch, comparisons / R', digits: 1 },
          { name: 'worst batch, keys moved / R', digits: 2 }, { name: 'ns an element' },
        ],
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
  const moved = Math.max(
    ...joined.map(({ worstBatchMoved, block }) => (worstBatchMoved ?? 0) / Math.max(block, leastRunBlock)),
  );
  return [
    `${ruleSentence('The join rule', joined)} ${ruleSentence('The coin rule of the randomised quickheap', coins)}`,
    `With the join rule an element costs fewer comparisons in ${belowOne(mean)} of ${pairs.length} cases, ${fixed(medianOf(mean))} ` +
      `times as many in the median; the worst batch costs fewer in ${belowOne(worst)}, ${fixed(medianOf(worst))} times as many in the ` +
      `median. ${verdict(medianOf(mean), medianOf(worst))}`,
    `With the join rule no batch moved more than ${fixed(moved)} R keys, where R below ${Math.ceil(leastRunBlock)} counts as that, ` +
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

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function fixed(value: number): string {
  return value < 0.1 ? value.toPrecision(1) : value.toFixed(2);
}
