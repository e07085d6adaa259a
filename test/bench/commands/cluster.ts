import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine, spread, type Spread } from '../../../src/questions/bench/index.ts';
import { decimal, grouped } from '../../../src/cli/text/figures.ts';
import { shareAndTimeLeft, type ProgressLine } from '../../../src/cli/text/progress.ts';
import { headedTable } from '../../../src/cli/text/text-table.ts';
import { builtScripts } from '../../built-scripts.ts';
import { RedisServer } from '../../cluster/redis-server.ts';
import type { NodeFigures, NodeTask } from './cluster-node.ts';

export interface ClusterBenchOptions {
  /** How long the supersteps of a case take in a round, about, and for how many rounds the cases take turns. */
  readonly seconds: number;
  readonly rounds: number;
  readonly nodes: readonly number[];
  /** Of all nodes together. */
  readonly processors: readonly number[];
  readonly pairs: readonly number[];
}

/** Under four minutes on two cores. */
export const clusterDefaults: ClusterBenchOptions = {
  seconds: 0.4, rounds: 5, nodes: [1, 2, 3], processors: [8, 64, 512], pairs: [0, 1000, 10_000, 100_000],
};

/** The price of a superstep: of so many processors on so many nodes, which send so many pairs, all together. */
export interface ClusterCase {
  readonly nodes: number;
  readonly processors: number;
  readonly pairs: number;
  /** Supersteps per round. */
  readonly supersteps: number;
  /** By the clock; of these, by how much it exceeds that of one process in the same round; by the CPU of each node. */
  readonly ms: Spread;
  readonly overMs: Spread;
  readonly cpuMs: Spread;
}

export interface ClusterReport {
  readonly machine: string;
  readonly cases: readonly ClusterCase[];
}

/** Supersteps of the first run of a case, which says how many the others have time for. */
const FIRST_SUPERSTEPS = 5;

/**
 * What a superstep of a crawl on several nodes costs besides its work: processors that do nothing but send, in one
 * process for each node, over a Redis server on this machine; beside the same processors in one process, which needs no
 * server. The numbers of nodes take turns, round by round.
 */
export async function benchCluster(options: ClusterBenchOptions, progress?: ProgressLine): Promise<ClusterReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-cluster-'));
  await using server = await RedisServer.start();
  const children: ChildProcess[] = [];
  try {
    const scriptOf = await builtScripts(folder, new URL('./cluster-node.ts', import.meta.url));
    for (let node = 0; node < Math.max(...options.nodes); node++)
      children.push(fork(fileURLToPath(scriptOf('cluster-node')), { execArgv: [] }));
    let runs = 0;
    const run: Run = async (nodes, processors, pairs, supersteps) => {
      const prefix = `bench:{${runs++}}`;
      const figures = await Promise.all(children.slice(0, nodes).map(async (child, node) => nodeRun(child, {
        url: server.url, prefix, node, nodes, processors, pairs, supersteps, warmUp: Math.ceil(supersteps / 10),
      })));
      return { ms: Math.max(...figures.map(({ ms }) => ms)), cpuMs: sum(figures.map(({ cpuMs }) => cpuMs)) / nodes };
    };
    return { machine: machine(), cases: await casesOf(options, run, progress) };
  } finally {
    progress?.clear();
    for (const child of children) if (child.connected) child.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Run = (nodes: number, processors: number, pairs: number, supersteps: number) => Promise<NodeFigures>;

async function casesOf(
  { seconds, rounds, nodes: nodeCounts, processors, pairs }: ClusterBenchOptions, run: Run,
  progress: ProgressLine | undefined,
): Promise<ClusterCase[]> {
  const places = processors.flatMap((p) => pairs.map((sent) => ({ processors: p, pairs: sent })));
  const [beganMs, expected] = [performance.now(), places.length * nodeCounts.length * (rounds + 1)];
  let done = 0;
  const counted: Run = async (...of) => {
    const figures = await run(...of);
    done++;
    progress?.show(() => `${done} of ${expected} runs, ${shareAndTimeLeft(done, expected, beganMs)}`);
    return figures;
  };
  const cases: ClusterCase[] = [];
  for (const place of places) {
    const of = nodeCounts.map((nodes) => ({ nodes, supersteps: 0, figures: [] as NodeFigures[] }));
    for (const one of of) {
      const { ms } = await counted(one.nodes, place.processors, place.pairs, FIRST_SUPERSTEPS);
      one.supersteps = Math.min(2000, Math.max(FIRST_SUPERSTEPS, Math.round(1000 * seconds / ms)));
    }
    for (let round = 0; round < rounds; round++) {
      for (const { nodes, supersteps, figures } of of)
        figures.push(await counted(nodes, place.processors, place.pairs, supersteps));
    }
    const [first] = of;
    for (const { nodes, supersteps, figures } of of) {
      cases.push({
        nodes, ...place, supersteps, ms: spread(figures.map(({ ms }) => ms)),
        overMs: spread(figures.map(({ ms }, round) => ms - first.figures[round].ms)),
        cpuMs: spread(figures.map(({ cpuMs }) => cpuMs)),
      });
    }
  }
  return cases;
}

async function nodeRun(child: ChildProcess, task: NodeTask): Promise<NodeFigures> {
  const ended = new AbortController();
  try {
    const answered = once(child, 'message', { signal: ended.signal });
    const gone = once(child, 'exit', { signal: ended.signal })
      .then(() => { throw new Error(`node ${task.node} ended without figures`); });
    gone.catch(() => undefined);
    child.send(task);
    return (await Promise.race([answered, gone]) as [NodeFigures])[0];
  } finally {
    ended.abort();
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** A line per number of processors and pairs, with three columns per number of nodes. */
export function clusterText({ machine: on, cases }: ClusterReport): string {
  const counts = [...new Set(cases.map(({ nodes }) => nodes))];
  const rows = new Map<string, string[]>();
  for (const { processors, pairs, ms, overMs, cpuMs, nodes } of cases) {
    const row = rows.get(`${processors} ${pairs}`) ?? [grouped(processors), grouped(pairs)];
    rows.set(`${processors} ${pairs}`, [
      ...row, spreadText(ms), ...(nodes === counts[0] ? [] : [spreadText(overMs)]), decimal(cpuMs.median, 2),
    ]);
  }
  const headings = counts.flatMap((nodes, i) => [
    `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ms`, ...(i === 0 ? [] : ['more']), 'CPU',
  ]);
  return [
    `${on}. A superstep, milliseconds: by the clock; by how much more than ${counts[0] === 1 ? 'in one process' : 'the first'}, round by round; ` +
    'CPU of each node.', 'Median (least to most of the rounds); pairs of all nodes together.',
    headedTable(['processors', 'pairs', ...headings], [...rows.values()], headings.map(() => 'right' as const)
      .concat('right', 'right')),
  ].join('\n');
}

function spreadText({ median, min, max }: Spread): string {
  const [middle, least, most] = [median, min, max].map((value) => decimal(value, Math.abs(median) < 10 ? 2 : 1));
  return `${middle} (${least} to ${most})`;
}
