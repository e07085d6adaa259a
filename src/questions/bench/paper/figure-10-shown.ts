import type { Chart, Column, Point, Shown, ShownTable } from '../part.ts';
import { loadedQueues, type LoadedQueue } from '../slices/slice-load.ts';
import type { Load, Spread } from '../alternate.ts';

/** T of the paper's figure. */
export const paperThreads: readonly number[] = [1, 2, 4, 8, 16, 32, 64];

/**
 * How threads go on: each by itself; all together, round by round; or as the product does it, which also splits and
 * copies.
 */
export const modes = ['free-running', 'barrier', 'ThreadedSlices'] as const;

export type Mode = (typeof modes)[number];

export interface MeasuredPoint {
  readonly queue: LoadedQueue;
  readonly mode: Mode;
  readonly threads: number;
  /** To take one entry out and put one in, all threads together. */
  readonly nsPerElement: Spread;
  /**
   * T1 / T(T), of neighbours in time. T1 is one thread of the same mode; of ThreadedSlices, a queue without threads.
   */
  readonly speedUp: Spread;
}

/** Comparisons of real slices, one after the other in one thread. */
export interface ModelledPoint {
  readonly queue: LoadedQueue;
  readonly slices: number;
  /** Mean over slices and rounds, and mean over rounds of the busiest slice. */
  readonly meanOfSlice: number;
  readonly meanOfBusiest: number;
  /** The busiest over all rounds, a round. */
  readonly busiestOverall: number;
  /**
   * The work of a single queue over the busiest slice's: round by round for the barrier, else over all rounds.
   */
  readonly speedUp: {
    readonly [mode in 'barrier' | 'free-running']: number;
  };
}

export interface Figure10Case {
  readonly entries: number;
  readonly block: number;
  readonly measured: readonly MeasuredPoint[];
  readonly modelled: readonly ModelledPoint[];
}

export interface Figure10Result {
  readonly cores: number;
  readonly load: Omit<Load, 'cores'>;
  readonly rounds: number;
  readonly cases: readonly Figure10Case[];
  /** What was not measured, and why. */
  readonly skipped: readonly string[];
}

/** Processors of the paper's machine, a Quad-Xeon. */
const paperCpus = 8;

/** Speed-up of two slices on two threads that is aimed at. */
const aims: Partial<Record<Mode, number>> = { 'free-running': 1.7, barrier: 1.5 };

const modelledModes = ['free-running', 'barrier'] as const;

export function showFigure10({ cores, load, rounds, cases, skipped }: Figure10Result): Shown {
  // Afterwards, our own threads and the one that waits for them are part of the load.
  const isBusy = load.before > cores || load.after > cores + 1;
  const isAboveIdeal = cases.some(({ modelled }) =>
    modelled.some(({ slices, speedUp }) => speedUp['free-running'] > 1.02 * slices),
  );
  return {
    paragraphs: [
      'Speed-up T1 / T(T) of T threads over one, each with a slice of N/T entries in a kernel of its own: extract-top(R/T), immediately ' +
        `followed by insert-many(R/T). Medians of ${rounds} rounds, T = 1, 2, ... in turn in each, and ratios of neighbours; "of minima" ` +
        'is the ratio of the least disturbed rounds, of ThreadedSlices to one thread of its own. All keys are made before the clock ' +
        'starts, on every side. free-running: each thread goes through its rounds by itself; barrier: all wait for each other after ' +
        'every round. ThreadedSlices is the product: it also splits a batch by hash and copies it to the threads and back, and its T1 ' +
        'is a queue without threads.',
      `The paper draws T = 1 to ${paperThreads[paperThreads.length - 1]} OpenMP threads on ${paperCpus} CPUs and calls it near ` +
        `optimal; its figures do not survive. More than ${paperCpus} is not possible there. Here ` +
        `${cores === 1 ? 'is 1 core' : `are ${cores} cores`}: what is drawn solid is measured, up to T = ${cores}.`,
      'Hollow is modelled, from comparisons of real slices counted in one thread: the work of one queue in a round over that of its ' +
        'busiest slice, for the barrier in the mean over rounds, for free-running threads over all rounds together. The model knows no ' +
        'barrier, no thread that starts or wakes, no cache and no memory that threads share; and it counts sorting by comparisons, ' +
        'while the kernels measured sort by digits.',
      ...(isAboveIdeal
        ? [
            'Where the model is above T, slices have less to do: R/T keys are sorted with fewer comparisons a key than R are.',
          ]
        : []),
      ...(isBusy
        ? [
            `Load ${load.before.toFixed(1)} before, ${load.after.toFixed(1)} after, on ${cores} cores: MORE THAN THE CORES. Threads had ` +
              'to share them, so that the measured speed-ups say little and are held against no aim; the model is unharmed.',
          ]
        : []),
      ...cases.flatMap((row) => loadedQueues.flatMap((queue) => verdict(row, queue, isBusy))),
    ],
    notes: skipped,
    tables: [measuredTable(cases), modelTable(cases)],
    charts: cases.flatMap((row) => loadedQueues.map((queue) => chart(row, queue))),
  };
}

function modelOf({ modelled }: Figure10Case, queue: LoadedQueue, mode: Mode, threads: number): number | undefined {
  return mode === 'ThreadedSlices'
    ? undefined
    : modelled.find((point) => point.queue === queue && point.slices === threads)?.speedUp[mode];
}

