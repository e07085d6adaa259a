import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alternate, type BenchReport, type Side } from '../../../src/bench/index.ts';
import { builtScripts } from '../../built-scripts.ts';
import { RedisServer } from '../../cluster/redis-server.ts';
import type { NodeFigures, NodeTask } from './cluster-node.ts';

/** Nodes, processors of all nodes, and pairs that each node sends in a superstep. */
export type ClusterCase = readonly [nodes: number, processors: number, pairs: number];

/** One after another of the three changes. */
export const clusterCases: readonly ClusterCase[] = [
  [2, 8, 1000],
  [1, 8, 1000], [3, 8, 1000], [4, 8, 1000],
  [2, 2, 1000], [2, 64, 1000], [2, 512, 1000],
  [2, 8, 0], [2, 8, 10_000], [2, 8, 100_000],
];

/**
 * What a superstep of a crawl on several nodes costs besides its work: processors that do nothing but send, in one
 * process a node, over a Redis server on this machine. Each case by the clock; then by the CPU of a node.
 */
export async function benchCluster(
  supersteps: number, rounds: number, cases: readonly ClusterCase[] = clusterCases,
): Promise<BenchReport> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-cluster-'));
  await using server = await RedisServer.start();
  try {
    const scriptOf = await builtScripts(folder, new URL('./cluster-node.ts', import.meta.url));
    const script = fileURLToPath(scriptOf('cluster-node'));
    let runs = 0;
    const sides = cases.flatMap(([nodes, processors, pairs]): Side[] => {
      const name = `${nodes} ${nodes === 1 ? 'node' : 'nodes'}, ${processors} processors, ${pairs} pairs a node`;
      let cpuMs = NaN;
      return [
        {
          name, measuresIn: 'ms',
          run: async () => {
            const prefix = `bench:{${runs++}}`;
            const figures = await Promise.all(Array.from({ length: nodes }, (_, node) => nodeRun(script, {
              url: server.url, prefix, node, nodes, processors, pairs, warmUp: Math.ceil(supersteps / 10), supersteps,
            })));
            cpuMs = figures.reduce((sum, one) => sum + one.cpuMs, 0) / nodes;
            return Math.max(...figures.map(({ ms }) => ms));
          },
        },
        { name: `  CPU of a node`, measuresIn: 'ms', run: () => cpuMs },
      ];
    });
    const report = await alternate(sides, rounds);
    // Cases differ in what they do: times beside one another say more than their ratios.
    const figures = report.cases.map(({ name, median, min, max, unit }) => ({ name, median, min, max, unit }));
    return { ...report, cases: figures };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function nodeRun(script: string, task: NodeTask): Promise<NodeFigures> {
  const child = fork(script, { execArgv: [] });
  const gone = once(child, 'exit').then(() => { throw new Error(`node ${task.node} ended without figures`); });
  child.send(task);
  const [figures] = await Promise.race([once(child, 'message'), gone]) as [NodeFigures];
  gone.catch(() => undefined);
  return figures;
}
