import { availableParallelism } from 'node:os';
import { parse } from 'node:path';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare, type PreparedGraph } from '../../src/graphs/graph/index.ts';
import { simulate, trueRanks } from '../../src/core/engine/index.ts';
import type { RunEvents } from '../../src/core/measure/index.ts';
import type { ExperimentInput } from '../../src/core/settings/index.ts';
import { openGraph } from '../../src/graphs/catalogue/index.ts';

// How good are the defaults of R_x and of the pending jobs (src/core/settings/scaling.ts)? In each cell, one graph,
// policy, number of processors and of robots, the default run is compared with runs of all combinations of fixed
// values: by the PageRank gathered after a quarter, half, three quarters and all of the time in which the first of them
// ended.

export interface CellSettings {
  readonly policy: 'opic' | 'breadth-first' | 'round-robin';
  readonly processors: number;
  readonly robots: number;
  readonly maxSeconds?: number | undefined;
}

export interface DefaultsCell extends CellSettings {
  readonly graph: string;
  /** When the first run ended, virtual seconds. */
  readonly seconds: number;
  /** The rank that the default gathered by each quarter, as a share of what the best fixed values had by then. */
  readonly ratios: readonly [number, number, number, number];
  /** The fixed values that gathered most at the quarter where the default was worst. */
  readonly bestLimit: number;
  readonly bestPending: number;
}

/** All pages that any of the graphs has. */
const unlimited = 2 ** 31;
export const fixedLimits = [96, 1000, unlimited];
export const fixedPending = [96, 400, 1600, 6400, 25_600, unlimited];
export const grid: readonly CellSettings[] = [1, 4, 16, 64].flatMap((processors) =>
  [1, 8, 64, 512].flatMap((robots) =>
    (['opic', 'breadth-first', 'round-robin'] as const).map((policy) => ({ policy, processors, robots }))));

/** One cell: the default run, and one for each pair of fixed values. */
export async function defaultsCell(
  prepared: PreparedGraph, settings: CellSettings, graph = prepared.graph.name,
): Promise<DefaultsCell> {
  const ranks = trueRanks(prepared);
  const run = async (more: ExperimentInput): Promise<{ events: RunEvents; seconds: number }> => {
    const { run, events } = await simulate(prepared, { ...settings, ...more }, { ranks });
    return { events, seconds: run.summary.virtualSeconds };
  };
  const usual = await run({});
  const fixed: ({ superstepLimit: number; pending: number } & Awaited<ReturnType<typeof run>>)[] = [];
  for (const superstepLimit of fixedLimits)
    for (const pending of fixedPending)
      fixed.push({ superstepLimit, pending, ...await run({ superstepLimit, pending }) });
  const seconds = Math.min(usual.seconds, ...fixed.map((one) => one.seconds));
  const quarters = [1, 2, 3, 4].map((quarter) => {
    const atUs = (1e6 * seconds * quarter) / 4;
    const gathered = fixed.map(({ events }) => gatheredBy(events, ranks, atUs));
    const best = Math.max(...gathered);
    return { ratio: gatheredBy(usual.events, ranks, atUs) / best, best: fixed[gathered.indexOf(best)] };
  });
  const worst = quarters.reduce((least, one) => (one.ratio < least.ratio ? one : least));
  return {
    graph, ...settings, seconds,
    ratios: quarters.map(({ ratio }) => ratio) as unknown as DefaultsCell['ratios'],
    bestLimit: worst.best.superstepLimit, bestPending: worst.best.pending,
  };
}

/** The PageRank of the pages whose downloads had ended by then. */
export function gatheredBy(
  { order, times }: Pick<RunEvents, 'order' | 'times'>, ranks: Float64Array, us: number,
): number {
  let sum = 0;
  for (let i = 0; i < order.length && times[2 * i + 1] <= us; i++) sum += ranks[order[i]];
  return sum;
}

export interface DefaultsJob {
  /** As `openGraph` takes it. */
  readonly graph: string;
  readonly maxSeconds: number | undefined;
}

/** The grid over graphs, on all cores; each process takes every so manieth cell. */
export async function benchDefaults(
  jobs: readonly DefaultsJob[], onCell: (cell: DefaultsCell) => void, processes = availableParallelism(),
): Promise<DefaultsCell[]> {
  const cells: DefaultsCell[] = [];
  const parts = Array.from({ length: processes }, (_, part) => new Promise<void>((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ jobs, part, processes })], {
      execArgv: ['--import', 'tsx'],
    });
    child.on('message', (cell) => {
      cells.push(cell as DefaultsCell);
      onCell(cell as DefaultsCell);
    });
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`part ${part} of the benchmark ended with code ${code ?? 'none'}`));
    });
  }));
  await Promise.all(parts);
  return sorted(cells);
}

const sorted = (cells: DefaultsCell[]): DefaultsCell[] =>
  cells.sort((a, b) => a.graph.localeCompare(b.graph) || a.policy.localeCompare(b.policy) ||
    a.processors - b.processors || a.robots - b.robots);

/** How many cells reach a share of the best at every quarter. */
export function shareOfCells(cells: readonly DefaultsCell[], ratio: number): number {
  return cells.filter(({ ratios }) => Math.min(...ratios) >= ratio).length / cells.length;
}

export const defaultsColumns = [
  'graph', 'policy', 'processors', 'robots', 'seconds', 'quarter1', 'quarter2', 'quarter3', 'quarter4', 'bestLimit',
  'bestPending',
] as const;

export function defaultsCsv(cells: readonly DefaultsCell[]): string {
  const rows = cells.map((cell) => [
    cell.graph, cell.policy, cell.processors, cell.robots, cell.seconds.toFixed(1),
    ...cell.ratios.map((ratio) => ratio.toFixed(4)), cell.bestLimit, cell.bestPending,
  ].join(','));
  return `${[defaultsColumns.join(','), ...rows].join('\n')}\n`;
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const { jobs, part, processes } = JSON.parse(process.argv[2]) as {
    jobs: readonly DefaultsJob[]; part: number; processes: number;
  };
  for (const { graph, maxSeconds } of jobs) {
    const prepared = prepare(await openGraph(graph));
    for (const [i, settings] of grid.entries())
      if (i % processes === part)
        process.send(await defaultsCell(prepared, { ...settings, maxSeconds }, parse(graph).name));
  }
  process.disconnect();
}
