import type { Column, Shown, ShownTable } from '../part.ts';

/**
 * What the paper's Table 1 says: T, then X/Y of extract-top and of insert-many, in seconds on its machine, R = 8000.
 */
export const paperTable1 = [
  { slices: 1, extract: 1, insert: 1 },
  { slices: 2, extract: 0.99, insert: 0.98 },
  { slices: 4, extract: 0.98, insert: 0.97 },
  { slices: 8, extract: 0.95, insert: 0.93 },
] as const;

/** What one operation cost the slices, in one unit, over all rounds that count. */
export interface Work {
  /** X: mean over slices and rounds. */
  readonly mean: number;
  /** Y: mean over rounds of the most that any slice did. */
  readonly meanOfMost: number;
  /** X/Y; 1 where nothing was done. */
  readonly efficiency: number;
  /** The least and the most that one slice did in one round. */
  readonly least: number;
  readonly most: number;
  /** Standard deviation of a slice from the others of its round, as a share of the mean. */
  readonly deviation: number;
  /** Work of the slice that did most over all rounds, as a share of the mean slice's. */
  readonly busiestSlice: number;
  /** Share of (slice, round) in which it cost nothing. */
  readonly freeShare: number;
}

/** The same work in each unit that the queue counts. */
export interface Measures {
  readonly comparisons: Work;
  /** Two blocks of R/T keys each: nearest to what a machine reads and writes whatever the keys are. */
  readonly matches: Work | null;
  /** Keys copied: a CBT's those selected among, a QuickHeap kernel's all. */
  readonly moved: Work | null;
}

export interface Table1Row {
  readonly workload: string;
  readonly queue: string;
  /** Asks what makes the difference; no queue to be used. */
  readonly isYardstick: boolean;
  readonly slices: number;
  /** R, and R/T of a slice. */
  readonly block: number;
  readonly sliceBlock: number;
  readonly rounds: number;
  readonly extract: Measures;
  readonly insert: Measures;
  /** Extraction and insertion as one: what bounds a speed-up where threads meet once a round. */
  readonly round: Measures;
  /** Entries put in, by slice. */
  readonly entries: Work;
  readonly paper: { readonly extract: number; readonly insert: number; };
  /** Why a figure in comparisons is more than `explainedFrom` off the paper's, by the counts; one a figure. */
  readonly explanations: readonly string[];
}

export interface Table1Result {
  readonly workloads: readonly { readonly name: string; readonly isSynthetic: boolean; readonly note: string; }[];
  readonly rows: readonly Table1Row[];
  /** Graphs whose crawls are too short, and why. */
  readonly skipped: readonly string[];
}

export const yardsticks = {
  inFull: 'paper cbt, matches in full', steady: 'paper cbt, in full, steady selection',
} as const;

/** Differences from the paper's figures that are explained: those above. */
export const explainedFrom = 0.02;

/**
 * Mean of the greatest of T independent standard normal draws: what the busiest of T slices has over the mean, in
 * deviations.
 */
const meanOfGreatest: Readonly<Record<number, number>> = { 1: 0, 2: 0.564, 4: 1.029, 8: 1.424 };

/** X/Y that T slices would have which deviate so, each on its own. */
const ifIndependent = ({ deviation }: Work, slices: number): number => 1 / (1 + meanOfGreatest[slices] * deviation);

/** The deviation that would give T independent slices this X/Y. */
const deviationFor = (efficiency: number, slices: number): number => (1 / efficiency - 1) / meanOfGreatest[slices];

const operations = [['extract', 'extract-top'], ['insert', 'insert-many']] as const;

/** How far X/Y in comparisons is from the paper's. */
function offBy(row: Omit<Table1Row, 'explanations'>, operation: 'extract' | 'insert'): number {
  return Math.abs(row[operation].comparisons.efficiency - row.paper[operation]);
}

/** Why a row's figures are more than `explainedFrom` off the paper's, in sentences made of its counts; one a figure. */
export function explanationsOf(row: Omit<Table1Row, 'explanations'>): string[] {
  const { queue, slices, paper } = row;
  return operations.filter(([operation]) => offBy(row, operation) > explainedFrom).map(([operation, name]) => {
    const balance = share(row[operation].comparisons.efficiency);
    return `${queue}, T = ${slices}, ${name} ${balance}, paper ${share(paper[operation])}: ${causes(row, operation).join('; ')}.`;
  });
}

