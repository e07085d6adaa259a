import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
  alternate, machine, spread, type BenchReport, type Side, type Spread,
} from '../../src/questions/bench/index.ts';
import { defaultSeeds, prepare, type WebGraph } from '../../src/graphs/graph/index.ts';
import { simulate, trueRanks } from '../../src/core/engine/index.ts';
import type { RunSink } from '../../src/core/events/index.ts';
import { recordFiles } from '../../src/core/measure/index.ts';

/**
 * The whole simulation (8 processors, 4 robots each, network, politeness, OPIC, measures, run record) beside the least
 * a crawl in exact OPIC order can be, and beside a breadth-first search, all over the same graph in memory. The true
 * PageRank that the measures need, and what else is computed once for a graph, stands apart.
 */
export async function benchSimulate(graph: WebGraph, rounds: number): Promise<BenchReport> {
  const prepared = prepare(graph);
  trueRanks(prepared);
  const whole = async (): Promise<number> => {
    const result = await simulate(prepared, {});
    let bytes = 0;
    for (const content of recordFiles(result).values()) bytes += content.length;
    return bytes;
  };
  const seeds = defaultSeeds(graph).seeds;
  const sides = [
    { name: 'whole simulation', run: whole },
    { name: 'bare OPIC crawl in exact order', run: () => opicCrawl(graph, seeds) },
    { name: 'breadth-first search', run: () => breadthFirst(graph, seeds) },
    { name: 'true PageRank, L1 error 1e-12', run: () => trueRanks(graph)[0] },
  ];
  return alternate(sides, rounds);
}

/** Limits that are not those by default, which have changed: builds are compared over the same crawl. */
export const fixedLimits = { superstepLimit: 96, pending: 384 };

/** What this benchmark uses of a build, of any version since the first with a record. */
interface Build {
  openGraph(name: string): Promise<WebGraph>;
  /** Earlier versions computed ranks once per graph without being asked. */
  prepare?(graph: WebGraph): WebGraph;
  simulate(graph: WebGraph, settings: object, options?: { sinks: readonly RunSink[] }): Promise<{
    readonly run: { readonly replayHash: string };
    readonly events: { readonly order: Uint32Array };
  }>;
}

/**
 * This build beside another one in `folder`, a checkout of an earlier commit, and with sinks attached that count
 * outcomes. Each opens the graph itself, by its own code. All must make the same crawl.
 */
export async function benchBuilds(graph: string, rounds: number, folder: string): Promise<BenchReport> {
  const here = fileURLToPath(new URL('../../', import.meta.url));
  const [ours, theirs] = await Promise.all([here, resolve(folder)].map(buildIn));
  const sinks = Array.from({ length: 3 }, (): RunSink & { outcomes: number } => ({
    outcomes: 0,
    outcome() { this.outcomes++; },
  }));
  const hashes = new Set<string>();
  const side = async (name: string, build: Build, attached: readonly RunSink[]): Promise<Side> => {
    const stored = await build.openGraph(graph);
    const opened = build.prepare?.(stored) ?? stored;
    return {
      name,
      run: async () => {
        const { run } = await build.simulate(opened, fixedLimits, { sinks: attached });
        hashes.add(run.replayHash);
        if (hashes.size > 1) throw new Error(`${name}: another crawl, ${[...hashes].join(' and ')}`);
        return hashes.size;
      },
    };
  };
  return alternate(
    [
      await side('this build', ours, []),
      await side('this build, three sinks that count', ours, sinks),
      await side(`the build in ${folder}`, theirs, []),
    ],
    rounds,
  );
}

/** The library as built: its threads need not be compiled first. */
export function buildIn(folder: string): Promise<Build> {
  return import(pathToFileURL(join(folder, 'dist', 'index.js')).href) as Promise<Build>;
}

/** A simulation by so many processors, as a process; ratios are to the fewest processors, round by round. */
export interface ProcessorsCase {
  readonly processors: number;
  readonly cpuSeconds: Spread;
  readonly peakBytes: Spread;
  readonly timeRatio: Spread;
  readonly memoryRatio: Spread;
}

/** At the end of a process, what it took, in microseconds and kilobytes. */
const usage = 'process.on("exit", () => process.stderr.write(JSON.stringify(process.resourceUsage())))';

/**
 * Whole processes, `simulate GRAPH --processors P --out DIR`, for each P in turn: CPU time, so that what else runs on
 * the machine counts less, and peak memory. The same pages are fetched by more and more processors, most of them at
 * rest: time and memory ought to hardly grow.
 */