/**
 * Speed-up of the least disturbed round over the least disturbed one of a single thread: what a busy machine takes
 * least from.
 */
function ofMinima({ measured }: Figure10Case, queue: LoadedQueue, mode: Mode, threads: number): number | null {
  const [single, several] = [1, threads].map(
    (count) =>
      measured.find((point) => point.queue === queue && point.mode === mode && point.threads === count)?.nsPerElement
        .min,
  );
  return single === undefined || several === undefined ? null : single / several;
}

/**
 * What two threads gave, held against the model, and the aim unless others were busy too; and the model's last word.
 */
function verdict(row: Figure10Case, queue: LoadedQueue, isBusy: boolean): string[] {
  const two = row.measured.filter((point) => point.queue === queue && point.threads === 2);
  const speedUps = two.map(({ mode, speedUp: { median, min, max } }) => {
    const aim = aims[mode];
    const model = modelOf(row, queue, mode, 2);
    const words = [
      `${min.toFixed(2)} to ${max.toFixed(2)}`,
      ...[ofMinima(row, queue, mode, 2)]
        .filter((least) => least !== null)
        .map((least) => `of minima ${least.toFixed(2)}`),
      ...(model === undefined ? [] : [`model ${model.toFixed(2)}`]),
      ...(aim === undefined || isBusy ? [] : [`aim ${aim}`]),
    ];
    return `${mode} ${median.toFixed(2)} (${words.join('; ')})`;
  });
  const last = row.modelled.filter((point) => point.queue === queue).at(-1);
  if (last === undefined) return [];
  const { barrier, 'free-running': free } = last.speedUp;
  return [
    `N = ${row.entries}, R = ${row.block}, ${queue}: two threads ${speedUps.length === 0 ? 'not measured' : speedUps.join(', ')}. ` +
      `Model at T = ${last.slices}: ${barrier.toFixed(1)} with a barrier, ${free.toFixed(1)} free-running.`,
  ];
}

const oneDigit = (...names: readonly string[]): Column[] => names.map((name) => ({ name, digits: 1 }));
const twoDigits = (...names: readonly string[]): Column[] => names.map((name) => ({ name, digits: 2 }));

function measuredTable(cases: readonly Figure10Case[]): ShownTable {
  return {
    name: 'figure-10',
    caption:
      'Figure 10, measured: ns to take one entry out and put one in, and speed-up; beside it what the model gives',
    columns: [
      { name: 'N' }, { name: 'R' }, { name: 'queue' }, { name: 'threads' }, { name: 'T' },
      ...oneDigit('ns', 'ns min', 'ns max'), ...twoDigits('speed-up', 'min', 'max', 'of minima', 'model'),
    ],
    rows: cases.flatMap((row) =>
      row.measured.map(({ queue, mode, threads, nsPerElement, speedUp }) => [
        row.entries, row.block, queue, mode, threads, nsPerElement.median, nsPerElement.min, nsPerElement.max,
        speedUp.median, speedUp.min, speedUp.max, ofMinima(row, queue, mode, threads),
        modelOf(row, queue, mode, threads) ?? null,
      ]),
    ),
  };
}

function modelTable(cases: readonly Figure10Case[]): ShownTable {
  return {
    name: 'figure-10-model',
    caption:
      'Figure 10, modelled: comparisons of a slice in a round, and the speed-up if a thread takes as long as it compares',
    columns: [
      { name: 'N' }, { name: 'R' }, { name: 'queue' }, { name: 'T' }, { name: 'mean slice' },
      { name: 'busiest of round' }, { name: 'busiest of all' }, ...twoDigits('barrier', 'free-running'),
    ],
    rows: cases.flatMap(({ entries, block, modelled }) =>
      modelled.map(({ queue, slices, meanOfSlice, meanOfBusiest, busiestOverall, speedUp }) => [
        entries, block, queue, slices, meanOfSlice, meanOfBusiest, busiestOverall, speedUp.barrier,
        speedUp['free-running'],
      ]),
    ),
  };
}

function chart({ entries, block, measured, modelled }: Figure10Case, queue: LoadedQueue): Chart {
  const isOfQueue = ({ queue: of }: { readonly queue: LoadedQueue }): boolean => of === queue;
  const measuredIn = (mode: Mode): Point[] =>
    measured
      .filter((point) => isOfQueue(point) && point.mode === mode)
      .map(({ threads, speedUp }) => ({ x: threads, y: speedUp.median }));
  const modelledFor = (mode: (typeof modelledModes)[number]): Point[] =>
    modelled.filter(isOfQueue).map(({ slices, speedUp }) => ({ x: slices, y: speedUp[mode], isModelled: true }));
  return {
    title: `Figure 10: ${queue}, N = ${entries}, R = ${block}`,
    isSynthetic: true,
    x: { label: 'threads, T', scale: 'log' },
    y: { label: 'speed-up, T1 / T(T)', scale: 'log' },
    series: [
      ...modes.map((mode) => ({ name: mode, points: measuredIn(mode) })),
      ...modelledModes.map((mode) => ({ name: `${mode}, modelled`, points: modelledFor(mode) })),
      { name: 'ideal', isReference: true, points: paperThreads.map((threads) => ({ x: threads, y: threads })) },
      {
        name: `ideal on ${paperCpus} CPUs`, isReference: true,
        points: paperThreads.map((threads) => ({ x: threads, y: Math.min(threads, paperCpus) })),
      },
    ],
  };
}