function causes(
  { slices, sliceBlock, entries, ...row }: Omit<Table1Row, 'explanations'>, operation: 'extract' | 'insert',
): string[] {
  const { comparisons, matches, moved }: Measures = row[operation];
  const { mean, most, deviation, freeShare, busiestSlice } = comparisons;
  if (mean === 0) return ['no comparison is made here, but in the insertion that follows'];
  const reasons = [
    `a slice makes ${Math.round(mean)} comparisons a round and deviates by ${percent(deviation)} of that from the others; ` +
      `${slices} slices that do so, each on its own, have ${share(ifIndependent(comparisons, slices))}`,
  ];
  if (matches !== null && moved !== null) {
    const [{ lost: loss, to }] = [
      { lost: 1 - matches.efficiency, to: 'how many matches a slice plays' },
      { lost: matches.efficiency - moved.efficiency, to: 'how many keys of a match may change sides' },
      {
        lost: moved.efficiency - comparisons.efficiency,
        to: 'what a selection costs a key, which is the luck of its pivots',
      },
    ].sort((first, other) => other.lost - first.lost);
    reasons.push(
      `its ${matches.mean.toFixed(1)} matches (${matches.least} to ${matches.most}) have ${share(matches.efficiency)}, ` +
        `the keys selected among in them ${share(moved.efficiency)}, so that most is lost to ${to} (${share(loss)})`,
    );
  }
  if (most > 3 * mean)
    reasons.push(`it comes in bursts, up to ${(most / mean).toFixed(0)} times the mean in one slice and round`);
  if (operation === 'insert' && 1 - entries.efficiency > explainedFrom / 2) {
    reasons.push(`the numbers of entries inserted have ${share(entries.efficiency)} themselves`);
  }
  if (freeShare > 0.005) {
    const why = operation === 'insert' && matches !== null ? `, no block of ${sliceBlock} having come full` : '';
    reasons.push(`in ${percent(freeShare)} of its rounds a slice makes none${why}`);
  }
  if (busiestSlice > 1.05)
    reasons.push(`over all rounds the busiest slice makes ${percent(busiestSlice - 1)} more than the mean`);
  return reasons;
}

export function showTable1({ workloads, rows, skipped }: Table1Result): Shown {
  const most = Math.max(0, ...rows.map(({ slices }) => slices));
  const explained = rows.filter(
    ({ slices, isYardstick, explanations }) => slices === most && !isYardstick && explanations.length > 0,
  );
  return {
    paragraphs: [
      'X/Y of extract-top ("out") and insert-many ("in"): X the mean work of a slice in a round, Y the mean of the busiest slice\'s. The ' +
        'paper measured seconds; here work is counted, in three units: comparisons of two keys; matches, each of which reads two blocks ' +
        'of R/T keys; keys moved. "round" is extraction and insertion as one.',
      ...workloads.map(
        ({ name, isSynthetic, note }) => `${capital(name)}${isSynthetic ? ' (synthetic)' : ''}: ${note}.`,
      ),
      ...verdicts(rows.filter(({ workload }) => workload === workloads[0]?.name)),
      ...explained.map(({ workload, explanations }) => `${capital(workload)}: ${explanations.join(' ')}`),
    ],
    tables: [
      ...workloads.map(({ name }, i) =>
        table(
          `table-1-${i + 1}`,
          name,
          rows.filter(({ workload }) => workload === name),
        ),
      ),
      differences(rows),
    ].filter((table) => table.rows.length > 0),
    charts: [],
    notes: skipped,
  };
}

/** The causes that the rows of a workload show, and the changes that would give the paper's figures. */
function verdicts(rows: readonly Table1Row[]): string[] {
  const slices = paperTable1[paperTable1.length - 1].slices;
  const of = (name: string): Table1Row | undefined => rows.find((row) => row.queue === name && row.slices === slices);
  const [paperCbt, inFull, steady, cbt] = ['paper cbt', yardsticks.inFull, yardsticks.steady, 'cbt'].map(of);
  const [randomised, quickheap] = ['randomised quickheap', 'quickheap'].map(of);
  const sentences: string[] = [];
  if (paperCbt !== undefined && inFull !== undefined && steady !== undefined) {
    sentences.push(causeOfUnevenness(rows, paperCbt, inFull, steady), whatSecondsHold(paperCbt));
  }
  if (paperCbt !== undefined && cbt !== undefined) {
    const [ours, theirs] = [cbt, paperCbt].map(({ round }) => share(round.comparisons.efficiency));
    sentences.push(
      `The product's CBT merges sorted blocks, without selection: a round has ${ours} at T = ${slices}, the ` +
        `paper's CBT ${theirs} by the same count. Its extraction leaves a hole whose matches the ` +
        'next insertion plays, or the next extraction where no block came full: only the round as one says something.',
    );
  }
  if (paperCbt !== undefined && randomised !== undefined && quickheap !== undefined) {
    const isWorse = randomised.extract.comparisons.efficiency < paperCbt.extract.comparisons.efficiency;
    const out = ({ extract, round }: Table1Row): string =>
      `${share(extract.comparisons.efficiency)}, and a round ${share(round.comparisons.efficiency)}`;
    sentences.push(
      'The paper says that a similar balance is not attainable with QuickHeap, whose extract-top pays in bursts. ' +
        `${isWorse ? 'So it is' : 'Not so here'}: extract-top of the randomised QuickHeap has ${out(randomised)}; of the product's, ` +
        `which splits in slices, ${out(quickheap)}.`,
    );
  }
  return sentences;
}