export async function benchProcessors(
  graph: string, rounds: number, counts: readonly number[] = [8, 256, 1024],
): Promise<{ readonly machine: string; readonly cases: readonly ProcessorsCase[] }> {
  const main = fileURLToPath(new URL('../../dist/bundle/main.js', import.meta.url));
  const out = mkdtempSync(join(tmpdir(), 'orbweaver-processors-'));
  const measured = counts.map((): { cpu: number; peak: number }[] => []);
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [i, processors] of counts.entries()) {
        const { stderr } = await promisify(execFile)(process.execPath, [
          '--import', `data:text/javascript,${encodeURIComponent(usage)}`, main,
          'simulate', graph, '--processors', String(processors), '--out', join(out, 'run'),
        ]);
        const { userCPUTime, systemCPUTime, maxRSS } =
          JSON.parse(stderr.slice(stderr.lastIndexOf('{'))) as NodeJS.ResourceUsage;
        measured[i].push({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: 1024 * maxRSS });
      }
    }
  } finally {
    rmSync(out, { recursive: true });
  }
  const [fewest] = measured;
  return {
    machine: machine(),
    cases: counts.map((processors, i) => ({
      processors,
      cpuSeconds: spread(measured[i].map(({ cpu }) => cpu)),
      peakBytes: spread(measured[i].map(({ peak }) => peak)),
      timeRatio: spread(measured[i].map(({ cpu }, round) => cpu / fewest[round].cpu)),
      memoryRatio: spread(measured[i].map(({ peak }, round) => peak / fewest[round].peak)),
    })),
  };
}

/** Lines for the terminal. */
export function processorsText({ machine: on, cases }: Awaited<ReturnType<typeof benchProcessors>>): string {
  const shown = ({ median, min, max }: Spread, digits: number): string =>
    `${median.toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
  const scaled = ({ median, min, max }: Spread): Spread => ({ median: median / 1e6, min: min / 1e6, max: max / 1e6 });
  return [on, ...cases.map(({ processors, cpuSeconds, peakBytes, timeRatio, memoryRatio }) =>
    `${String(processors).padStart(6)} processors  ${shown(cpuSeconds, 2)} s of CPU, x ${shown(timeRatio, 2)};  ` +
    `${shown(scaled(peakBytes), 0)} MB at most, x ${shown(memoryRatio, 2)}`)].join('\n');
}

/** Pages fetched. */
export function breadthFirst({ pages, outOffsets, outTargets }: WebGraph, seeds: Uint32Array): number {
  const seen = new Uint8Array(pages);
  const queue = new Uint32Array(pages);
  let size = 0;
  for (const seed of seeds) {
    seen[seed] = 1;
    queue[size++] = seed;
  }
  for (let head = 0; head < size; head++) {
    for (let i = outOffsets[queue[head]]; i < outOffsets[queue[head] + 1]; i++) {
      const target = outTargets[i];
      if (seen[target] === 1) continue;
      seen[target] = 1;
      queue[size++] = target;
    }
  }
  return size;
}

/**
 * OPIC in exact order: a binary heap over page ids with a position index, cash raised in place; one processor, no
 * network, no politeness, nothing recorded. Cash as floats, ties as they fall. Returns the pages fetched.
 */
export function opicCrawl({ pages, outOffsets, outTargets }: WebGraph, seeds: Uint32Array): number {
  const cash = new Float64Array(pages);
  const heap = new Uint32Array(pages);
  /** 0 = unknown, 1 + position in the heap, or fetched. */
  const place = new Uint32Array(pages);
  const fetched = 0xffffffff;
  let size = 0;
  let count = 0;

  const rise = (page: number, position: number): void => {
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (cash[heap[parent]] >= cash[page]) break;
      heap[position] = heap[parent];
      place[heap[position]] = position + 1;
      position = parent;
    }
    heap[position] = page;
    place[page] = position + 1;
  };
  const take = (): number => {
    const top = heap[0];
    const last = heap[--size];
    let position = 0;
    for (;;) {
      let child = 2 * position + 1;
      if (child >= size) break;
      if (child + 1 < size && cash[heap[child + 1]] > cash[heap[child]]) child++;
      if (cash[heap[child]] <= cash[last]) break;
      heap[position] = heap[child];
      place[heap[position]] = position + 1;
      position = child;
    }
    heap[position] = last;
    place[last] = position + 1;
    place[top] = fetched;
    return top;
  };

  for (const seed of seeds) {
    cash[seed] = 1 / seeds.length;
    rise(seed, size++);
  }
  while (size > 0) {
    const page = take();
    count++;
    const links = outOffsets[page + 1] - outOffsets[page];
    const share = cash[page] / links;
    cash[page] = 0;
    for (let i = outOffsets[page]; i < outOffsets[page + 1]; i++) {
      const target = outTargets[i];
      if (place[target] === fetched) continue;
      cash[target] += share;
      rise(target, place[target] === 0 ? size++ : place[target] - 1);
    }
  }
  return count;
}
