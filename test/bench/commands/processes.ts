import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine, spread, type Spread } from '../../../src/questions/bench/index.ts';
import type { WebGraph } from '../../../src/graphs/graph/index.ts';
import { fixedLimits } from '../simulate.ts';

/** A whole process, from its start to its end. */
interface Side {
  readonly name: string;
  readonly words: readonly string[];
  /** The side whose figures it is divided by. */
  readonly versus: string;
}

export interface ProcessCase {
  readonly name: string;
  readonly cpuMs: Spread;
  readonly clockMs: Spread;
  /** Divided by another side's, round by round. */
  readonly versus: string;
  readonly cpuRatio: Spread;
  readonly clockRatio: Spread;
}

export interface ProcessReport {
  readonly machine: string;
  /** Processes that ran or waited before and after, as the system averages them over a minute. */
  readonly load: readonly [before: number, after: number];
  readonly cases: readonly ProcessCase[];
}

export interface ProcessBenchOptions {
  /** Name for `simulate`; its links are written as an edge list for `rank`. */
  readonly graph: string;
  readonly opened: WebGraph;
  readonly rounds: number;
  /** A python3 that may have scipy and igraph; peers that it does not have are left out. */
  readonly python: string;
  /** A built checkout of another commit. */
  readonly against?: string | undefined;
}

const bare = 'node -e 0';

/**
 * What people wait for at a prompt, as whole processes: the command's version and help beside `node -e 0`, a short
 * simulation, beside another build if one is given, and the ranks of an edge list beside scipy and igraph. Sides run in
 * turn, after a round that is not counted.
 */
export function benchProcesses(options: ProcessBenchOptions): ProcessReport {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-bench-processes-'));
  try {
    const edges = join(folder, 'edges.txt');
    writeFileSync(edges, edgeList(options.opened));
    const before = loadavg()[0];
    const cases = alternated(sidesOf(options, edges), options.rounds);
    return { machine: machine(), load: [before, loadavg()[0]], cases };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sidesOf({ graph, python, against }: ProcessBenchOptions, edges: string): Side[] {
  const command = (folder: string, ...words: string[]): string[] => {
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: { orbweaver: string } };
    return [process.execPath, join(folder, bin.orbweaver), ...words];
  };
  const here = fileURLToPath(new URL('../../../', import.meta.url));
  const sides: Side[] = [{ name: bare, words: [process.execPath, '-e', '0'], versus: bare }];
  for (const words of [['--version'], ['--help'], ['simulate', '--help']])
    sides.push({ name: words.join(' '), words: command(here, ...words), versus: bare });
  const { superstepLimit, pending } = fixedLimits;
  const crawl = ['simulate', graph, '--superstep-limit', String(superstepLimit), '--pending', String(pending)];
  const simulate = crawl.join(' ');
  sides.push({ name: simulate, words: command(here, ...crawl), versus: simulate });
  if (against !== undefined) {
    const words = command(resolve(against), ...crawl);
    sides.push({ name: `the same by the build in ${against}`, words, versus: simulate });
  }
  const rank = 'rank of an edge list, 1e-6';
  sides.push({ name: rank, words: command(here, 'rank', edges, '--tolerance', '1e-6'), versus: rank });
  for (const [name, code] of Object.entries(peers)) {
    const words = [python, '-c', code, edges];
    const isThere = spawnSync(python, ['-c', `import ${name}`]).status === 0;
    if (isThere) sides.push({ name: `${name}: ${rank}`, words, versus: rank });
  }
  return sides;
}

/** The same ranks by packages in C, with the fastest reader of edge lists that each has. */
const peers = {
  scipy: `
import sys, numpy as np
from scipy.sparse import csr_array
arcs = np.fromfile(sys.argv[1], dtype=np.int32, sep=' ').reshape(-1, 2)
n = int(arcs.max()) + 1
links = csr_array((np.ones(len(arcs)), (arcs[:, 1], arcs[:, 0])), shape=(n, n))
out = np.bincount(arcs[:, 0], minlength=n).astype(float)
share = np.divide(1, out, out=np.zeros(n), where=out > 0)
ranks, change = np.full(n, 1 / n), 1
while change > 1e-6:
    last = ranks
    ranks = .85 * (links @ (last * share) + last[out == 0].sum() / n) + .15 / n
    change = np.abs(ranks - last).sum()
print(ranks.argsort()[-10:][::-1])`,
  igraph: `
import sys, igraph
ranks = igraph.Graph.Read_Edgelist(sys.argv[1], directed=True).pagerank(damping=.85)
print(sorted(range(len(ranks)), key=lambda page: -ranks[page])[:10])`,
} as const;

function edgeList({ pages, outOffsets, outTargets }: WebGraph): string {
  const lines: string[] = [];
  for (let page = 0; page < pages; page++)
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) lines.push(`${page} ${outTargets[i]}\n`);
  return lines.join('');
}

interface Figures {
  readonly cpuMs: number;
  readonly clockMs: number;
}

function alternated(sides: readonly Side[], rounds: number): ProcessCase[] {
  const figures = new Map(sides.map(({ name }) => [name, [] as Figures[]]));
  for (let round = -1; round < rounds; round++) {
    for (const { name, words } of sides) {
      const one = timed(name, words);
      if (round >= 0) figures.get(name)!.push(one);
    }
  }
  return sides.map(({ name, versus }) => {
    const [own, others] = [figures.get(name)!, figures.get(versus)!];
    const ratio = (of: keyof Figures): Spread => spread(own.map((one, round) => one[of] / others[round][of]));
    return {
      name, versus, cpuMs: spread(own.map(({ cpuMs }) => cpuMs)), clockMs: spread(own.map(({ clockMs }) => clockMs)),
      cpuRatio: ratio('cpuMs'), clockRatio: ratio('clockMs'),
    };
  });
}

/** By bash, whose `time` has milliseconds of all threads of the process. */
function timed(name: string, words: readonly string[]): Figures {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null 2> /dev/null';
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...words], {
    encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' },
  });
  const [clock, user, system] = stderr.trim().split(' ').map(Number);
  if (status !== 0 || !(clock > 0)) throw new Error(`${name} failed: ${words.join(' ')}`);
  return { cpuMs: 1000 * (user + system), clockMs: 1000 * clock };
}

export function printProcesses({ machine, load, cases }: ProcessReport): void {
  console.log(`${machine}; load ${load.map((one) => one.toFixed(1)).join(' to ')}`);
  for (const { name, cpuMs, clockMs, versus, cpuRatio, clockRatio } of cases) {
    const ms = ({ median, min, max }: Spread): string =>
      `${median.toFixed(0)} ms (${min.toFixed(0)} to ${max.toFixed(0)})`;
    console.log(`${name.padEnd(44)} CPU ${ms(cpuMs)}, clock ${ms(clockMs)}`);
    if (versus === name) continue;
    const times = ({ median, min, max }: Spread): string =>
      `${median.toFixed(2)} x (${min.toFixed(2)} to ${max.toFixed(2)})`;
    console.log(`    of ${versus}: CPU ${times(cpuRatio)}, clock ${times(clockRatio)}`);
  }
}