/** The paper's CBT, held against itself without short cuts, and without the luck of its selection besides. */
function causeOfUnevenness(
  rows: readonly Table1Row[], paperCbt: Table1Row, inFull: Table1Row, steady: Table1Row,
): string {
  const pair = (row: Table1Row, unit: 'comparisons' | 'matches' = 'comparisons'): string =>
    operations.map(([operation]) => share(row[operation][unit]!.efficiency)).join('/');
  const furthest = (name: string): number =>
    Math.max(
      ...rows
        .filter(({ queue }) => queue === name)
        .flatMap((row) => operations.map(([operation]) => offBy(row, operation))),
    );
  const [steadyOff, all] = [yardsticks.steady, 'paper cbt'].map(furthest);
  const isLuck = steadyOff <= explainedFrom ? 'it is' : steadyOff < all / 2 ? 'most of it is' : 'it is not only';
  const dearer = operations
    .filter(
      ([operation]) =>
        inFull[operation].comparisons.efficiency - paperCbt[operation].comparisons.efficiency > explainedFrom,
    )
    .map(([, name]) => name);
  const cost = dearer.length === 0 ? 'no balance' : `balance of ${dearer.join(' and ')}`;
  const { least, most } = paperCbt.insert.matches!;
  const { paper, slices } = paperCbt;
  return (
    `What makes the paper's CBT uneven (even shares, T = ${slices}; the paper has ${share(paper.extract)}/${share(paper.insert)}): in ` +
    `comparisons it has ${pair(paperCbt)}. With every match played in full, none skipped and every position of a path visited, ` +
    `${pair(inFull)}: short cuts cost ${cost}. With a selection besides that hardly depends on its pivots, ${pair(steady)}, and at ` +
    `no T more than ${steadyOff.toFixed(3).replace(/^0/, '')} off the paper's figures: ${isLuck} the luck of quickselect, which each slice ` +
    `has for itself. In matches alone it is ${pair(inFull, 'matches')} in full and ${pair(paperCbt, 'matches')} with short cuts, ` +
    `which leave a block inserted ${least} to ${most} of them.`
  );
}

function whatSecondsHold({ paper, slices, ...row }: Table1Row): string {
  const parts = operations.map(([operation, name]) => {
    const ratio = row[operation].comparisons.deviation / deviationFor(paper[operation], slices);
    if (ratio <= 1) return `${name}: as counted`;
    return `${name}: ${percent(1 - 1 / ratio)} of a slice's time the same for all, or ${(ratio ** 2).toFixed(0)} times the matches a round`;
  });
  return (
    "Seconds hold more than comparisons: blocks copied, calls, waiting, the same for every slice. With quickselect, the paper's figures " +
    `come out of these counts with ${parts.join('; ')}. The paper does not say which it was.`
  );
}

function table(name: string, workload: string, rows: readonly Table1Row[]): ShownTable {
  const units = ['comparisons', 'matches', 'moved'] as const;
  return {
    name,
    caption: `Table 1, ${workload}: X/Y`,
    columns: [
      { name: 'queue' },
      { name: 'T' },
      { name: 'R/T' },
      ...['paper', ...units].flatMap((unit): Column[] => [
        { name: `${unit} out`, digits: 2 },
        { name: `${unit} in`, digits: 2 },
      ]),
      { name: 'comparisons round', digits: 2 },
    ],
    rows: rows.map(({ queue, slices, sliceBlock, paper, extract, insert, round }) => [
      queue, slices, sliceBlock, paper.extract, paper.insert,
      ...units.flatMap((unit) => [extract[unit]?.efficiency ?? null, insert[unit]?.efficiency ?? null]),
      round.comparisons.efficiency,
    ]),
  };
}

function differences(rows: readonly Table1Row[]): ShownTable {
  const twoDigits = (names: readonly string[]): Column[] => names.map((name) => ({ name, digits: 2 }));
  return {
    name: 'table-1-differences',
    caption:
      `Table 1: where X/Y in comparisons is more than ${share(explainedFrom)} off the paper's. "independent": X/Y of slices that deviate ` +
      'so, each on its own; where it comes near X/Y, it is variation from round to round that costs, not unequal slices',
    columns: [
      { name: 'workload' }, { name: 'queue' }, { name: 'T' }, { name: 'operation' }, ...twoDigits(['X/Y', 'paper']),
      { name: 'mean' }, { name: 'least' }, { name: 'most' },
      ...twoDigits(['deviation', 'independent', 'busiest slice', 'entries X/Y', 'free']),
    ],
    rows: rows.flatMap((row) =>
      operations
        .filter(([operation]) => offBy(row, operation) > explainedFrom)
        .map(([operation, name]) => {
          const { workload, queue, slices, paper, entries } = row;
          const { comparisons } = row[operation];
          const { efficiency, mean, least, most, deviation, busiestSlice, freeShare } = comparisons;
          return [
            workload, queue, slices, name, efficiency, paper[operation], mean, least, most, deviation,
            ifIndependent(comparisons, slices), busiestSlice, operation === 'insert' ? entries.efficiency : null,
            freeShare,
          ];
        }),
    ),
  };
}

/** .95, as the paper prints them. */
const share = (value: number): string => value.toFixed(2).replace(/^0/, '');
const percent = (value: number): string => `${Math.round(100 * value)} %`;
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
